 local a
