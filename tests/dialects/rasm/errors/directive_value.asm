 ds
