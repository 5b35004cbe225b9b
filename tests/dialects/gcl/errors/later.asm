gcl0x *=\Later 1 _Later=$300
