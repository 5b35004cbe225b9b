	adc b
