/* Numbers of 32 bits multiplied and divided: __mulsi3, __udivmodsi4, __divmodsi4. */
#include <stdint.h>

static volatile uint32_t result;

static uint32_t root(uint32_t of)
{
	uint32_t guess = of / 2 + 1;
	for (uint8_t i = 0; i < 12; i++)
		guess = (guess + of / guess) / 2 + 1;
	return guess;
}

static uint32_t common(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint32_t power(uint32_t base, uint8_t exponent, uint32_t modulus)
{
	uint32_t value = 1;
	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			value = value * base % modulus;
		base = base * base % modulus;
	}
	return value;
}

int main(void)
{
	uint32_t seed = 1;
	for (;;) {
		seed = seed * 1664525UL + 1013904223UL;
		result += root(seed) + common(seed, seed >> 7 | 1);
		result += power(seed >> 16, seed, 65521UL);
		result ^= (int32_t)seed / -37 * ((int32_t)seed % 1000);
	}
}
