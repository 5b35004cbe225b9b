 push a
