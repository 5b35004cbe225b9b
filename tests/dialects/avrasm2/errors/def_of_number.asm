.def a = 16
