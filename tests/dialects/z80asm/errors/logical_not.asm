	db !0
