gcl0x zpReset=$FF X=
