 else
