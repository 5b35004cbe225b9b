gcl0x [def 1 def 2]
