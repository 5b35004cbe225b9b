; What `assert` says is the rest of the line.
 org 0
 assert 1==1, Do not move
 assert 5>3, "x", y
 assert 1, not foo (bar)
x: dw x
