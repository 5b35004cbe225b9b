/* Work for a CPU without peripherals: integers of all widths, floats, text, sorting. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 1;
static uint16_t crc = 0xffff;
static int16_t list[48];
static char text[48];
static volatile uint16_t result;

static uint16_t next(void)
{
	seed = seed * 1103515245UL + 12345;
	return seed >> 16;
}

static void put(uint8_t byte)
{
	crc ^= byte;
	for (uint8_t i = 0; i < 8; i++)
		crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
}

static int order(const void *a, const void *b)
{
	return *(const int16_t *)a - *(const int16_t *)b;
}

static uint8_t sieve(uint8_t count)
{
	static uint8_t composite[64];
	uint8_t primes = 0;
	memset(composite, 0, sizeof composite);
	for (uint8_t n = 2; n < count; n++) {
		if (composite[n >> 3] & 1 << (n & 7))
			continue;
		primes++;
		for (uint16_t m = (uint16_t)n * n; m < count; m += n)
			composite[m >> 3] |= 1 << (m & 7);
	}
	return primes;
}

static uint32_t ackermann(uint8_t m, uint8_t n)
{
	if (m == 0)
		return n + 1;
	return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

int main(void)
{
	float x = 1;
	for (;;) {
		for (uint8_t i = 0; i < 48; i++)
			list[i] = next();
		qsort(list, 48, sizeof *list, order);
		for (uint8_t i = 0; i < 48; i++) {
			put(list[i]);
			put(list[i] >> 8);
		}
		x = x * 1.01f + sin(list[5]) / 3 - sqrt(fabs((float)list[9]));
		if (!(fabs(x) < 1e6f))
			x = 1;
		sprintf(text, "%d %u %lx %s", (int)x, crc, (long)seed, x < 0 ? "-" : "+");
		for (char *p = text; *p; p++)
			put(*p);
		put(atoi(text));
		put(sieve(250));
		put(ackermann(2, next() & 3));
		int64_t wide = (int64_t)seed * seed / (next() | 1);
		put(wide >> 9);
		put(seed / (next() | 1) ^ (int16_t)next() % 77 ^ next() % 10);
		result = crc;
	}
}
