 db #
