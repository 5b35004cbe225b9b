 org 0
 jp nowhere
