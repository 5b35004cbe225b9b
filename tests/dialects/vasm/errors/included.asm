 include "missing.inc"
