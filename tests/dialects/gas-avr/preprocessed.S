; atmega328p
#include <avr/io.h>
#define TMP r16 // a comment
#define ADD2(a, b) add a, b $ add a, b
	in TMP, _SFR_IO_ADDR(PORTB)
	sbi _SFR_IO_ADDR(PORTB), PB5
	ldi TMP, lo8(RAMEND)
	ADD2(r0, r1)
#if defined(__AVR_HAVE_MUL__) && __AVR_ARCH__ == 5
	mul r0, r1
#endif
# an old comment
	.macro joined a, \
		b
	.byte \a, \b
	.endm
	joined 1, 2 // end
	.set _bit, _BV(3) | (1 << 2)
	.byte _bit
	.word SIG
	.equ SIG, SPM_PAGESIZE
