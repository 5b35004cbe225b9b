; atmega328p
; Addresses of data as displacements, by which an array starts at 0.
	.text
	std	Y+first-0x100, r3
	ldd	r16, Y+second-0x100
	ldd	r17, Z+second-0x0f0
	adiw	r28, second-0x100
	sbiw	r30, second-0x102
	ldi	r20, saved
	ldi	r21, saved+250
	lds	r16, saved
	sts	saved+1, r17
	.section .bss
first:	.skip	3
second:	.skip	1
	.section .eeprom,"a",@progbits
	.byte	1, 2, 3
saved:	.byte	4
