/* Tight loops on bytes: a sieve, a sum, a shift register, a delay. */
#include <stdint.h>
#include <util/delay_basic.h>

static uint8_t composite[256];
static volatile uint8_t result;

int main(void)
{
	uint8_t shift = 1;
	for (;;) {
		for (uint8_t n = 2; n < 128; n++)
			if (!composite[n])
				for (uint16_t m = 2 * n; m < 256; m += n)
					composite[m] = 1;
		uint8_t sum = 0, i = 0;
		do
			sum += composite[i];
		while (++i);
		for (i = 0; i < 255; i++)
			shift = shift & 1 ? shift >> 1 ^ 0xb8 : shift >> 1;
		_delay_loop_1(200);
		_delay_loop_2(200);
		result = sum ^ shift;
	}
}
