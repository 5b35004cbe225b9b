        .db "text
