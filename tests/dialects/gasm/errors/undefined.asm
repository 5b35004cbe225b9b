 LDI nowhere
