 org 0
#endlocal
