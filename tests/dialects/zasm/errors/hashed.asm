 org 0
#nothing
