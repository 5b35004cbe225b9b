 org 0
#local
in: nop
#endlocal
 jp in
