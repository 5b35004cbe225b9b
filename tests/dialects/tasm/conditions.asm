k	.equ 2
#define THERE
#if k == 2
	.db 1
#else
	.db 2
#endif
	#ifdef NOT_THERE
	.db 3
	#endif
#IFNDEF NOT_THERE
	.db 4
#ENDIF
#ifdef THERE
	.db 5
#endif
#if k > 5
	nonsense
#else
	.db 6
#endif
	.end
