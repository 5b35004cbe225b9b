 jr $+200
 .end
