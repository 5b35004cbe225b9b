#pragma AVRPART MEMORY PROG_FLASH lots
        nop
