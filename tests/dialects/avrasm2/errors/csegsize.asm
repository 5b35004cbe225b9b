.csegsize = 11
