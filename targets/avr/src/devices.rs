//! The parts: what each has, from the data files in `devices/`.
