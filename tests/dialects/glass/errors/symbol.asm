 db nothing
