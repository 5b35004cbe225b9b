; atmega328p
; Shared rooms lie in the order of the linker's table of names.
	.comm alpha,1,1
	.comm beta,2,1
	.comm gamma,3
	.comm delta,9
	.comm epsilon,4,4
	.local zeta
	.comm zeta,2,1
	.comm eta,1
	.lcomm theta,5
	.text
	.word alpha, beta, gamma, delta, epsilon, zeta, eta, theta
	lds r16, alpha
	sts beta+1, r16
