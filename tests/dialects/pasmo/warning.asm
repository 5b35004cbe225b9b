        .warning text ; with more
        db 1
