 db x{
