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
        ld ac,y                 ; (slot)
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
; empty one, six white pieces, two of no piece, six black ones, and one of no piece. They
; are empty squares too, so that any code has a picture that takes its clocks.
macro pieces(square)
        picture empty, square, 0, 0, 0
        foreach shape, pawn, knight, bishop, rook, queen, king
        picture shape, square, BLACK, WHITE, SILVER
        endr
        picture empty, square, 0, 0, 0
        picture empty, square, 0, 0, 0
        foreach shape, pawn, knight, bishop, rook, queen, king
        picture shape, square, BLACK, GREY, BLACK
        endr
        picture empty, square, 0, 0, 0
endm

        section sprites in rom align=256
sprites:
        pieces CREAM            ; light squares
        pieces GREEN            ; dark squares
        pieces SKY              ; the cursor's
        pieces GOLD             ; the chosen piece's
        pieces LIME             ; from where and to where the last move went

; The page that ends a row of pictures is the black margin: from there the beam goes on
; to what comes next. AC = lines to draw of this row of pixels.
        align 256
lineend:
        repeat TALL
        clock 164, rebase
        ld BLACK,out            ; 164
        ld hi(ended),y
        jmp y,ended
        ld [again]              ; (slot)
        ds WIDE - 4
        endr

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
        ld ac,y                 ; (slot)
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

; The same once more, without a name.
macro another(shape)
        align 256
        shape
endm

; A page that is not used.
macro nobody()
        align 256
        ds 256
endm

; Four of the pieces that a pawn may become: the queen, or the rook, and so on, of both
; sides, in the rows where the user's choice is a knight, a bishop, a rook, a queen.
macro choices(shape, kind)
        repeat 4, i
        if i + 2 == kind
square  set GOLD
        else
square  set GREEN
        endif
        picture shape, square, BLACK, WHITE, SILVER
        picture shape, square, BLACK, GREY, BLACK
        endr
endm

        section letters in rom
        org (128 - 45 - 8) * 256        ; so that MATED and DRAWN are in the upper half
        foreach n, 1, 2, 3, 4, 5, 6, 7, 8
        letter n, digit##n
        endr

; Messages stand in columns: eight pages farther down is the next letter of the same
; one. So a message is the page of its first letter. From left to right:
;
;   nothing, THINK, the two kings, _, MATE, CHECK, DRAW, and in the upper half
;   four pieces for each choice, of white and of black
        align 256
messages:
        nobody
        letter K, letterK
        picture king, GREEN, BLACK, WHITE, SILVER
        picture king, GREEN, BLACK, GREY, BLACK
        nobody
        nobody
        another letterK
        nobody

        another blank
        letter N, letterN
        repeat 3
        nobody
        endr
        letter E, letterE
        letter C, letterC
        letter W, letterW

        another blank
        letter I, letterI
        repeat 3
        nobody
        endr
        letter T, letterT
        another letterE
        letter A, letterA

        another blank
        letter H, letterH
        repeat 3
        nobody
        endr
        another letterA
        another letterH
        letter R, letterR

        another blank
        another letterT
        repeat 3
        nobody
        endr
        letter M, letterM
        another letterC
        letter D, letterD

        letter blank, blank
        repeat 7
        another blank
        endr
        choices knight, 2
        choices bishop, 3
        choices rook, 4
        choices queen, 5

NOTHING equ hi(messages) + 40
THINKS  equ hi(messages) + 33
KINGS   equ hi(messages) + 2
CHECKS  equ hi(messages) + 38
MATED   equ hi(messages) + 45
DRAWN   equ hi(messages) + 47
        assert NOTHING < 128 && MATED >= 128, "messages that end a game are in the upper half"
CHOICES equ hi(messages) + 68   ; with twice the kind and the side: a queen's page
