; A script in a file of its own runs in the first pass.
        includelua "include.lua"
        org 0
        lua allpass
            from_file("ab")
            from_file("c")
        endlua
        db twice_of_it
