	include "nothere.inc"
