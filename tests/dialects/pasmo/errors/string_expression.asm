        db "ab"+1
