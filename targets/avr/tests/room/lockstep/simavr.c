/*
 * Runs an image on simavr for the tests: as a trace of states, or for its speed.
 *
 *   simavr trace MCU IMAGE COUNT   after each of COUNT instructions a record on
 *                                  standard output, see below
 *   simavr speed MCU IMAGE CYCLES  runs so many cycles and prints cycles and seconds
 *                                  of CPU time
 *
 * IMAGE is a file of bytes for flash address 0. Linked with libsimavr (GPL 3), hence
 * a program of its own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <simavr/sim_avr.h>

struct record {
	uint32_t pc; /* in bytes */
	uint32_t state;
	uint64_t cycle;
	uint16_t sp;
	uint8_t sreg;
	uint8_t more[5];
	uint8_t registers[32];
};

static void quiet(struct avr_t *avr, const int level, const char *format, va_list list)
{
	(void)avr; (void)level; (void)format; (void)list;
}

static void no_sleep(struct avr_t *avr, avr_cycle_count_t how_long)
{
	(void)avr; (void)how_long;
}

static avr_t *start(const char *mcu, const char *path)
{
	static uint8_t image[1 << 20];
	avr_t *avr = avr_make_mcu_by_name(mcu);
	FILE *file = fopen(path, "rb");
	if (!avr || !file) {
		fprintf(stderr, "no %s\n", avr ? path : mcu);
		exit(2);
	}
	avr_global_logger_set(quiet);
	avr_init(avr);
	avr->sleep = no_sleep;
	size_t size = fread(image, 1, sizeof image, file);
	fclose(file);
	memset(avr->flash, 0xff, avr->flashend + 1);
	avr_loadcode(avr, image, size, 0);
	avr->codeend = avr->flashend;
	avr->pc = 0;
	return avr;
}

static int ended(int state)
{
	return state == cpu_Done || state == cpu_Crashed;
}

int main(int count, char **words)
{
	if (count != 5)
		return 2;
	/* simavr talks on standard output: what it says goes elsewhere. */
	FILE *out = fdopen(dup(1), "wb");
	if (!out || dup2(2, 1) < 0)
		return 1;
	avr_t *avr = start(words[2], words[3]);
	uint64_t wanted = strtoull(words[4], NULL, 10);
	if (!strcmp(words[1], "trace")) {
		static char buffer[1 << 20];
		setvbuf(out, buffer, _IOFBF, sizeof buffer);
		avr->run_cycle_limit = 1;
		avr->run_cycle_count = 1;
		for (uint64_t n = 0; n < wanted; n++) {
			int state = avr_run(avr);
			struct record r = { .pc = avr->pc, .state = state, .cycle = avr->cycle };
			r.sp = avr->data[R_SPL] | avr->data[R_SPH] << 8;
			for (int bit = 0; bit < 8; bit++)
				r.sreg |= (avr->sreg[bit] != 0) << bit;
			memcpy(r.registers, avr->data, 32);
			if (fwrite(&r, sizeof r, 1, out) != 1)
				return 1;
			if (ended(state))
				break;
		}
		return fclose(out) != 0;
	}
	clock_t before = clock();
	while (avr->cycle < wanted && !ended(avr_run(avr)))
		;
	double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
	fprintf(out, "%llu %f\n", (unsigned long long)avr->cycle, seconds);
	return fclose(out) != 0;
}
