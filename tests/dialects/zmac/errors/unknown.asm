 mvx a,5
