	.text
	.word gs(end), gs(last)
end:	ret
