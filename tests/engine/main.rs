//! The library from text to image: dialects, directives, layout, messages, promises.

#[path = "../common/mod.rs"]
mod common;

mod avr;
mod avrasm2;
mod check;
mod contracts;
mod device_files;
mod diagnostic;
mod dialects;
mod elf;
mod floors;
mod gas_avr;
mod gas_z80;
mod gigatron;
mod gigatron_bars;
mod grid;
mod improve;
mod items;
mod memo;
mod mutation;
mod native;
mod newcomers;
mod optimize;
mod optimize_avr;
mod optimize_gcc;
mod optimize_places;
mod optimize_random;
mod others_faults;
mod pages;
mod preprocess;
mod romtable;
mod run_both;
mod sdas;
mod session;
mod slices;
mod spaces;
mod tidy;
mod timing;
mod translate;
mod vcpu;
mod watched;
mod whole_lines;
mod whole_proof;
mod words;
mod z80;
