	jr po,x
x:
