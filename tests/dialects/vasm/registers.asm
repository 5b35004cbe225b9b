; Names that are words elsewhere.
hx: db 1
xh equ 5
low: db low-hx
high = 3
mod: ld a,xh
 ld b,high
and: dw and,mod,not
not: ld hl,(and)
defined equ 1
if: db defined
 jp if
end1: db 2
include: dw include
