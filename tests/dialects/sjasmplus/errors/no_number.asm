 jr 1b
