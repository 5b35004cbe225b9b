; labels of a place: $$x, .x, - and +
	cpu	z80
first:	nop
$$a:	djnz	$$a
.b:	jr	.b
second:	nop
$$a:	djnz	$$a
.b:	jr	.b
-	djnz	-
	jr	nz,+
	nop
+	jr	++
-	jr	--
+	jr	-
/	jr	-
	jr	+
/	nop
+	ret
	jp	-
