; HIGH and LOW take everything up to the next comma
        db high 1234h, low 1234h, high 12ffh+1, (high 1234h)+1, low high 1234h, high 1000h or 234h
