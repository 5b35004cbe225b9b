 jp x
