//! The shipped programs and boards, played through their keys, pins and screens.

#[path = "../common/mod.rs"]
mod common;
mod referee;

mod avr_board;
mod chess_seed;
mod ee476;
mod firmware;
mod gigatron_chess;
mod tiny_chess960;
mod tinyhouse;
mod tinyhouse_zx81;
mod zx81;
mod zx81_chess;
mod zx81_horne;
