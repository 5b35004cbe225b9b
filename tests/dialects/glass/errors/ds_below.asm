 ds -1
