 undef
