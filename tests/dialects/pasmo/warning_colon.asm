; A message may begin with a colon; the word before it is no label.
    nop
    .warning : said
    .WARNING: said
x:  .warning : a : b
    dw x
