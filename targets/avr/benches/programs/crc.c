/* CRC-32 bit by bit, and by a table of 16 words in flash. */
#include <avr/pgmspace.h>
#include <stdint.h>

static const uint32_t table[16] PROGMEM = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};
static uint8_t data[256];
static volatile uint32_t result;

static uint32_t by_bits(const uint8_t *from, uint16_t count)
{
	uint32_t crc = 0xffffffff;
	while (count--) {
		crc ^= *from++;
		for (uint8_t bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

static uint32_t by_table(const uint8_t *from, uint16_t count)
{
	uint32_t crc = 0xffffffff;
	while (count--) {
		uint8_t byte = *from++;
		crc = pgm_read_dword(&table[(crc ^ byte) & 15]) ^ crc >> 4;
		crc = pgm_read_dword(&table[(crc ^ byte >> 4) & 15]) ^ crc >> 4;
	}
	return ~crc;
}

int main(void)
{
	for (;;) {
		for (uint16_t i = 0; i < sizeof data; i++)
			data[i] = data[i] * 5 + i;
		result = by_bits(data, sizeof data) ^ by_table(data, sizeof data);
	}
}
