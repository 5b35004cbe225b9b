.csegsize
