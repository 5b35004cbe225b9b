gcl0x *=$2FE [do *=$300 loop]
