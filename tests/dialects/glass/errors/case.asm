 Ldx a,5
