	.echo "hi"
	.title "x"
	.list
	.nolist
	.page
	.export x
x:	.db 1
	.end
