 print nothing_there
