#include "part.inc" ;; a remark
	.dw inpart
	.end
