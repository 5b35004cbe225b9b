 endif
