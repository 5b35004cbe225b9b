/* A clock of milliseconds by an interrupt each 1,000 cycles, arithmetic beside it. */
#define F_CPU 1000000UL
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

static volatile uint32_t now;
static volatile uint32_t result;

ISR(TIMER0_COMPA_vect)
{
	now++;
}

static uint32_t millis(void)
{
	uint8_t before = SREG;
	cli();
	uint32_t value = now;
	SREG = before;
	return value;
}

int main(void)
{
	OCR0A = 124;
	TCCR0A = 1 << WGM01;
	TCCR0B = 1 << CS01;
	TIMSK0 = 1 << OCIE0A;
	sei();
	for (uint32_t seed = 1;; seed = seed * 1103515245UL + 12345) {
		uint32_t at = millis();
		result += at / 3600000UL * 100 + at / 60000UL % 60;
		result ^= seed % (at | 1);
	}
}
