 dw nothing
