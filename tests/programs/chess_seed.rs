//! The 1K chess, built by scrimp and played with keys on the simulated machine, with
//! our firmware: what the screen shows is compared with the referee's board.

use crate::common::random::Random;
use crate::referee::{EMPTY, Move, Position, price};
use scrimp_isa::Simulation;
use scrimp_isa::machine::Media;
use std::process::Command;
use std::sync::LazyLock;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const FRAME: u64 = 65_000;
const D_FILE: u64 = 0x400C;
/// First byte of the program after the system variables.
const PRBUFF: u64 = 0x403C;
/// Most frames the computer may take for its move.
const PATIENCE: u32 = 25;

fn build(program: &str, format: &str) -> Vec<u8> {
    let root = env!("CARGO_MANIFEST_DIR");
    let out = format!("{}/chess-{program}.{format}", env!("CARGO_TARGET_TMPDIR"));
    let done = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(["build", &format!("{root}/programs/{program}")])
        .args(["-o", &out, "--emit", format])
        .output()
        .expect("scrimp runs");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    std::fs::read(out).expect("the file was written")
}

static PROGRAM: LazyLock<Vec<u8>> = LazyLock::new(|| build("zx81-chess-seed", "p"));
static FIRMWARE: LazyLock<Vec<u8>> = LazyLock::new(|| build("zx81-firmware", "bin"));

struct Game(Box<dyn Simulation>);

impl Game {
    /// The machine a second after the program was loaded.
    fn new() -> Game {
        let target = scrimp::targets::by_name("z80").expect("the target");
        let machine = target
            .machines()
            .iter()
            .find(|m| m.name() == "zx81-1k")
            .expect("the machine");
        let media = Media {
            program: PROGRAM.clone(),
            container: "p".into(),
            ..Media::default()
        };
        let mut game = Game(machine.start(&media, &FIRMWARE).expect("it starts"));
        game.frames(50);
        game
    }

    fn copy(&self) -> Game {
        Game(self.0.snapshot())
    }

    fn frames(&mut self, n: u32) {
        self.0.run(u64::from(n) * FRAME);
    }

    /// Types keys, each for two frames and the next one at once.
    fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            let name = key.to_string();
            self.0.key(&name, true).expect("a key of the machine");
            self.frames(2);
            self.0.key(&name, false).expect("a key of the machine");
        }
    }

    /// Screen row of rank 8.
    fn top(&self) -> usize {
        let screen = self.0.screen();
        let row = screen.text.iter().position(|row| row.starts_with("8▒"));
        row.expect("a board on the screen")
    }

    /// The position on the screen. Inverse letters are Black.
    fn position(&self) -> Position {
        let (screen, top) = (self.0.screen(), self.top());
        let mut board = [[EMPTY; 8]; 8];
        for (rank, row) in board.iter_mut().rev().enumerate() {
            let text: Vec<char> = screen.text[top + rank].chars().collect();
            assert_eq!(text[0], char::from(b'8' - rank as u8), "rank number");
            for (file, square) in row.iter_mut().enumerate() {
                let inverse = screen.inverse[top + rank][file + 2];
                *square = match text[file + 2] {
                    ' ' => EMPTY,
                    c if inverse => c.to_ascii_lowercase() as u8,
                    c => c as u8,
                };
            }
        }
        Position(board)
    }

    fn address(&self, file: usize, rank: usize) -> u64 {
        let mut at = u64::from(self.0.peek(D_FILE)) | u64::from(self.0.peek(D_FILE + 1)) << 8;
        for _ in 0..self.top() + 7 - rank {
            at += 1;
            while self.0.peek(at) != 0x76 {
                at += 1;
            }
        }
        at + 3 + file as u64
    }

    fn set(&mut self, position: &Position) {
        for (rank, row) in position.0.iter().enumerate() {
            for (file, &piece) in row.iter().enumerate() {
                let code = match piece {
                    EMPTY => 0,
                    p if p.is_ascii_uppercase() => p - b'A' + 0x26,
                    p => p - b'a' + 0xA6,
                };
                self.0.poke(self.address(file, rank), code);
            }
        }
    }

    /// Runs until the screen shows a position and a little on; the frames it took.
    fn until(&mut self, position: &Position) -> Option<u32> {
        for n in 0..PATIENCE {
            if self.position() == *position {
                self.frames(3);
                return (self.position() == *position).then_some(n);
            }
            self.frames(1);
        }
        None
    }

    /// Whether a word stands on the screen, normal or inverse.
    fn shows(&self, word: &str) -> bool {
        self.0.screen().text.iter().any(|row| row.contains(word))
    }

    /// What is shown of the keys of a move: a star before what is inverse.
    fn entry(&self) -> String {
        let (screen, row) = (self.0.screen(), self.top() + 8);
        let mut out = String::new();
        for (row, column) in [(row, 0), (row, 1), (row + 1, 0), (row + 1, 1)] {
            out.push_str(if screen.inverse[row][column] { "*" } else { "" });
            out.extend(screen.text[row].chars().nth(column));
        }
        out
    }

    /// The program's memory but for the 64 squares and the cells that show keys.
    fn rest(&self) -> Vec<u8> {
        let mut squares: Vec<u64> = (0..64).map(|n| self.address(n % 8, n / 8)).collect();
        let a1 = self.address(0, 0);
        squares.extend([9, 10, 20, 21].map(|n| a1 + n));
        let end = 0x4009 + PROGRAM.len() as u64;
        (PRBUFF..end)
            .filter(|at| !squares.contains(at))
            .map(|at| self.0.peek(at))
            .collect()
    }
}

/// Positions by chance.
struct Dice(Random);

impl Dice {
    /// A position out of a game of random moves, made thinner in some ways.
    fn position(&mut self) -> Position {
        let mut position = Position::new(START);
        for ply in 0..2 * self.0.below(60) {
            let moves = position.moves(ply % 2 == 0);
            if moves.is_empty() {
                break;
            }
            let next = position.play(self.0.pick(&moves));
            if !next.has(b'k') || !next.has(b'K') {
                break;
            }
            position = next;
        }
        let (no_king, few_white, few_black) = (
            self.0.below(3) > 0,
            self.0.below(2) == 0,
            self.0.below(3) == 0,
        );
        for square in position.0.as_flattened_mut() {
            let gone = match square {
                b'K' => no_king,
                b'A'..=b'Z' => few_white && self.0.below(8) > 0,
                b'k' | b'p' => false,
                _ => few_black,
            };
            if gone {
                *square = EMPTY;
            }
        }
        position
    }
}

/// The move that README.md promises: the dearest victim (a bishop before a knight),
/// then the order of the sources, directions and distances.
fn promised(position: &Position) -> Option<Move> {
    const ROYAL: [(i8, i8); 8] = [
        (0, -1),
        (-1, 0),
        (1, 0),
        (0, 1),
        (-1, -1),
        (1, -1),
        (1, 1),
        (-1, 1),
    ];
    const ROOK: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, -1), (0, 1)];
    const KNIGHT: [(i8, i8); 8] = [
        (-1, -2),
        (1, -2),
        (-2, -1),
        (2, -1),
        (2, 1),
        (-2, 1),
        (1, 2),
        (-1, 2),
    ];
    let key = |m: &Move| {
        let victim = position.at(m.to).expect("on the board");
        let piece = position.at(m.from).expect("on the board");
        let (dx, dy) = (m.to.0 - m.from.0, m.to.1 - m.from.1);
        let far = dx.abs().max(dy.abs());
        let way = (dx.signum(), dy.signum());
        let direction = match piece {
            b'n' => KNIGHT.iter().position(|&s| s == (dx, dy)),
            b'r' => ROOK.iter().position(|&s| s == way),
            _ => ROYAL.iter().position(|&s| s == way),
        };
        (
            (std::cmp::Reverse(price(victim)), victim),
            (m.from.1, -m.from.0),
            direction.expect("a direction of the piece"),
            if piece == b'p' { -far } else { far },
        )
    };
    position.moves(false).into_iter().min_by_key(key)
}

#[test]
fn the_referee_knows_the_numbers_of_moves() {
    for (fen, white, counts) in [
        (START, true, [20, 400, 8902]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
            true,
            [46, 1870, 87218],
        ),
    ] {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(
                Position::new(fen).lines(white, depth),
                count,
                "{fen} {depth}"
            );
        }
    }
}

#[test]
fn the_board_is_there_before_the_first_key() {
    let game = Game::new();
    assert_eq!(game.position(), Position::new(START));
    let (screen, top) = (game.0.screen(), game.top());
    assert!(screen.text[top + 8].starts_with("A▒ABCDEFGH"));
    assert!(!game.shows("WIN") && !game.shows("LOSE"));
    // Knights on rank 1 look at these three, which are no squares.
    for at in 0x4000..=0x4002 {
        let code = game.0.peek(at);
        let squares = [0, 0x27, 0x30, 0x33, 0x35, 0x36, 0x37];
        assert!(!squares.contains(&code), "${at:04X} holds ${code:02X}");
    }
}

#[test]
fn black_plays_the_best_capture() {
    let start = Game::new();
    let rest = start.rest();
    let mut dice = Dice(Random(0x5EED));
    let (mut captures, mut quiet, mut ends, mut promotions, mut doubles) = (0, 0, 0, 0, 0);
    for n in 0..600 {
        let before = dice.position();
        let moves = before.moves(true);
        if moves.is_empty() {
            continue;
        }
        let white = dice.0.pick(&moves);
        let after = before.play(white);
        let won = before.at(white.to) == Some(b'k');
        let black = if won { None } else { promised(&after) };
        let best = after.moves(false).iter().map(|&m| after.gain(m)).max();
        let expected = black.map_or(after.clone(), |m| after.play(m));

        let mut game = start.copy();
        game.set(&before);
        game.keys(&white.to_string());
        let took = game.until(&expected);
        assert!(
            took.is_some(),
            "position {n}\n{before}{white}, then {black:?}\n{expected}but shows\n{}",
            game.position()
        );
        assert_eq!(game.rest(), rest, "position {n}: only squares change");
        let lost = black.is_some_and(|m| after.at(m.to) == Some(b'K'));
        assert_eq!(game.shows("WIN"), won, "position {n}");
        assert_eq!(game.shows("LOSE"), lost, "position {n}");
        if let Some(m) = black {
            assert_eq!(Some(after.gain(m)), best, "position {n}: {m}");
            let pawn = after.at(m.from) == Some(b'p');
            captures += u32::from(after.gain(m) > 0);
            quiet += u32::from(after.gain(m) == 0);
            promotions += u32::from(pawn && m.to.1 == 0);
            doubles += u32::from(pawn && m.from.1 - m.to.1 == 2);
        }
        ends += u32::from(won || lost);
    }
    let seen = [captures, quiet, ends, promotions, doubles];
    assert!(
        captures >= 100 && quiet >= 50 && ends >= 10 && promotions >= 3 && doubles >= 2,
        "the positions are one-sided: {seen:?}"
    );
}

#[test]
fn a_game_goes_on_move_by_move() {
    let mut game = Game::new();
    let mut position = Position::new(START);
    let mut dice = Dice(Random(81));
    for n in 0..30 {
        let quiet = |m: &Move| position.at(m.to) != Some(b'k');
        let moves: Vec<Move> = position.moves(true).into_iter().filter(quiet).collect();
        let white = dice.0.pick(&moves);
        let after = position.play(white);
        let Some(black) = promised(&after) else { break };
        let lost = after.at(black.to) == Some(b'K');
        position = after.play(black);
        game.keys(&white.to_string());
        assert!(game.until(&position).is_some(), "move {n}: {white} {black}");
        if lost {
            assert!(game.shows("LOSE"));
            break;
        }
    }
}

#[test]
fn wrong_entries_are_dropped() {
    let start = Game::new();
    let first = Position::new(START);
    // An empty or Black source, a White target, keys that are no square.
    for keys in ["E3E4", "E7E5", "E2D2", "IJKZ", "9900", "E2I4", "E9"] {
        let mut game = start.copy();
        game.keys(keys);
        game.frames(PATIENCE);
        assert_eq!(game.position(), first, "{keys}");
    }
    let white = first.play(Move {
        from: (4, 1),
        to: (4, 3),
    });
    let expected = white.play(promised(&white).expect("a move"));
    for keys in ["E3E4E2E4", "E7E5E2E4", "E2D2E2E4", "IEJ29KE04", "EE22E44"] {
        let mut game = start.copy();
        game.keys(keys);
        assert!(
            game.until(&expected).is_some(),
            "{keys}\n{}",
            game.position()
        );
    }
}

/// After a slip the screen tells which key is awaited.
#[test]
fn the_keys_are_shown_and_what_is_awaited() {
    let start = Game::new();
    for (keys, shown) in [
        ("", "A▒▒▒"),
        ("E", "*E1▒▒"),
        ("1E", "*E1▒▒"),
        ("EZQ", "*E1▒▒"),
        ("E2", "*E*2A▒"),
        ("E29", "*E*2A▒"),
        ("E2B", "*E*2*B1"),
        // Dropped: the next key begins a move.
        ("E3", "A*3▒▒"),
        ("E2D2", "A*2*D*2"),
        ("E2D2B", "*B1*D*2"),
        ("E2E4", "A*2*E*4"),
    ] {
        let mut game = start.copy();
        game.keys(keys);
        game.frames(PATIENCE);
        assert_eq!(game.entry(), shown, "{keys}");
    }
    // A knight that could take the B of a file for a bishop does not.
    let mut game = start.copy();
    let position = Position::new("4k3/8/8/8/8/8/P7/4K1nn");
    game.set(&position);
    game.keys("A2A3");
    game.frames(PATIENCE);
    let after = position.play(Move {
        from: (0, 1),
        to: (0, 2),
    });
    assert_eq!(
        game.position(),
        after.play(promised(&after).expect("a move"))
    );
}

/// The figures of README.md's table are those that the tool counts.
#[test]
fn the_table_of_bytes_is_true() {
    let root = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{root}/programs/zx81-chess-seed/README.md"));
    let text = text.expect("the README");
    let row = |name: &str| -> u64 {
        let line = text.lines().find(|l| l.starts_with(&format!("| {name} |")));
        let line = line.unwrap_or_else(|| panic!("no row {name}"));
        let figure = line.split('|').nth(2).expect("a figure");
        figure.trim().trim_matches('*').parse().expect("a number")
    };
    let run = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
            .args(args)
            .arg(format!("{root}/programs/zx81-chess-seed"))
            .output()
            .expect("scrimp runs");
        String::from_utf8(out.stdout).expect("text")
    };
    let size = run(&["size"]);
    // The total of a section is the number before the percentage.
    let section = |name: &str| -> u64 {
        let line = size.lines().find(|l| {
            let mut words = l.split_whitespace();
            words.next() == Some(name) && l.ends_with('%') && words.count() == 7
        });
        let line = line.unwrap_or_else(|| panic!("no section {name}\n{size}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        words[words.len() - 3].parse().expect("a number")
    };
    let sum = |names: &[&str]| -> u64 { names.iter().map(|n| section(n)).sum() };
    let (code, tables) = (["input", "ending", "moves"], ["order", "steps"]);
    let rest = ["messages_above", "messages_below", "board"];
    for name in code.iter().chain(&tables).chain(&rest) {
        assert_eq!(row(&format!("`{name}`")), section(name), "{name}");
    }
    assert_eq!(row("**code**"), sum(&code));
    assert_eq!(row("**tables**"), sum(&tables));
    let without_board = sum(&code) + sum(&tables) + sum(&rest[..2]);
    assert_eq!(row("**code, tables and messages**"), without_board);
    let out = format!("{}/chess-table.p", env!("CARGO_TARGET_TMPDIR"));
    let said = run(&["build", "--emit", "p", "-o", &out]);
    let part = |what: &str| -> u64 {
        let (before, _) = said
            .split_once(what)
            .unwrap_or_else(|| panic!("{what}\n{said}"));
        let word = before.split_whitespace().last().expect("a number");
        word.parse().expect("a number")
    };
    assert_eq!(row("start code"), part(" start code"));
    let whole = without_board + section("board") + row("start code");
    assert_eq!(row("**the whole chess**"), whole);
    let file = PROGRAM.len() as u64;
    assert_eq!(row("**tape file**"), file);
    assert_eq!(row("other system variables"), file - whole);
    let head = format!(
        "{} bytes of code, {} of tables and {} for the\ntwo messages, {without_board} together; {whole}",
        sum(&code),
        sum(&tables),
        sum(&rest[..2])
    );
    assert!(text.contains(&head), "{head}");
}

#[test]
fn keys_may_overlap_and_be_held() {
    let mut game = Game::new();
    let mut key = |name: &str, down: bool| {
        game.0.key(name, down).expect("a key of the machine");
        game.frames(3);
    };
    // The next key goes down before the last one is up, and the last is held.
    for pair in ["E2", "2E", "E4"] {
        let (held, next) = pair.split_at(1);
        key(held, true);
        key(next, true);
        key(held, false);
    }
    // One more with the 4 still down would be the start of the next entry.
    game.frames(PATIENCE);
    let white = Position::new(START).play(Move {
        from: (4, 1),
        to: (4, 3),
    });
    let expected = white.play(promised(&white).expect("a move"));
    assert_eq!(game.position(), expected);
}

#[test]
fn a_taken_king_or_break_ends_it() {
    let start = Game::new();
    let end = |fen: &str, keys: &str| {
        let mut game = start.copy();
        game.set(&Position::new(fen));
        game.keys(keys);
        game.frames(PATIENCE);
        let shown = (game.shows("WIN"), game.shows("LOSE"));
        let position = game.position();
        // Nothing more happens, whatever is typed.
        game.keys("A2A3");
        game.frames(PATIENCE);
        assert_eq!(game.position(), position);
        assert_eq!((game.shows("WIN"), game.shows("LOSE")), shown);
        shown
    };
    let fen = "4k3/8/8/8/8/8/P4r2/4RK2";
    assert_eq!(end("4k3/8/8/8/8/8/P7/4RK2", "E1E8"), (true, false));
    assert_eq!(end(fen, "A2A4"), (false, true));
    let mut game = start.copy();
    game.0.key("SPACE", true).expect("a key");
    game.frames(5);
    assert!(game.shows("LOSE") && !game.shows("WIN"));
}
