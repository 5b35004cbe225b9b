 jp nowhere
 .end
