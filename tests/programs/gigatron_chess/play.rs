//! The game as a user plays it: with the buttons of the pad, by what the screen shows.

use super::machine::{LETTERS, Position, Program, name, square};
use super::rules::moves;
use super::shell::{Desk, FRAME};
use cozy_chess::{Board, GameStatus};
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::Button;
use std::path::Path;
use std::sync::LazyLock;

/// The program that ships, with picture and buttons.
pub static SHIPPED: LazyLock<Program> = LazyLock::new(|| whole(&[]));
/// The same with what hosts ask for.
pub static PLAYED: LazyLock<Program> = LazyLock::new(|| whole(&[("HOST", 1)]));

fn whole(defines: &[(&str, i64)]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/gigatron-chess");
    Program::of(&folder.join("program.asm"), defines)
}

/// Colours of squares, in the order of their pages.
const LIGHT: usize = 0;
const DARK: usize = 1;
const CURSOR: usize = 2;
const CHOSEN: usize = 3;
const MOVED: usize = 4;

/// Someone in front of the screen.
pub struct Player {
    pub desk: Desk,
    tiles: Vec<[[u8; 12]; 12]>,
}

impl Player {
    /// Switches on, and waits for the board.
    pub fn new() -> Self {
        Self::with(&SHIPPED)
    }

    fn with(program: &'static Program) -> Self {
        let desk = Desk::new(program);
        let first = desk.program.value("sprites") >> 8;
        let tiles = (0..80).map(|c| desk.tile((first + c) as u8)).collect();
        let mut player = Self { desk, tiles };
        player.wait(40);
        player
    }

    /// With two people at the pad: the machine plays no side.
    pub fn two() -> Self {
        Self::new().alone()
    }

    /// As [`Self::two`], with positions from a host.
    pub fn hosted() -> Self {
        Self::with(&PLAYED).alone()
    }

    fn alone(mut self) -> Self {
        self.both(Button::B, Button::Select);
        self
    }

    pub fn wait(&mut self, frames: u64) {
        self.desk.frames(frames);
    }

    /// Presses a button for a moment.
    pub fn press(&mut self, button: Button) {
        self.desk.button(button, true);
        self.wait(4);
        self.desk.button(button, false);
        self.wait(5);
    }

    /// Holds one and presses another.
    pub fn both(&mut self, held: Button, pressed: Button) {
        self.desk.button(held, true);
        self.wait(4);
        self.press(pressed);
        self.desk.button(held, false);
        self.wait(4);
    }

    /// What stands on a square of the screen and on what colour.
    fn look(&self, page: u8) -> (u8, usize) {
        let at = page - 0x1d;
        let seen = self
            .desk
            .shown(7 - usize::from(at / 10), usize::from(at % 10));
        let found = self.tiles.iter().position(|t| *t == seen);
        let found = found.unwrap_or_else(|| panic!("{} shows no picture of a square", name(page)));
        (LETTERS[found % 16], found / 16)
    }

    fn squares() -> impl Iterator<Item = u8> {
        (0..64).map(|i| 0x1d + i / 8 * 10 + i % 8)
    }

    /// Squares of that colour, by name.
    pub fn colored(&self, color: usize) -> Vec<String> {
        let squares = Self::squares().filter(|&s| self.look(s).1 == color);
        squares.map(name).collect()
    }

    /// The board on the screen, as in a FEN.
    pub fn board(&self) -> String {
        let mut out = String::new();
        for rank in (0..8).rev() {
            let line = (0..8).map(|file| char::from(self.look(0x1d + rank * 10 + file).0));
            let line: String = line.collect();
            out.push_str(&line);
            out.push('/');
        }
        out.pop();
        for n in (1..=8).rev() {
            out = out.replace(&".".repeat(n), &n.to_string());
        }
        out
    }

    /// The five letters below the board.
    pub fn message(&self) -> String {
        let read = |cell: usize| {
            let seen = self.desk.shown(8, cell);
            let letters = "ACDEHIKMNRTW".chars();
            let mut names = letters.map(|l| (l, format!("page{l}")));
            let page = |name: &str| (self.desk.program.value(name) >> 8) as u8;
            let found = names.find(|(_, name)| self.desk.tile(page(name)) == seen);
            found.map_or(' ', |(letter, _)| letter)
        };
        let text: String = (3..8).map(read).collect();
        text.trim().to_owned()
    }

    /// The level, beside the letters.
    pub fn level(&self) -> usize {
        let seen = self.desk.shown(8, 1);
        let first = (self.desk.program.value("page1") >> 8) as u8;
        let digit = (0..8).find(|&d| self.desk.tile(first + d) == seen);
        1 + usize::from(digit.expect("a digit"))
    }

    /// Moves the cursor to a square.
    pub fn point(&mut self, to: &str) {
        let to = square(to).expect("a square");
        for _ in 0..20 {
            let at = square(&self.colored(CURSOR)[0]).expect("a cursor");
            let split = |page: u8| ((page - 0x1d) % 10, (page - 0x1d) / 10);
            let ((file, rank), (file2, rank2)) = (split(at), split(to));
            let button = if file < file2 {
                Button::Right
            } else if file > file2 {
                Button::Left
            } else if rank < rank2 {
                Button::Up
            } else if rank > rank2 {
                Button::Down
            } else {
                return;
            };
            self.press(button);
        }
        panic!("the cursor does not come to {}", name(to));
    }

    /// Tries a move by hand.
    pub fn enter(&mut self, m: &str) {
        self.point(&m[..2]);
        self.press(Button::A);
        self.point(&m[2..4]);
        self.press(Button::A);
        self.wait(12);
    }

    /// A position from outside, as a host would put it there.
    pub fn position(&mut self, fen: &str) {
        let board = self.desk.program.value("board");
        let position = Position::of(fen);
        for (page, code) in position.codes {
            self.desk.cpu.poke(u16::from(page) << 8 | board, code);
        }
        for (cell, value) in position.cells {
            self.desk.set(cell, value);
        }
        self.desk.set("command", 1);
        self.wait(40);
        assert_eq!(self.desk.cell("command"), 0, "it is done");
    }
}

#[test]
fn the_board_is_set_up_and_the_cursor_moves() {
    let mut p = Player::new();
    assert_eq!(p.board(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    assert_eq!(p.colored(CURSOR), ["e2"]);
    assert_eq!(p.colored(LIGHT).len(), 31);
    assert_eq!(p.colored(DARK).len(), 32);
    for (button, to) in [
        (Button::Up, "e3"),
        (Button::Left, "d3"),
        (Button::Down, "d2"),
        (Button::Down, "d1"),
        (Button::Down, "d1"),
        (Button::Right, "e1"),
    ] {
        p.press(button);
        assert_eq!(p.colored(CURSOR), [to]);
    }
    // Held down it runs to the edge.
    p.desk.button(Button::Right, true);
    p.wait(60);
    p.desk.button(Button::Right, false);
    p.wait(4);
    assert_eq!(p.colored(CURSOR), ["h1"]);
    p.desk.assert_steady();
}

#[test]
fn two_people_play_to_mate_and_nothing_moves_then() {
    let mut p = Player::two();
    for m in ["f2f3", "e7e5", "g2g4"] {
        p.enter(m);
        assert_eq!(p.message(), "");
        let mut ends = vec![m[..2].to_owned(), m[2..].to_owned()];
        ends.retain(|s| !p.colored(CURSOR).contains(s));
        assert_eq!(p.colored(MOVED), ends);
    }
    p.enter("d8h4");
    assert_eq!(p.message(), "MATE");
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";
    assert_eq!(p.board(), mated);
    p.enter("e1f2");
    assert_eq!(p.board(), mated);
    // A new game.
    p.both(Button::B, Button::Start);
    p.wait(20);
    assert_eq!(p.board(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    assert_eq!(p.message(), "");
    p.desk.assert_steady();
}

#[test]
fn only_legal_moves_are_taken() {
    let mut p = Player::hosted();
    let start = p.board();
    // A pawn too far, a knight to its own pawn, a bishop through pawns, an enemy's piece.
    for m in ["e2e5", "b1d2", "f1b5", "e7e5", "e4e5"] {
        p.enter(m);
        assert_eq!(p.board(), start, "{m}");
        p.press(Button::B);
        assert_eq!(p.colored(CHOSEN), Vec::<String>::new());
    }
    // Taken, and put down again.
    p.point("e2");
    p.press(Button::A);
    p.press(Button::Up);
    assert_eq!(p.colored(CHOSEN), ["e2"]);
    p.press(Button::Down);
    p.press(Button::A);
    p.press(Button::Up);
    assert_eq!(p.colored(CHOSEN), Vec::<String>::new());
    // A pinned piece stays, a king does not go into check.
    p.position("4r1k1/8/8/8/7b/8/4B3/4K3 w - - 0 1");
    assert_eq!(p.message(), "CHECK");
    let board = p.board();
    for m in ["e2d3", "e1f2", "e2h5"] {
        p.enter(m);
        assert_eq!(p.board(), board, "{m}");
        p.press(Button::B);
    }
    p.enter("e1d2");
    assert_eq!(p.board(), "4r1k1/8/8/8/7b/8/3KB3/8");
    p.desk.assert_steady();
}

#[test]
#[ignore = "slow"]
fn slow_castling_en_passant_and_promotion() {
    let mut p = Player::hosted();
    p.position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    p.enter("e1g1");
    assert_eq!(p.board(), "r3k2r/8/8/8/8/8/8/R4RK1");
    // The rook looks at f8.
    p.enter("e8g8");
    assert_eq!(p.board(), "r3k2r/8/8/8/8/8/8/R4RK1");
    p.press(Button::B);
    p.enter("e8c8");
    assert_eq!(p.board(), "2kr3r/8/8/8/8/8/8/R4RK1");

    p.position("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    p.enter("e2e4");
    p.enter("d4e3");
    assert_eq!(p.board(), "4k3/8/8/8/8/4p3/8/4K3");

    p.position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    p.enter("a7b8");
    assert_eq!(p.board(), "1n2k3/P7/8/8/8/8/8/4K3", "the choice is to come");
    p.press(Button::B);
    p.enter("a7b8");
    // Queen, rook, bishop, knight, and no farther.
    for _ in 0..4 {
        p.press(Button::Right);
    }
    p.press(Button::Left);
    p.press(Button::A);
    p.wait(20);
    assert_eq!(p.board(), "1B2k3/8/8/8/8/8/8/4K3");
    p.desk.assert_steady();
}

/// With eight sliders there is a queen all the same, and she plays.
#[test]
fn a_ninth_slider_comes_and_plays() {
    let mut p = Player::hosted();
    p.position("8/1P6/6k1/8/8/2Q5/QB5Q/R1Q1KB1R w - - 0 1");
    p.enter("b7b8");
    p.press(Button::A);
    p.wait(20);
    assert_eq!(p.board(), "1Q6/8/6k1/8/8/2Q5/QB5Q/R1Q1KB1R");
    p.enter("g6f5");
    p.enter("b8f8");
    assert_eq!(p.board(), "5Q2/8/8/5k2/8/2Q5/QB5Q/R1Q1KB1R");
    p.desk.assert_steady();
}

#[test]
#[ignore = "slow"]
fn slow_draws_are_told() {
    let mut p = Player::hosted();
    // Stalemate.
    p.position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
    p.enter("g5g6");
    assert_eq!(p.message(), "DRAW");
    // Nothing left to mate with.
    p.position("4k3/8/8/8/8/8/3p4/4K1N1 w - - 0 1");
    p.enter("e1d2");
    assert_eq!(p.message(), "DRAW");
    // Fifty moves of both sides: the counter is put forward.
    p.position("r3k3/8/8/8/8/8/8/4K2R w - - 0 1");
    p.desk.set("since", 98);
    p.enter("h1h2");
    assert_eq!(p.message(), "");
    p.enter("a8a7");
    assert_eq!(p.message(), "DRAW");
    // The same position for the third time.
    p.both(Button::B, Button::Start);
    p.wait(20);
    for round in 0..2 {
        for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(p.message(), "", "{round} {m}");
            p.enter(m);
        }
    }
    assert_eq!(p.message(), "DRAW");
    // With a right to castle it was another position.
    p.position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for round in 0..2 {
        for m in ["e1e2", "e8e7", "e2e1", "e7e8"] {
            p.enter(m);
            assert_eq!(p.message(), "", "{round} {m}");
        }
    }
    p.enter("e1e2");
    assert_eq!(p.message(), "DRAW");
    // Two knights are too many, and a pawn is enough.
    for (fen, message) in [
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K1n1 w - - 0 1", "DRAW"),
        ("4k2b/8/8/8/8/8/8/4K3 w - - 0 1", "DRAW"),
        ("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", ""),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "DRAW"),
    ] {
        p.position(fen);
        assert_eq!(p.message(), message, "{fen}");
    }
    p.desk.assert_steady();
}

/// The label at or before an address, and how far it is from there.
fn place(program: &Program, at: u16) -> String {
    let symbols = program.image.symbols.iter();
    let below = symbols.filter(|s| (0..=i64::from(at)).contains(&s.value));
    let best = below.max_by_key(|s| s.value).expect("a label");
    format!("{}+{}", best.name, i64::from(at) - best.value)
}

#[test]
fn no_block_takes_more_or_less_than_it_is_charged() {
    let mut desk = Desk::new(&SHIPPED);
    let left = desk.program.value("left") as u8;
    let limit = i64::from(desk.program.value("LIMIT"));
    // Words of a `sync`: `ld [left]` and `blt`.
    let mut rom = desk.program.image.binary(0);
    rom.resize(0x2_0004, 0);
    let is_sync = |at: usize| rom[2 * at..2 * at + 3] == [0x01, left, 0xe8];
    let (mut fall, mut low, mut before) = (0, true, 0);
    let mut faults = std::collections::BTreeMap::new();
    // Once the video runs.
    desk.frames(1);
    let until = desk.cpu.now() + 20 * FRAME;
    while desk.cpu.now() < until {
        let (at, clock) = (desk.cpu.at(), desk.cpu.now());
        if fall != 0 && is_sync(usize::from(at)) {
            // The deadline is 186 clocks behind the edge, less LIMIT.
            let real = fall as i64 + 186 - limit - clock as i64;
            let told = i64::from(desk.cell("left") as i8);
            if told != real {
                faults.insert((before, at), real - told);
                // Put right, so that others show too.
                desk.set("left", real as u8);
            }
            before = at;
        }
        desk.cpu.step(&mut desk.console);
        let now = desk.cpu.register(Register::Out) & 0x40 == 0;
        if now && !low {
            fall = clock;
        }
        low = now;
    }
    let faults = faults.iter().map(|((from, to), by)| {
        let (from, to) = (place(desk.program, *from), place(desk.program, *to));
        format!("from {from} to {to}: off by {by}")
    });
    assert_eq!(faults.collect::<Vec<_>>(), Vec::<String>::new());
}

/// Types a character at the keyboard.
fn typed(p: &mut Player, code: u8) {
    p.desk.console.input.typed(code);
    p.wait(8);
}

impl Player {
    /// Frames until the machine has made its move.
    fn machine(&mut self) -> u64 {
        for frames in 0..3000 {
            if self.message() != "THINK" {
                self.wait(4);
                return frames;
            }
            self.wait(1);
        }
        panic!("it thinks for ever");
    }
}

#[test]
#[ignore = "slow"]
fn slow_the_machine_answers_in_the_time_of_its_level() {
    let mut p = Player::new();
    for (level, most) in [(1, 30), (2, 60), (3, 300), (4, 160), (5, 290)] {
        p.both(Button::B, Button::Start);
        p.wait(20);
        while p.level() != level {
            p.press(Button::Select);
        }
        p.enter("e2e4");
        let frames = p.machine();
        println!("level {level}: {frames} frames");
        assert!(frames <= most, "level {level}: {frames} frames");
        assert!(level < 4 || frames >= most / 4);
        assert_eq!(p.colored(MOVED).len(), 2, "a move");
        assert_eq!(p.colored(CURSOR), ["e4"]);
        p.desk.assert_steady();
    }
}

#[test]
fn the_machine_is_stopped_and_changes_sides() {
    let mut p = Player::new();
    while p.level() != 8 {
        p.press(Button::Select);
    }
    // It plays White from now on.
    p.press(Button::Start);
    p.wait(100);
    assert_eq!(p.message(), "THINK");
    let led = (0..16).map(|_| {
        p.wait(8);
        p.desk.console.leds()
    });
    let led: std::collections::BTreeSet<u8> = led.collect();
    assert!(led.iter().any(|&l| l != 0), "a LED says that it thinks");
    // Buttons other than B mean nothing meanwhile.
    for button in [Button::A, Button::Up, Button::Select, Button::Start] {
        p.press(button);
    }
    assert_eq!(p.message(), "THINK");
    p.press(Button::B);
    p.wait(20);
    assert_eq!(p.message(), "");
    assert_eq!(p.level(), 8);
    assert!(
        !p.colored(MOVED).is_empty(),
        "one of the squares may have the cursor"
    );
    // Black by hand, and it answers.
    p.enter("a7a6");
    p.wait(60);
    assert_eq!(p.message(), "THINK");
    p.press(Button::B);
    p.wait(20);
    assert_eq!(p.message(), "");
    p.desk.assert_steady();
}

#[test]
fn a_keyboard_does_as_well() {
    let mut p = Player::new();
    typed(&mut p, b'p');
    // Space and Enter are A.
    typed(&mut p, b' ');
    assert_eq!(p.colored(CHOSEN), Vec::<String>::new(), "under the cursor");
    p.press(Button::Up);
    assert_eq!(p.colored(CHOSEN), ["e2"]);
    p.press(Button::Up);
    typed(&mut p, 10);
    p.wait(20);
    assert_eq!(p.board(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let level = p.level();
    typed(&mut p, b'l');
    assert_eq!(p.level(), level + 1);
    p.point("d7");
    typed(&mut p, 127);
    p.press(Button::Down);
    assert_eq!(p.colored(CHOSEN), ["d7"]);
    typed(&mut p, 27);
    assert_eq!(p.colored(CHOSEN), Vec::<String>::new());
    for noise in *b"xQ7" {
        typed(&mut p, noise);
        assert_eq!(p.colored(CURSOR), ["d6"]);
    }
    typed(&mut p, b'n');
    p.wait(20);
    assert_eq!(p.board(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    p.desk.assert_steady();
}

#[test]
fn it_thinks_in_most_of_the_time() {
    let mut p = Player::new();
    while p.level() != 8 {
        typed(&mut p, b'l');
    }
    typed(&mut p, b's');
    p.wait(30);
    let (node, frames) = (usize::from(p.desk.program.value("node")), 60);
    // What executes outside of the shell, but for what tests the time: four words at
    // each block, and if it is late two in its stub and four more. Filler counts.
    let page = |name: &str| usize::from(p.desk.program.value(name) >> 8);
    let pictures = page("sprites")..=page("lineend");
    let letters = page("page1")..=page("messages") + 72 + 7;
    let mut shell = [false; 256];
    for at in pictures.chain(letters).chain([page("late")]) {
        shell[at] = true;
    }
    let (late, left) = (
        p.desk.program.value("late"),
        p.desk.program.value("left") as u8,
    );
    let mut rom = p.desk.program.image.binary(0);
    rom.resize(0x2_0004, 0);
    let (mut words, mut tests, mut nodes) = (0_u64, 0, 0);
    let until = p.desk.cpu.now() + frames * FRAME;
    while p.desk.cpu.now() < until {
        let at = usize::from(p.desk.cpu.at());
        words += u64::from(!shell[at >> 8]);
        nodes += u64::from(at == node);
        if rom[2 * at..2 * at + 3] == [0x01, left, 0xe8] {
            tests += 4;
        }
        // A word of the test is done again, and there are six on the way.
        tests += if at == usize::from(late) { 7 } else { 0 };
        p.desk.cpu.step(&mut p.desk.console);
    }
    assert_eq!(p.message(), "THINK");
    let rate = nodes * 6_250_000 / (frames * FRAME);
    println!(
        "{rate} nodes a second with the board on the screen, {} useful instructions a frame",
        (words - tests) / frames
    );
    assert!(rate >= 1000);
    assert!((words - tests) / frames >= 39_000);
    p.desk.assert_steady();
}

#[test]
fn it_plays_a_game_against_itself_by_the_rules() {
    let mut p = Player::new();
    while p.level() != 1 {
        p.press(Button::Select);
    }
    let mut board = Board::default();
    let mut seen = Vec::new();
    for ply in 0..100 {
        p.press(Button::Start);
        p.machine();
        p.wait(8);
        let shown = p.board();
        let its = moves(&board).into_iter().find(|&m| {
            let mut after = board.clone();
            after.play(m);
            after.to_string().starts_with(&format!("{shown} "))
        });
        let its = its.unwrap_or_else(|| panic!("ply {ply}: {shown} does not follow {board}"));
        board.play(its);
        let wanted = match board.status() {
            GameStatus::Won => "MATE",
            GameStatus::Drawn => "DRAW",
            GameStatus::Ongoing if board.checkers().is_empty() => "",
            GameStatus::Ongoing => "CHECK",
        };
        // The library does not count positions.
        let key = |b: &Board| b.to_string().split(' ').take(3).collect::<String>();
        seen.push(key(&board));
        let again = seen.iter().filter(|k| **k == key(&board)).count();
        let wanted = if again == 3 { "DRAW" } else { wanted };
        let men = board.occupied().len();
        assert!(p.message() == wanted || men <= 3, "ply {ply}: {board}");
        if p.message() == "DRAW" || p.message() == "MATE" {
            println!("{} after {} plies: {board}", p.message(), ply + 1);
            break;
        }
    }
    p.desk.assert_steady();
    println!("{} frames", p.desk.console.sync.frames());
}
