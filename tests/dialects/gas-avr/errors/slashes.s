	nop // only the preprocessor knows this comment
