 charset "abc","de"
