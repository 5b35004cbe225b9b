/* Memory copied, filled, compared and reversed. */
#include <stdint.h>
#include <string.h>

static uint8_t from[400], to[400];
static volatile uint16_t result;

static void reverse(uint8_t *first, uint8_t *last)
{
	while (first < last) {
		uint8_t byte = *first;
		*first++ = *last;
		*last-- = byte;
	}
}

int main(void)
{
	for (uint16_t i = 0; i < sizeof from; i++)
		from[i] = i * 7 | 1;
	for (;;) {
		memcpy(to, from, sizeof to);
		result += memcmp(from, to, sizeof to);
		memmove(to + 3, to, 300);
		memset(to, result, 40);
		reverse(from, from + sizeof from - 1);
		result += strnlen((char *)from, sizeof from);
	}
}
