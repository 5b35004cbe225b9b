/* XTEA, ChaCha's quarter round and SHA-1's rounds: sums, rotations and shifts of words. */
#include <stdint.h>

static volatile uint32_t result;
static uint32_t state[16], digest[5] = {
	0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
};

static uint32_t rotate(uint32_t value, uint8_t by)
{
	return value << by | value >> (32 - by);
}

static void xtea(uint32_t v[2], const uint32_t key[4])
{
	uint32_t a = v[0], b = v[1], sum = 0;
	for (uint8_t round = 0; round < 32; round++) {
		a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
		sum += 0x9e3779b9;
		b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
	}
	v[0] = a;
	v[1] = b;
}

static void quarter(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	state[a] += state[b];
	state[d] = rotate(state[d] ^ state[a], 16);
	state[c] += state[d];
	state[b] = rotate(state[b] ^ state[c], 12);
	state[a] += state[b];
	state[d] = rotate(state[d] ^ state[a], 8);
	state[c] += state[d];
	state[b] = rotate(state[b] ^ state[c], 7);
}

static void sha(const uint32_t block[16])
{
	uint32_t w[16], a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4];
	for (uint8_t i = 0; i < 80; i++) {
		uint32_t word = block[i & 15];
		if (i >= 16)
			word = rotate(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[i & 15], 1);
		w[i & 15] = word;
		uint32_t f = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999
			: i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
			: i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
			: (b ^ c ^ d) + 0xca62c1d6;
		f += rotate(a, 5) + e + word;
		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = f;
	}
	digest[0] += a;
	digest[1] += b;
	digest[2] += c;
	digest[3] += d;
	digest[4] += e;
}

int main(void)
{
	for (;;) {
		xtea(state, state + 4);
		for (uint8_t i = 0; i < 4; i++)
			quarter(i, i + 4, i + 8, i + 12);
		sha(state);
		result = digest[0];
	}
}
