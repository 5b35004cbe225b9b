//! A position in the machine's tables, put there from outside: what `setup` must make of
//! it, thought out a second time.

use super::machine::Machine;
use super::tables::{NB, STEPS};

/// Slots that sliders share, the cheapest first, and those of knights.
const SLIDERS: [u8; 13] = [
    0x18, 0x20, 0x28, 0x30, 0x38, 0x40, 0x48, 0x50, 0x58, 0x60, 0x68, 0x70, 0x78,
];
const KNIGHTS: [u8; 5] = [0x5c, 0x64, 0x6c, 0x74, 0x7c];
/// The slots of each kind.
const SLOTS: [&[u8]; 7] = [
    &[],
    &[0x42, 0x4a, 0x52, 0x5a, 0x62, 0x6a, 0x72, 0x7a],
    &KNIGHTS,
    &SLIDERS,
    &SLIDERS,
    &SLIDERS,
    &[0x10],
];
const KNIGHT: [i16; 8] = [8, 12, 19, 21, -8, -12, -19, -21];

fn inside(page: i16) -> bool {
    let at = page - 0x1d;
    (0..78).contains(&at) && at % 10 < 8
}

/// Puts a position into all tables; the columns of empty squares get rubbish.
pub fn fill(m: &mut Machine, fen: &str) {
    m.put(fen);
    let mut pieces = Vec::new();
    for page in 0x08..=0x7f_u8 {
        let code = m.code_at(page);
        for column in NB.iter().chain(&["sliderw", "sliderb"]) {
            m.set_at(page, column, if code == 0 { 0xa5 } else { 0 });
        }
        m.set_at(page, "leaperw", 0);
        m.set_at(page, "leaperb", 0);
        m.set_at(page, "board", if code == 0x80 { 0x80 } else { 0 });
        if code != 0 && code != 0x80 {
            pieces.push((code & 7, code >> 3, page));
        }
    }
    // Cheapest first, as they get their slots.
    pieces.sort_by_key(|p| p.0);
    for side in 0..2 {
        let mut head = 0x80;
        for &(kind, _, square) in pieces.iter().filter(|p| p.1 == side) {
            let free = |&&slot: &&u8| {
                (0x1d..=0x6a).all(|p| !inside(p) || m.at(p as u8, "board") != slot | side)
            };
            let slot = SLOTS[usize::from(kind)].iter().find(free);
            let piece = slot.expect("a free slot") | side;
            m.set_at(square, "board", piece);
            m.set_at(piece, "loc", square);
            m.set_at(piece, "kind", kind);
            let slides = [0, 0, 0, 0xf0, 0x0f, 0xff, 0][usize::from(kind)];
            m.set_at(piece, "slides", slides);
            // Before all those that are cheaper.
            m.set_at(piece, "next", head);
            if head != 0x80 {
                m.set_at(head, "prev", piece);
            }
            head = piece;
        }
        // What is not on the board is free.
        for (cell, slots) in [("freesl", &SLIDERS[..]), ("freekn", &KNIGHTS[..])] {
            let mut at = None;
            m.cpu.poke(m.value(cell) + u16::from(side), 0x80);
            for slot in slots.iter().map(|s| s | side) {
                if (0x1d..=0x6a).any(|p| inside(p) && m.at(p as u8, "board") == slot) {
                    continue;
                }
                match at.replace(slot) {
                    None => m.cpu.poke(m.value(cell) + u16::from(side), slot),
                    Some(before) => m.set_at(before, "next", slot),
                }
                m.set_at(slot, "next", 0x80);
            }
        }
    }
    // From six sliders of a side on, one without a bit may come.
    let crowd = |side| {
        pieces
            .iter()
            .filter(|p| p.1 == side && (3..6).contains(&p.0))
            .count()
            > 5
    };
    m.set("spares", if crowd(0) || crowd(1) { 0x80 } else { 0 });
    maps(m);
    let side = m.cell("side");
    for (own, opp, white) in [("owns", "opps", "sliderw"), ("ownl", "oppl", "leaperw")] {
        let white = m.value(white) as u8;
        m.set(own, white ^ side);
        m.set(opp, white ^ side ^ 1);
    }
    m.set("fp", m.value("root") as u8);
}

fn maps(m: &mut Machine) {
    for page in (0x1d..=0x6a).filter(|&p| inside(p)) {
        let piece = m.at(page as u8, "board");
        if piece == 0 {
            continue;
        }
        let (bit, slides) = (m.at(piece, "bit"), m.at(piece, "slides"));
        let leaper = ["leaperw", "leaperb"][usize::from(piece & 1)];
        let slider = ["sliderw", "sliderb"][usize::from(piece & 1)];
        let attacks: Vec<(i16, u8)> = match (m.at(piece, "kind"), piece & 1) {
            (1, 0) => vec![(11, 2), (9, 1)],
            (1, _) => vec![(-9, 2), (-11, 1)],
            (2, _) => KNIGHT.iter().map(|&s| (s, bit)).collect(),
            (6, _) => STEPS.iter().map(|&s| (s, bit)).collect(),
            _ => vec![],
        };
        for (step, bit) in attacks {
            let at = (page + step) as u8;
            let old = m.at(at, leaper);
            m.set_at(at, leaper, old | bit);
        }
        for (d, step) in STEPS.iter().enumerate() {
            let mut at = page + step;
            while m.at(at as u8, "board") == 0 {
                at += step;
            }
            // The two ends of the ray know each other.
            m.set_at(page as u8, NB[d], at as u8);
            m.set_at(at as u8, NB[d ^ 2], page as u8);
            if slides >> d & 1 == 1 {
                let old = m.at(at as u8, slider);
                m.set_at(at as u8, slider, old | 1 << d);
            }
        }
    }
}
