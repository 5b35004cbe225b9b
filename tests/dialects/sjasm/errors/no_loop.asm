 break
