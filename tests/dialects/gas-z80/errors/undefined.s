	jp nowhere
