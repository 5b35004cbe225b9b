; Memory ends at $FFFF.
 device zxspectrum48
 org $8000
 dw {$ffff}
