//! Games by the pads, the screen compared after each ply, against a library of rules.

use super::core::{back, moves};
use super::device::{Device, SECOND, kept};
use super::rules;
use super::screen::{Screen, play};
use crate::common::random::Random;
use cozy_chess::{Board, Move, Piece, Square};
use scrimp_isa::Simulation;

/// The last line of the screen, by what `status` says.
const MESSAGES: [&str; 8] = [
    "",
    "CHECK",
    "MATE",
    "STALEMATE",
    "BARE",
    "FIFTY",
    "REPEAT",
    "FULL",
];
/// Clocks for a turn: the longest search, and looking through the whole record.
pub const TURN: u64 = 100 * SECOND;

/// A game as the device has to show it.
#[derive(Clone)]
pub struct Game {
    pub number: u16,
    pub moves: Vec<Move>,
    rules: rules::Game,
}

impl std::ops::Deref for Game {
    type Target = rules::Game;

    fn deref(&self) -> &rules::Game {
        &self.rules
    }
}

impl Game {
    pub fn new(number: u16) -> Self {
        Self {
            number,
            moves: Vec::new(),
            rules: rules::Game::new(number),
        }
    }

    pub fn play(&mut self, m: Move) {
        self.moves.push(m);
        self.rules.play(m);
    }

    /// The game as it was after so many plies.
    pub fn after(&self, plies: usize) -> Self {
        let mut game = Self::new(self.number);
        for &m in &self.moves[..plies] {
            game.play(m);
        }
        game
    }

    pub fn message(&self) -> &'static str {
        MESSAGES[usize::from(self.status())]
    }

    pub fn over(&self) -> bool {
        self.status() > rules::CHECK
    }

    /// The screen at this turn.
    pub fn screen(&self, levels: [usize; 2]) -> Screen {
        Screen::want(
            &self.board,
            self.number,
            levels,
            self.moves.len(),
            self.message(),
        )
    }
}

/// Plays on by the pads, to the end or for so many plies.
pub fn follow(
    device: &mut Device,
    game: &mut Game,
    plies: usize,
    mut choose: impl FnMut(&Game) -> Move,
) {
    for _ in 0..plies {
        if game.over() {
            break;
        }
        let m = choose(game);
        play(device, &game.board, m, TURN);
        game.play(m);
        assert_eq!(
            Screen::of(device),
            game.screen([0, 0]),
            "{m} {}",
            game.board
        );
    }
}

/// Any legal move, promotions and castling more often.
pub fn any(random: &mut Random, game: &Game) -> Move {
    let all = moves(&game.board);
    let own = game.board.colors(game.board.side_to_move());
    let rare = |m: &&Move| m.promotion.is_some() || own.has(m.to);
    let some: Vec<Move> = all.iter().filter(rare).copied().collect();
    if !some.is_empty() && random.one_in(2) {
        return random.pick(&some);
    }
    random.pick(&all)
}

/// The move of these squares, such as `e2e4` or `a7a8n`; castling onto the own rook.
pub fn named(board: &Board, text: &str) -> Move {
    let all = moves(board);
    let found = all.iter().find(|m| m.to_string() == text);
    *found.unwrap_or_else(|| panic!("{text} in {board}"))
}

/// A game of named moves.
pub fn line(device: &mut Device, game: &mut Game, text: &str) {
    let mut names = text.split(' ');
    follow(device, game, text.split(' ').count(), |g| {
        named(&g.board, names.next().expect("a move"))
    });
    assert_eq!(names.next(), None, "the game was over before");
}

#[test]
fn random_games_by_the_pads() {
    let mut random = Random(5);
    for number in [518, random.below(960) as u16] {
        let mut device = Device::game(number);
        let mut game = Game::new(number);
        follow(&mut device, &mut game, 14, |g| any(&mut random, g));
        println!("lowest stack ${:X}", device.0.lowest_stack());
    }
}

#[test]
#[ignore = "nightly"]
fn nightly_random_games_to_their_ends() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..10 {
        let mut random = Random(seed);
        let number = random.below(960) as u16;
        let mut device = Device::game(number);
        let mut game = Game::new(number);
        follow(&mut device, &mut game, 300, |g| {
            let all = moves(&g.board);
            let takes = |m: &&Move| g.board.colors(!g.board.side_to_move()).has(m.to);
            let some: Vec<Move> = all.iter().filter(takes).copied().collect();
            if some.is_empty() || random.one_in(3) {
                any(&mut random, g)
            } else {
                random.pick(&some)
            }
        });
        println!(
            "{seed}: {} after {}, stack ${:X}",
            game.message(),
            game.moves.len(),
            device.0.lowest_stack()
        );
        *ends.entry(game.message()).or_insert(0) += 1;
    }
    println!("{ends:?}");
    assert!(ends.len() >= 2);
}

#[test]
fn a_mate_ends_the_game_and_its_record() {
    let mut device = Device::game(518);
    let mut game = Game::new(518);
    line(&mut device, &mut game, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(Screen::of(&device).message(), "MATE");
    // Off and on again: it is tested again.
    let mut again = Device::with(&device.eeprom());
    again.push("UP");
    assert_eq!(Screen::of(&again), game.screen([0, 0]));
    // Looked back on, and forth.
    again.push("LEFT");
    let mut shown = game.after(3).screen([0, 0]);
    shown.lines[7].0 = "LOOK".into();
    assert_eq!(Screen::of(&again), shown);
    again.push("DOWN");
    assert_eq!(Screen::of(&again), game.screen([0, 0]));
    device.push("UP");
    assert_eq!(
        Screen::of(&device),
        Game::new(518).screen([0, 0]),
        "the menu"
    );
    assert_eq!(device.cursor(), 0x77);
    assert_eq!(device.eeprom()[1], 0, "no plies are left");
}

#[test]
fn castling_passing_and_promotion() {
    let mut device = Device::game(518);
    let mut game = Game::new(518);
    line(
        &mut device,
        &mut game,
        "e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 d6c7 f6g8 c7b8n a8b8 g1f3 b8a8 f1c4 a8b8 e1h1",
    );
    assert_eq!(game.board.piece_on(Square::G1), Some(Piece::King));
    // Its king is on the square of the rook that it castles with.
    let number = (0..960)
        .find(|&n| {
            let board = Board::chess960_startpos(n);
            board.king(cozy_chess::Color::White) == Square::F1
                && board.piece_on(Square::G1) == Some(Piece::Rook)
        })
        .expect("an array") as u16;
    let mut game = Game::new(number);
    let mut device = Device::game(number);
    line(&mut device, &mut game, "h2h3 h7h6 f1g1");
    assert_eq!(game.board.piece_on(Square::G1), Some(Piece::King));
    assert_eq!(game.board.piece_on(Square::F1), Some(Piece::Rook));
}

#[test]
fn threefold_repetition() {
    let mut device = Device::game(518);
    let mut game = Game::new(518);
    line(
        &mut device,
        &mut game,
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    );
    assert_eq!(Screen::of(&device).message(), "REPEAT");
}

#[test]
fn looking_back_forth_and_taking_back() {
    let mut device = Device::game(100);
    let mut game = Game::new(100);
    let mut random = Random(11);
    follow(&mut device, &mut game, 5, |g| any(&mut random, g));
    let look = |plies: usize| {
        let mut screen = game.after(plies).screen([0, 0]);
        screen.lines[7].0 = "LOOK".into();
        screen
    };
    let eeprom = device.eeprom();
    for plies in [4, 3, 2, 1, 0, 0] {
        device.push("LEFT");
        assert_eq!(Screen::of(&device), look(plies));
    }
    for plies in [1, 2, 3, 4, 5, 5] {
        device.push("RIGHT");
        assert_eq!(Screen::of(&device), look(plies));
    }
    device.push("LEFT");
    device.push("LEFT");
    assert_eq!(device.eeprom(), eeprom, "only looked at");
    let mut kept = device.clone();
    kept.push("DOWN");
    assert_eq!(Screen::of(&kept), game.screen([0, 0]));
    device.push("UP");
    let mut game = game.after(3);
    assert_eq!(Screen::of(&device), game.screen([0, 0]));
    follow(&mut device, &mut game, 3, |g| any(&mut random, g));
}

#[test]
fn resigning_and_draws_by_offer() {
    let board = Board::default();
    let want = |message| Screen::want(&board, 518, [0, 0], 0, message);
    let mut device = Device::game(518);
    for message in ["DRAW?", "RESIGN?", "MENU?", ""] {
        device.push("DOWN");
        assert_eq!(Screen::of(&device), want(message));
    }
    device.push("DOWN");
    device.push("LEFT");
    assert_eq!(Screen::of(&device), want(""), "neither");
    let mut resigned = device.clone();
    resigned.push("DOWN");
    resigned.push("DOWN");
    resigned.push("UP");
    assert_eq!(Screen::of(&resigned), want("RESIGNED"));
    resigned.push("UP");
    assert_eq!(resigned.cursor(), 0x77, "the menu");
    let mut left = device.clone();
    for key in ["DOWN", "DOWN", "DOWN", "UP"] {
        left.push(key);
    }
    assert_eq!((left.cursor(), Screen::of(&left)), (0x77, want("")));
    device.push("DOWN");
    device.push("UP");
    assert_eq!(Screen::of(&device), want("AGREE?"));
    let mut declined = device.clone();
    declined.push("DOWN");
    assert_eq!(Screen::of(&declined), want(""));
    device.push("UP");
    assert_eq!(Screen::of(&device), want("AGREED"));
}

#[test]
fn the_machine_plays_either_side() {
    for levels in [[0, 1], [1, 0]] {
        let mut device = Device::players(518, levels);
        let mut game = Game::new(518);
        let mut random = Random(3);
        for turn in 0..4 {
            if turn > 0 || levels[0] == 0 {
                let m = any(&mut random, &game);
                play(&mut device, &game.board, m, TURN);
                game.play(m);
            }
            // What the machine played is seen on the board.
            let shown = Screen::of(&device);
            let answer = moves(&game.board).into_iter().find(|&m| {
                let mut next = game.clone();
                next.play(m);
                shown == next.screen(levels.map(usize::from))
            });
            let m = answer.unwrap_or_else(|| panic!("{shown:?} after {}", game.board));
            assert_eq!(back(device.cursor()), m.to, "the cursor is there");
            game.play(m);
        }
    }
}

#[test]
fn the_machine_and_an_offer() {
    // It agrees when it is behind: the offer of one with a queen more. It does not when
    // it is ahead.
    for (moves, agrees) in [
        ("e2e4 f7f6 d1h5 g7g6 h5g6 h7g6 f1b5 a7a6 b5c6 b7c6", false),
        ("a2a3 e7e5 a3a4 d8h4 a4a5 h4h2 h1h2 a7a6 h2h7 h8h7", true),
    ] {
        let mut device = Device::game(518);
        let mut game = Game::new(518);
        line(&mut device, &mut game, moves);
        let mut eeprom = device.eeprom();
        eeprom[0] = !0x10 & 0x7f;
        let mut device = Device::with(&eeprom);
        device.think("UP", TURN);
        assert_eq!(Screen::of(&device), game.screen([0, 1]));
        device.push("DOWN");
        device.think("UP", TURN);
        let message = Screen::of(&device).message().to_owned();
        assert_eq!(message, if agrees { "AGREED" } else { "" });
    }
}

#[test]
fn the_machine_against_itself_is_stopped() {
    let mut device = Device::with(&kept(518, [1, 1]));
    device.0.key("UP", true).expect("a key");
    device.0.run(SECOND / 4);
    device.0.key("UP", false).expect("a key");
    device.0.run(10 * SECOND);
    device.0.key("DOWN", true).expect("a key");
    device.idle(TURN);
    device.0.key("DOWN", false).expect("a key");
    device.idle(SECOND);
    let screen = Screen::of(&device);
    assert_eq!(screen.message(), "DRAW?");
    assert_ne!(screen.lines[6].0, "PLY 000", "it had begun");
    for key in ["DOWN", "DOWN", "UP"] {
        device.push(key);
    }
    assert_eq!(device.cursor(), 0x77, "the menu");
}
