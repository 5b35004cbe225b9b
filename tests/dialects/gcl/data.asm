gcl0x
[def
`Hello,`world! ` `` `it's{a`comment}`x
#0 #255 #256 #-1 #<$1234 #$12 5# 300# -1#
] Text=
#>$1234 #>-1 ##$1234 ##-2 ##7 ##65535
_Here=* #_Here #<_Here #>_Here ##_Here #\Here #>\Here ##\Here
#@_Here #@_Here #@_There #_There #>_There ##_There #\There
_There=* Text
