 jp nowhere
