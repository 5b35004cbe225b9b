        else
