//! Tic-tac-toe: rows, games by the keys, and a machine that never loses.

use super::Random;
use super::device::{BLACK, Device, HALF, OPTIONS, SIDE, U, WHITE};
use scrimp_isa::Simulation;
use std::collections::{BTreeMap, BTreeSet};

/// What is in cells 1 to 9: 0, 1 for X, 2 for O.
type Cells = [u8; 9];

const ROWS: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

fn has_row(cells: &Cells, player: u8) -> bool {
    ROWS.iter()
        .any(|row| row.iter().all(|&c| cells[c] == player))
}

fn marks(cells: &Cells) -> usize {
    cells.iter().filter(|&&c| c != 0).count()
}

/// X after an even number of marks.
fn player(cells: &Cells) -> u8 {
    1 + (marks(cells) % 2) as u8
}

fn over(cells: &Cells) -> bool {
    has_row(cells, 1) || has_row(cells, 2) || marks(cells) == 9
}

fn square(cell: usize) -> u8 {
    (cell / 3 * 16 + cell % 3) as u8
}

fn set_up(device: &mut Device, cells: &Cells) {
    for (cell, &mark) in cells.iter().enumerate() {
        device.set_cell(square(cell), [0, WHITE, BLACK][usize::from(mark)]);
    }
    device.set(HALF, marks(cells) as u8);
    let side = [WHITE, BLACK][marks(cells) % 2];
    device.set(SIDE, side);
}

/// All positions of games, with the number of ways to each.
fn all_positions() -> Vec<Cells> {
    let mut found = BTreeSet::from([[0; 9]]);
    let mut open = vec![[0; 9]];
    while let Some(cells) = open.pop() {
        if over(&cells) {
            continue;
        }
        for cell in (0..9).filter(|&c| cells[c] == 0) {
            let mut next = cells;
            next[cell] = player(&cells);
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found.into_iter().collect()
}

/// Games from here, counted one by one.
fn games(cells: &Cells, known: &mut BTreeMap<Cells, u64>) -> u64 {
    if over(cells) {
        return 1;
    }
    if let Some(&n) = known.get(cells) {
        return n;
    }
    let mut sum = 0;
    for cell in (0..9).filter(|&c| cells[c] == 0) {
        let mut next = *cells;
        next[cell] = player(cells);
        sum += games(&next, known);
    }
    known.insert(*cells, sum);
    sum
}

fn drawn(cells: &Cells) -> String {
    let mut text = String::from("  1 2 3\r\n");
    for row in 0..3 {
        text.push(char::from(b'1' + row as u8));
        for column in 0..3 {
            let mark = cells[row * 3 + column];
            text.push_str([" ", "X", "O"][usize::from(mark)]);
            text.push(' ');
        }
        text.push_str("\r\n");
    }
    text
}

const MENU: &str = "\r1 tic-tac-toe 2 chess\r\n";

/// What the screen shows in a position, from the board on.
fn screen(cells: &Cells) -> String {
    let to_move = ["X", "O"][marks(cells) % 2];
    let end = match cells {
        c if has_row(c, 1) => format!("X wins\r\n{MENU}"),
        c if has_row(c, 2) => format!("O wins\r\n{MENU}"),
        c if marks(c) == 9 => format!("draw\r\n{MENU}"),
        _ => String::new(),
    };
    format!("{}{to_move}{end}", drawn(cells))
}

#[test]
fn rows_are_found_in_every_position() {
    let all = all_positions();
    assert_eq!(all.len(), 5478);
    let mut device = Device::game('1', '1');
    for cells in &all {
        set_up(&mut device, cells);
        for (side, mark) in [(WHITE, 1), (BLACK, 2)] {
            device.set(SIDE, side);
            device.call("line", None, |_| ());
            let zero = device.0.cpu().sreg() & 2 != 0;
            assert_eq!(!zero, has_row(cells, mark), "{cells:?}");
        }
    }
}

/// Each cell offered in a position; the screen after it, or the LED.
fn offer(device: &Device, cells: &Cells) {
    for cell in 0..9 {
        let mut here = device.clone();
        set_up(&mut here, cells);
        here.key(char::from(b'1' + cell as u8));
        let text = here.text();
        if cells[cell] == 0 {
            let mut next = *cells;
            next[cell] = player(cells);
            let from = text.find("  1 2 3\r\n").expect("a board");
            assert_eq!(text[from..], screen(&next), "{cells:?} {cell}");
            assert_eq!(here.leds(), 0);
        } else {
            assert_eq!(text.len(), 1, "only the key: {text}");
            assert_eq!(here.leds(), 1);
        }
    }
}

#[test]
fn cells_by_the_keys() {
    let mut device = Device::game('1', '1');
    assert!(device.text().ends_with(&screen(&[0; 9])));
    let mut random = Random::new(7);
    let open: Vec<_> = all_positions().into_iter().filter(|c| !over(c)).collect();
    for _ in 0..25 {
        offer(&device, &random.pick(&open));
    }
}

/// A position is the same by whatever way it was reached: nothing but the nine cells,
/// the side and the number of marks is different, so these are all games.
#[test]
#[ignore = "nightly"]
fn nightly_all_games_by_the_keys() {
    assert_eq!(games(&[0; 9], &mut BTreeMap::new()), 255_168);
    let mut device = Device::game('1', '1');
    device.text();
    for cells in all_positions().iter().filter(|c| !over(c)) {
        offer(&device, cells);
    }
}

/// What the machine marks, by its own routine.
fn answer(device: &mut Device, cells: &Cells) -> usize {
    set_up(device, cells);
    device.call("solve", None, |_| ());
    let cell = device.register(U) & 0x3F;
    usize::from(cell / 16 * 3 + cell % 16)
}

/// All games against the machine; how many there are and how many it wins.
fn against(
    device: &mut Device,
    cells: &Cells,
    machine: u8,
    known: &mut BTreeMap<Cells, usize>,
) -> (u32, u32) {
    if over(cells) {
        let lost = has_row(cells, 3 - machine);
        assert!(!lost, "the machine has lost: {cells:?}");
        return (1, u32::from(has_row(cells, machine)));
    }
    let choice = if player(cells) == machine {
        let cell = match known.get(cells) {
            Some(&cell) => cell,
            None => answer(device, cells),
        };
        known.insert(*cells, cell);
        assert_eq!(cells[cell], 0);
        vec![cell]
    } else {
        (0..9).filter(|&c| cells[c] == 0).collect()
    };
    let mut sum = (0, 0);
    for cell in choice {
        let mut next = *cells;
        next[cell] = player(cells);
        let (games, wins) = against(device, &next, machine, known);
        sum = (sum.0 + games, sum.1 + wins);
    }
    sum
}

#[test]
fn the_machine_never_loses() {
    let mut device = Device::game('1', '1');
    for machine in [1, 2] {
        let (games, wins) = against(&mut device, &[0; 9], machine, &mut BTreeMap::new());
        println!("{games} games, {wins} won");
        assert!(wins > 0);
    }
}

#[test]
fn the_machine_answers_by_itself() {
    let mut device = Device::game('1', '3');
    device.text();
    device.tap('1', 80_000_000);
    let text = device.text();
    // A corner: only the middle holds.
    let want = screen(&[1, 0, 0, 0, 2, 0, 0, 0, 0]);
    assert!(text.ends_with(&want), "{text}");
    let shown = text.strip_suffix(&want).expect("the board");
    assert!(shown.trim_end().ends_with('5'), "its key: {text}");
    // All cells by their keys.
    for cell in 0..9 {
        let mut cells = [1, 2, 1, 1, 2, 2, 2, 1, 1];
        cells[cell] = 0;
        let mut device = Device::game('1', '1');
        set_up(&mut device, &cells);
        device.set(OPTIONS, 3);
        device.text();
        device.go("machine", "place", 80_000_000);
        device.0.run(20_000);
        let text = device.text();
        let want = char::from(b'1' + cell as u8);
        assert!(text.starts_with(want), "{cell}: {text}");
    }
    // Both by the machine: a draw.
    let mut device = Device::new();
    device.key('1');
    device.tap('4', 800_000_000);
    let text = device.text();
    assert!(
        text.ends_with(&format!("Xdraw\r\n{MENU}")) || text.ends_with(&format!("Odraw\r\n{MENU}")),
        "{text}"
    );
}
