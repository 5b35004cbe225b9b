        include "nothere.inc"
