	else
