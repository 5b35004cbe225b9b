	org 0
	nop
	end
	nonsense here
