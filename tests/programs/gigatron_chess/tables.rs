//! What the tables of a position must hold, worked out from the board alone.

use super::machine::Machine;

/// Steps by direction bit.
pub const STEPS: [i16; 8] = [10, 1, -10, -1, 11, -9, -11, 9];
const KNIGHT: [i16; 8] = [8, 12, 19, 21, -8, -12, -19, -21];
/// Columns of the neighbours, by direction bit.
pub const NB: [&str; 8] = ["nb", "nb1", "nb2", "nb3", "nb4", "nb5", "nb6", "nb7"];

/// Faults of a position's tables, in words; none if all is right.
pub fn faults(m: &Machine) -> Vec<String> {
    let mut out = Vec::new();
    let board = |page: i16| m.at(page as u8, "board");
    let inside = |page: i16| {
        let at = page - 0x1d;
        (0..78).contains(&at) && at % 10 < 8
    };
    for page in 0x08..=0x7f {
        if !inside(page) && board(page) != 0x80 {
            out.push(format!(
                "{page:02X} is off the board and holds {:02X}",
                board(page)
            ));
        }
    }
    // Lists and the board tell the same.
    let mut listed = 0;
    for side in 0..2 {
        let mut piece = 0x10 + side;
        for _ in 0..17 {
            let loc = m.at(piece, "loc");
            if board(i16::from(loc)) != piece {
                out.push(format!("piece {piece:02X} is not at {loc:02X}"));
            }
            listed += 1;
            let next = m.at(piece, "next");
            if next == 0x80 {
                break;
            }
            if m.at(next, "prev") != piece {
                out.push(format!("{next:02X} does not point back to {piece:02X}"));
            }
            if next & 1 != side {
                out.push(format!("{next:02X} is in the wrong list"));
            }
            piece = next;
        }
    }
    let on_board = (0x1d..=0x6a)
        .filter(|&p| inside(p) && board(p) != 0)
        .count();
    if listed != on_board {
        out.push(format!(
            "{listed} pieces in the lists, {on_board} on the board"
        ));
    }
    // Rays and maps.
    let ring = |page: i16| {
        let at = page - 0x1d + 11;
        (0..100).contains(&at)
    };
    for page in (0x08..=0x7f).filter(|&p| ring(p) && board(p) != 0) {
        let mut sliders = [0_u8; 2];
        for (d, step) in STEPS.iter().enumerate() {
            // Who comes here in direction d stands in the other one.
            let mut at = page - step;
            let mut file = (page - 0x1d + 11) % 10;
            let mut found = None;
            loop {
                // A ray ends where the ring of 10 by 10 does.
                let turn = ((step % 10 + 15) % 10) - 5;
                file -= turn;
                if !ring(at) || !(0..10).contains(&file) {
                    break;
                }
                if board(at) != 0 {
                    found = Some(at);
                    break;
                }
                at -= step;
            }
            let Some(found) = found else { continue };
            // Between two guards nothing moves.
            if board(page) == 0x80 && board(found) == 0x80 {
                continue;
            }
            let link = m.at(page as u8, NB[d ^ 2]);
            if i16::from(link) != found {
                let shown = NB[d ^ 2];
                out.push(format!(
                    "{shown} of {page:02X} is {link:02X}, not {found:02X}"
                ));
            }
            let piece = board(found);
            if piece != 0x80 && m.at(piece, "slides") >> d & 1 != 0 {
                sliders[usize::from(piece & 1)] |= 1 << d;
            }
        }
        for (side, column) in ["sliderw", "sliderb"].iter().enumerate() {
            let found = m.at(page as u8, column);
            if found != sliders[side] {
                let want = sliders[side];
                out.push(format!(
                    "{column} of {page:02X} is {found:02X}, not {want:02X}"
                ));
            }
        }
    }
    let mut leapers = [[0_u8; 2]; 128];
    for page in (0x1d..=0x6a).filter(|&p| inside(p) && board(p) != 0) {
        let piece = board(page);
        let side = usize::from(piece & 1);
        let bit = m.at(piece, "bit");
        let mut mark = |step: i16, bit: u8| leapers[(page + step) as usize][side] |= bit;
        match m.at(piece, "kind") {
            1 if side == 0 => {
                mark(11, 2);
                mark(9, 1);
            }
            1 => {
                mark(-9, 2);
                mark(-11, 1);
            }
            2 => KNIGHT.iter().for_each(|&s| mark(s, bit)),
            6 => STEPS.iter().for_each(|&s| mark(s, bit)),
            _ => {}
        }
    }
    for page in 0x08..=0x7f_u8 {
        for (side, column) in ["leaperw", "leaperb"].iter().enumerate() {
            let (found, want) = (m.at(page, column), leapers[usize::from(page)][side]);
            if found != want {
                out.push(format!(
                    "{column} of {page:02X} is {found:02X}, not {want:02X}"
                ));
            }
        }
    }
    out
}
