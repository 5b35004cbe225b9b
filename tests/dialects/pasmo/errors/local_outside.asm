        local x1
