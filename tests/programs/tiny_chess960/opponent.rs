//! The opponent: what it sees, how long it thinks, how strong it is.

use super::core::{Core, MFROM, MTO, U, back, moves};
use super::rules::{CHECK, Game, MATE, Random};
use cozy_chess::{Board, Color, Move, Piece};
use scrimp_isa::Simulation;

/// Clocks of a minute.
const MINUTE: u64 = 60 * 8_000_000;

/// The machine's move in a position, and the clocks that it took.
fn think(core: &mut Core, board: &Board, level: u8) -> (Move, u64) {
    core.call("status");
    core.set(U, level);
    let clocks = core.call("think");
    core.is_at(board).expect("it puts everything back");
    let (from, to) = (back(core.register(MFROM)), back(core.register(MTO)));
    let is =
        |m: &&Move| m.from == from && m.to == to && m.promotion.is_none_or(|p| p == Piece::Queen);
    let all = moves(board);
    let found = all.iter().find(is);
    let m = *found.unwrap_or_else(|| panic!("{from}{to} is not legal in {board}"));
    (m, clocks)
}

fn play(core: &mut Core, game: &mut Game, m: Move) {
    assert!(core.go(m), "{m} in {}", game.board);
    game.play(m);
}

#[test]
fn a_game_against_itself() {
    let mut core = Core::started(77);
    let mut game = Game::new(77);
    for ply in 0..16 {
        let level = if ply == 4 { 2 } else { 1 };
        let (m, clocks) = think(&mut core, &game.board, level);
        assert!(clocks < MINUTE);
        play(&mut core, &mut game, m);
    }
    println!("lowest stack {:X}", core.0.lowest_stack());
}

#[test]
fn it_mates_and_takes() {
    // 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7 mate, and a fool's mate for Black.
    for (line, want) in [
        ("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", "h5f7"),
        ("f2f3 e7e5 g2g4", "d8h4"),
        ("e2e4 d7d5 a2a3 d5e4 a3a4 d8d3", "c2d3"),
    ] {
        let mut core = Core::started(518);
        let mut game = Game::new(518);
        for text in line.split(' ') {
            play(&mut core, &mut game, text.parse().expect("a move"));
        }
        for level in 1..=2 {
            let (m, _) = think(&mut core.clone(), &game.board, level);
            let takes = game.board.piece_on(m.to).is_some();
            assert!(m.to_string() == want || want == "c2d3" && takes, "{m}");
        }
    }
}

fn price(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

/// Men of the side against those of the other.
fn material(board: &Board, side: Color) -> i32 {
    let men = |c| {
        let some = |p| price(p) * board.colored_pieces(c, p).len() as i32;
        Piece::ALL.map(some).iter().sum::<i32>()
    };
    men(side) - men(!side)
}

/// Two plies of material, chance among the best.
fn plain(board: &Board, random: &mut Random) -> Move {
    let side = board.side_to_move();
    let end = |b: &Board, bad: i32| {
        moves(b)
            .is_empty()
            .then(|| if b.checkers().is_empty() { 0 } else { bad })
    };
    let worth = |m: &Move| {
        let mut next = board.clone();
        next.play(*m);
        let replies = moves(&next).into_iter().map(|r| {
            let mut last = next.clone();
            last.play(r);
            end(&last, -1000).unwrap_or_else(|| material(&last, side))
        });
        replies.min().or_else(|| end(&next, 1000)).unwrap_or(0)
    };
    let all = moves(board);
    let most = all.iter().map(worth).max();
    let best: Vec<_> = all.into_iter().filter(|m| Some(worth(m)) == most).collect();
    random.pick(&best)
}

/// Games from arrays, each with four plies by chance and both colours; half points.
fn games(count: u64, level: u8) -> (u64, u64) {
    let (mut half_points, mut slowest) = (0, 0);
    for number in 0..count {
        let mut random = Random::new(1 + number / 2);
        let array = if number < count / 2 {
            518
        } else {
            random.below(960) as u16
        };
        let mut core = Core::started(array);
        let mut game = Game::new(array);
        for _ in 0..4 {
            let m = random.pick(&moves(&game.board));
            play(&mut core, &mut game, m);
        }
        let machine = Color::ALL[(number % 2) as usize];
        while game.status() <= CHECK {
            let m = if game.board.side_to_move() == machine {
                let (m, clocks) = think(&mut core, &game.board, level);
                slowest = slowest.max(clocks);
                m
            } else {
                plain(&game.board, &mut random)
            };
            play(&mut core, &mut game, m);
        }
        half_points += match game.status() {
            MATE if game.board.side_to_move() == machine => 0,
            MATE => 2,
            _ => 1,
        };
        println!(
            "{half_points} half points of {} games, slowest move {} s, lowest stack {:X}",
            number + 1,
            slowest / 8_000_000,
            core.0.lowest_stack()
        );
    }
    (half_points, slowest)
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_two_plies_of_material() {
    let (half_points, slowest) = games(100, 3);
    assert!(half_points >= 170, "{half_points} of 200");
    assert!(slowest <= MINUTE, "{slowest} clocks");
}
