//! Proves the lines of a ROM: `cargo run --release -p scrimp-gigatron --example lines ROM`.
use scrimp_gigatron::timing::{Contracts, lines};
use std::time::Instant;

fn main() {
    let file = std::env::args().nth(1).expect("a ROM");
    let bytes = std::fs::read(file).expect("it can be read");
    let words: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|c| u16::from_le_bytes([c[0], c[1]]))
        .collect();
    let start = Instant::now();
    let found = lines(&words, &Contracts::default(), 200);
    println!(
        "{} lines right, {} words in {:?}; bad lines of a frame: {:?}",
        found.good,
        found.words,
        start.elapsed(),
        found.frame
    );
    for b in found.bad.iter().take(40) {
        println!(
            "{:04x}: {} clocks, in a frame {:?}",
            b.at, b.period, b.frame
        );
    }
    println!("open {:x?}", &found.open[..found.open.len().min(20)]);
    println!("wild {:x?}", found.wild);
}
