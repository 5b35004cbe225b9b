 fail "no"
