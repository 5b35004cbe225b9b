	sll a
