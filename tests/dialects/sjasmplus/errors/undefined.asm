 db undefined
