 db %
