	org 0
	dw lo(1234h),hi(1234h),min(3,2),max(1,2,3),abs(-5)
	db target(ROM),target(BIN),defined(foo),defined(bar)
foo	equ 1
	db defined(foo)
	db hi(end),lo(end)
end:
