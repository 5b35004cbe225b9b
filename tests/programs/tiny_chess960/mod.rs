//! Chess960 on the ATtiny84: its routines called from here, and the device worked by its
//! pads and read from its display.

mod arrays;
mod core;
mod device;
mod games;
mod matches;
mod model;
mod opponent;
mod perft;
mod power;
mod record;
mod rules;
mod screen;
mod strength;
