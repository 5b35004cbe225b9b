; atmega328p
; Symbols that the linker's script defines.
	.text
	.word __data_start, __data_end, __data_load_start, __data_load_end
	.word __bss_start, __bss_end, _end, _etext, _edata, __heap_start
	.word __ctors_start, __dtors_end, __noinit_start, __trampolines_start
	.byte 1
	.data
	.byte 1,2,3
	.section .bss
	.skip 5
	.lcomm own, 3
	.section .noinit,"aw",@nobits
	.skip 7
