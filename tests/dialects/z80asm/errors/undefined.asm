	db nowhere
