; Pictures of squares and letters. There is no frame buffer: a picture is a page of
; instructions, and the beam runs through them.
;
; A page has 12 rows of 12 words, a word for each pixel. Nine of them write OUT; in the
; other three the margin's colour stands still, while they find the picture that comes
; next. Which row it is stands in the cell `row`, as the offset in the page, so it is
; right for the whole line. X points at the list of pages:
;
;   clock 0     margin, and X goes on in the same clock
;         1     AC becomes the page of the picture after the next one
;         2-8   the seven pixels
;         9     margin
;         10    to the next picture, whose page is in Y
;         11    Y becomes what AC was: the jump of the next picture will need it
;
; Each piece is drawn once, in digits: 0 the square, 1 the outline, 2 the body, 3 its
; shaded side. Macros make the pages of both sides on squares of five colours.

WIDE    equ 12          ; words in a row
TALL    equ 12          ; rows

; Colours: two bits each of blue, green and red; hSync and vSync stay high.
BLACK   equ %11_000000
GREY    equ %11_010101
SILVER  equ %11_101010
WHITE   equ %11_111111
CREAM   equ %11_101111
GREEN   equ %11_011001
SKY     equ %11_111001
GOLD    equ %11_001011
LIME    equ %11_011110
NAVY    equ %11_010000

; A pixel, by its digit.
macro pixel(digit)
        if ((digit) & 3) == 0
        ld back0,out
        elif ((digit) & 3) == 1
        ld back1,out
        elif ((digit) & 3) == 2
        ld back2,out
        else
        ld back3,out
        endif
endm

; A row: its seven digits. 12 words, 12 clocks.
macro art(digits)
        clock 0, rebase
        ld back0,out,x++
        ld [x]
        repeat 7, i
        pixel (digits) >> (24 - 4 * i)
        endr
        ld back0,out
        clock 10, end
        jmp y,[row]
        ld ac,y
endm

; The shapes.

macro empty()
        repeat TALL
        art $0000000
        endr
endm

macro pawn()
        art $0000000
        art $0000000
        art $0000000
        art $0011100
        art $0122310
        art $0122310
        art $0012100
        art $0012100
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

macro knight()
        art $0000000
        art $0010100
        art $0121210
        art $0122231
        art $1212231
        art $1222231
        art $1113231
        art $0012231
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

macro bishop()
        art $0001000
        art $0012100
        art $0122310
        art $1221231
        art $1212231
        art $1222231
        art $0122310
        art $0012100
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

macro rook()
        art $0000000
        art $0000000
        art $1110111
        art $1211131
        art $1222231
        art $0122310
        art $0122310
        art $0122310
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

macro queen()
        art $0001000
        art $1012101
        art $1101011
        art $1211131
        art $1221231
        art $1222231
        art $0122310
        art $0012100
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

macro king()
        art $0001000
        art $0011100
        art $0001000
        art $0112110
        art $1221231
        art $1222231
        art $1222231
        art $0122310
        art $0122310
        art $1222231
        art $1111111
        art $0000000
endm

; A page with a shape on a square, in the colours of a side.
macro picture(shape, square, outline, body, shade)
        align 256
back0   set square
back1   set outline
back2   set body
back3   set shade
        shape
endm

; The 16 pages of a square's colour, in the order of the column `code`: page of an
; empty one, six white pieces, two pages free, six black ones, and one free.
macro pieces(square)
        picture empty, square, 0, 0, 0
        foreach shape, pawn, knight, bishop, rook, queen, king
        picture shape, square, BLACK, WHITE, SILVER
        endr
        ds 512
        foreach shape, pawn, knight, bishop, rook, queen, king
        picture shape, square, BLACK, GREY, BLACK
        endr
        ds 256
endm

        section sprites in rom align=256
sprites:
        pieces CREAM            ; light squares
        pieces GREEN            ; dark squares
        pieces SKY              ; the cursor's
        pieces GOLD             ; the chosen piece's
        pieces LIME             ; from where and to where the last move went

; ---- letters ------------------------------------------------------------------------

; A row of a letter: its seven bits.
macro ink(bits)
        clock 0, rebase
        ld NAVY,out,x++
        ld [x]
        repeat 7, i
        ld (bits) >> (6 - i) & 1 ? WHITE : NAVY,out
        endr
        ld NAVY,out
        clock 10, end
        jmp y,[row]
        ld ac,y
endm

macro letterA()
        ink %0000000
        ink %0011100
        ink %0110110
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1111111
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterC()
        ink %0000000
        ink %0011110
        ink %0110011
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %0110011
        ink %0011110
        ink %0000000
        ink %0000000
endm

macro letterD()
        ink %0000000
        ink %1111100
        ink %1100110
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100110
        ink %1111100
        ink %0000000
        ink %0000000
endm

macro letterE()
        ink %0000000
        ink %1111111
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1111100
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1111111
        ink %0000000
        ink %0000000
endm

macro letterH()
        ink %0000000
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1111111
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterI()
        ink %0000000
        ink %0111110
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro letterK()
        ink %0000000
        ink %1100011
        ink %1100110
        ink %1101100
        ink %1111000
        ink %1110000
        ink %1111000
        ink %1101100
        ink %1100110
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterL()
        ink %0000000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1100000
        ink %1111111
        ink %0000000
        ink %0000000
endm

macro letterM()
        ink %0000000
        ink %1100011
        ink %1110111
        ink %1111111
        ink %1101011
        ink %1101011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterN()
        ink %0000000
        ink %1100011
        ink %1110011
        ink %1110011
        ink %1111011
        ink %1101011
        ink %1101111
        ink %1100111
        ink %1100111
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterR()
        ink %0000000
        ink %1111100
        ink %1100110
        ink %1100011
        ink %1100110
        ink %1111100
        ink %1111000
        ink %1101100
        ink %1100110
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro letterS()
        ink %0000000
        ink %0111110
        ink %1100011
        ink %1100000
        ink %1100000
        ink %0111110
        ink %0000011
        ink %0000011
        ink %1100011
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro letterT()
        ink %0000000
        ink %1111111
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0001000
        ink %0000000
        ink %0000000
endm

macro letterV()
        ink %0000000
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0110110
        ink %0110110
        ink %0011100
        ink %0001000
        ink %0000000
        ink %0000000
endm

macro letterW()
        ink %0000000
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1101011
        ink %1101011
        ink %1111111
        ink %1110111
        ink %1100011
        ink %0000000
        ink %0000000
endm

macro digit1()
        ink %0000000
        ink %0001100
        ink %0011100
        ink %0111100
        ink %0001100
        ink %0001100
        ink %0001100
        ink %0001100
        ink %0001100
        ink %0111111
        ink %0000000
        ink %0000000
endm

macro digit2()
        ink %0000000
        ink %0111110
        ink %1100011
        ink %0000011
        ink %0000011
        ink %0001110
        ink %0011000
        ink %0110000
        ink %1100000
        ink %1111111
        ink %0000000
        ink %0000000
endm

macro digit3()
        ink %0000000
        ink %0111110
        ink %1100011
        ink %0000011
        ink %0000011
        ink %0011110
        ink %0000011
        ink %0000011
        ink %1100011
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro digit4()
        ink %0000000
        ink %0000110
        ink %0001110
        ink %0011110
        ink %0110110
        ink %1100110
        ink %1111111
        ink %0000110
        ink %0000110
        ink %0000110
        ink %0000000
        ink %0000000
endm

macro digit5()
        ink %0000000
        ink %1111111
        ink %1100000
        ink %1100000
        ink %1111110
        ink %0000011
        ink %0000011
        ink %0000011
        ink %1100011
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro digit6()
        ink %0000000
        ink %0011110
        ink %0110000
        ink %1100000
        ink %1111110
        ink %1100011
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro digit7()
        ink %0000000
        ink %1111111
        ink %0000011
        ink %0000110
        ink %0000110
        ink %0001100
        ink %0001100
        ink %0011000
        ink %0011000
        ink %0011000
        ink %0000000
        ink %0000000
endm

macro digit8()
        ink %0000000
        ink %0111110
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0111110
        ink %1100011
        ink %1100011
        ink %1100011
        ink %0111110
        ink %0000000
        ink %0000000
endm

macro blank()
        repeat TALL
        ink 0
        endr
endm

; A page for each: `pageA`, `page1`, `pageblank`.
macro letter(name, shape)
        align 256
page##name:
        shape
endm

        section letters in rom align=256
        foreach n, 1, 2, 3, 4, 5, 6, 7, 8
        letter n, digit##n
        endr
        foreach name, A, C, D, E, H, I, K, L, M, N, R, S, T, V, W
        letter name, letter##name
        endr
        letter blank, blank
