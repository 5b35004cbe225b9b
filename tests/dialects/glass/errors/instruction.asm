 frobnicate 5
