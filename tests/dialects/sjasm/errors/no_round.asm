 db @#
