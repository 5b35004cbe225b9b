//! Legal targets, games and how they stand, against a library of chess rules.

use super::core::{Core, HALF, HOLE, MFROM, TURN, cell, moves, pairs, square};
use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};

/// Numbers from a seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number from 0 to n - 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What `status` says.
pub const ON: u8 = 0;
pub const CHECK: u8 = 1;
pub const MATE: u8 = 2;
pub const STALEMATE: u8 = 3;
pub const MATERIAL: u8 = 4;
pub const FIFTY: u8 = 5;
pub const REPETITION: u8 = 6;
pub const FULL: u8 = 7;

/// A game, and what the rules say about it.
#[derive(Clone)]
pub struct Game {
    pub board: Board,
    pub before: Vec<Board>,
}

impl Game {
    pub fn new(number: u16) -> Self {
        Self {
            board: Board::chess960_startpos(u32::from(number)),
            before: Vec::new(),
        }
    }

    pub fn play(&mut self, m: Move) {
        self.before.push(self.board.clone());
        self.board.play(m);
    }

    /// As `status`.
    pub fn status(&self) -> u8 {
        let same = |b: &&Board| b.same_position(&self.board);
        match self.board.status() {
            GameStatus::Won => MATE,
            _ if moves(&self.board).is_empty() => STALEMATE,
            _ if !enough(&self.board) => MATERIAL,
            _ if self.board.halfmove_clock() >= 100 => FIFTY,
            _ if self.before.len() >= 253 => FULL,
            _ if self.before.iter().filter(same).count() >= 2 => REPETITION,
            _ => u8::from(!self.board.checkers().is_empty()),
        }
    }
}

/// Whether somebody can still be mated.
fn enough(board: &Board) -> bool {
    let men = board.occupied() & !board.pieces(Piece::King);
    let bishops = board.pieces(Piece::Bishop);
    let light = |s: &Square| (s.file() as usize + s.rank() as usize) % 2 == 1;
    let lights = bishops.iter().filter(light).count();
    men.len() > 1 && (men != bishops || (lights > 0 && lights < men.len() as usize))
        || men.len() == 1 && (men & !bishops & !board.pieces(Piece::Knight)).len() == 1
}

/// A move of a random game; more captures than by chance, so that games end.
pub fn some_move(board: &Board, random: &mut Random) -> Move {
    let all = moves(board);
    let takes = |m: &Move| board.colors(!board.side_to_move()).has(m.to);
    let some: Vec<_> = all.iter().copied().filter(takes).collect();
    if some.is_empty() || random.below(3) == 0 {
        random.pick(&all)
    } else {
        random.pick(&some)
    }
}

/// A game with its record, compared after each ply; how it ended.
fn random_game(number: u16, seed: u64, plies: usize) -> u8 {
    let mut random = Random::new(seed);
    let mut game = Game::new(number);
    let mut core = Core::game(number);
    for _ in 0..plies {
        let m = some_move(&game.board, &mut random);
        assert!(core.go(m), "{m} in {}", game.board);
        game.play(m);
        core.is_at(&game.board).expect("the same board");
        assert_eq!(usize::from(core.register(TURN)), game.before.len());
        assert_eq!(core.register(HALF), game.board.halfmove_clock());
        let status = core.status();
        assert_eq!(status, game.status(), "{} after {m}", game.board);
        core.is_at(&game.board).expect("still the same board");
        if status > CHECK {
            return status;
        }
    }
    ON
}

#[test]
fn random_games() {
    for seed in 0..4 {
        random_game(Random::new(seed).below(960) as u16, seed, 40);
    }
}

#[test]
#[ignore = "nightly"]
fn nightly_random_games_to_their_ends() {
    let mut ends = [0; 8];
    for seed in 100..180 {
        let number = Random::new(seed).below(960) as u16;
        ends[usize::from(random_game(number, seed, 300))] += 1;
    }
    println!("{ends:?}");
    assert!(ends.iter().filter(|&&n| n > 0).count() >= 4, "{ends:?}");
}

fn positions_of_games(count: usize, seed: u64) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = Game::new(random.below(960) as u16);
        for _ in 0..4 + random.below(100) {
            if game.status() > CHECK {
                break;
            }
            game.play(random.pick(&moves(&game.board)));
        }
        if game.status() <= CHECK {
            all.push(game.board);
        }
    }
    all
}

/// From each square, the marked targets, and what each of the 4096 pairs would be.
fn all_pairs(boards: &[Board]) {
    let mut core = Core::new();
    for board in boards {
        core.set_up(board);
        let want = pairs(board);
        let mut have = Vec::new();
        for from in Square::ALL.map(square) {
            core.set(MFROM, from);
            core.call("targets");
            let before = have.len();
            for to in Square::ALL.map(square) {
                if core.cell(to | HOLE) != 0 {
                    have.push((from, to));
                }
            }
            assert_eq!(core.t(), have.len() > before);
        }
        have.sort_unstable();
        assert_eq!(have, want, "{board}");
        core.is_at(board).expect("untouched");
    }
}

#[test]
fn the_targets_of_all_squares() {
    all_pairs(&positions_of_games(8, 1));
}

/// Offers each pair of squares as a move.
fn offer_all(boards: &[Board]) {
    for board in boards {
        let want = pairs(board);
        let mut core = Core::new();
        core.set_up(board);
        for from in Square::ALL {
            for to in Square::ALL {
                let made = core.play(square(from), square(to), 6);
                let pair = (square(from), square(to));
                assert_eq!(made, want.contains(&pair), "{from}{to} {board}");
                if made {
                    core.set_up(board);
                }
            }
        }
        core.is_at(board).expect("untouched");
    }
}

#[test]
fn all_pairs_of_squares_are_offered() {
    let few = [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
        "4k3/8/8/8/8/8/8/R3K3 w A - 0 1",
    ];
    offer_all(&few.map(|f| Board::from_fen(f, true).expect("a position")));
}

#[test]
#[ignore = "nightly"]
fn nightly_all_pairs_of_squares_at_120_positions() {
    let boards = positions_of_games(120, 2);
    all_pairs(&boards);
    offer_all(&boards);
}

/// Moves by squares from the usual array, up to such a status, and not before.
fn line(line: &str, end: u8) {
    let mut core = Core::game(518);
    let mut game = Game::new(518);
    let all: Vec<_> = line.split(' ').collect();
    for (i, text) in all.iter().enumerate() {
        let is = |m: &&Move| m.to_string() == *text;
        let m = *moves(&game.board).iter().find(is).expect("a legal move");
        assert!(core.go(m));
        game.play(m);
        let status = core.status();
        assert_eq!(status, game.status(), "after {text}");
        assert_eq!(status == end, i + 1 == all.len(), "after {text}");
    }
}

#[test]
fn mates_and_repetitions() {
    line("f2f3 e7e5 g2g4 d8h4", MATE);
    line("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", REPETITION);
    // Nobody can take in passing: it is the same position.
    line("e2e4 b8c6 b1c3 c6b8 c3b1 b8c6 b1c3 c6b8 c3b1", REPETITION);
    // With the king the rook loses its right, so its own moves change nothing more.
    line(
        "h2h4 h7h5 e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 h1h2 e8e7 h2h1 e7e8 h1h2 e8e7 h2h1",
        REPETITION,
    );
}

#[test]
fn a_pawn_that_can_be_taken_in_passing_makes_another_position() {
    let start = "e2e4 a7a6 e4e5 d7d5 ";
    let shuffle = "b1c3 b8c6 c3b1 c6b8";
    line(&format!("{start}{shuffle} {shuffle} b1c3"), REPETITION);
}

#[test]
fn stalemate_material_and_fifty_moves() {
    for (fen, want) in [
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", STALEMATE),
        ("7k/8/6K1/8/8/8/8/7R b - - 99 1", CHECK),
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 1", MATE),
        ("8/8/6K1/8/7k/8/8/R7 b - - 100 80", FIFTY),
        ("8/8/6K1/8/7k/8/8/B7 b - - 3 80", MATERIAL),
        ("8/8/6K1/8/7k/8/8/N7 b - - 3 80", MATERIAL),
        ("8/8/6K1/8/7k/8/8/B1B3b1 b - - 3 80", MATERIAL),
        ("8/8/6K1/8/7k/8/8/BB6 b - - 3 80", ON),
        ("8/8/6K1/8/7k/8/8/NN6 b - - 3 80", ON),
        ("8/8/6K1/8/7k/8/8/N4b2 b - - 3 80", ON),
        ("8/8/6K1/8/7k/8/p7/8 b - - 3 80", ON),
    ] {
        let board = Board::from_fen(fen, false).expect("a position");
        let mut core = Core::new();
        core.set_up(&board);
        core.set(TURN, 0);
        core.set(HALF, board.halfmove_clock());
        // Repetitions are looked for in a record, of which there is none here.
        if want == ON || want == CHECK {
            core.set(HALF, 0);
        }
        assert_eq!(core.status(), want, "{fen}");
        let game = Game {
            board: board.clone(),
            before: Vec::new(),
        };
        assert_eq!(game.status(), want, "{fen}");
    }
}

#[test]
fn cells_are_sprites() {
    let board = Board::default();
    assert_eq!(cell(&board, Square::E8) & 0x0F, 2 | 8);
    assert_eq!(cell(&board, Square::D1) & 0x0F, 6);
    assert_eq!(board.side_to_move(), Color::White);
}
