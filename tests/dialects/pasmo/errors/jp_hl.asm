        jp hl
