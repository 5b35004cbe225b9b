//! Chess for two: moves, perft, games, the ends, errors, clocks.

use super::Random;
use super::device::{
    BLACK, CLOCKS, Device, EP, FROM, HALF, LOG, MFROM, MTO, NEWEP, PROMO, SIDE, TO, WHITE, YL, at,
};
use super::rules::{Game, drawn, moves, pairs, set_up, square, target, typed};
use cozy_chess::{Board, Move, Piece, Square};
use scrimp_isa::Simulation;

/// Name, position, and how many games of so many plies there are.
const PERFT: &str = include_str!("perft.txt");

fn positions() -> impl Iterator<Item = (&'static str, Board, Vec<u64>)> {
    PERFT.lines().filter(|l| !l.starts_with('#')).map(|line| {
        let [name, fen, counts] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let counts = counts.split_whitespace();
        (
            name,
            fen.parse().expect("a position"),
            counts.map(|n| n.parse().expect("a number")).collect(),
        )
    })
}

/// The moves that the program holds for legal, in the position that it has.
fn legal(device: &mut Device) -> Vec<(u8, u8)> {
    device.set(MFROM, 0xFF);
    let mut all = Vec::new();
    device.call("enum", Some(at("search.legal")), |d| {
        all.push((d.register(FROM), d.register(TO)));
    });
    assert_eq!(device.register(YL), LOG, "the log is empty again");
    all.sort_unstable();
    all
}

/// Asks for a move; whether it was made.
fn offer(device: &mut Device, from: u8, to: u8) -> bool {
    device.set(MFROM, from);
    device.set(MTO, to);
    device.call("enum", None, |_| ());
    device.register(YL) != LOG
}

fn perft(device: &mut Device, plies: usize) -> u64 {
    let all = legal(device);
    let promotes =
        |d: &Device, (from, to): (u8, u8)| d.cell(from) & 7 == 2 && matches!(to >> 4, 0 | 7);
    if plies == 1 {
        let each = all.iter().map(|&m| if promotes(device, m) { 4 } else { 1 });
        return each.sum();
    }
    let mut count = 0;
    for m in all {
        let pieces: &[u8] = if promotes(device, m) {
            &[3, 4, 5, 7]
        } else {
            &[7]
        };
        for &piece in pieces {
            let mut next = device.clone();
            next.set(PROMO, piece);
            assert!(offer(&mut next, m.0, m.1));
            let ep = next.register(NEWEP);
            next.set(EP, ep);
            next.set(YL, LOG);
            next.turn_side();
            count += perft(&mut next, plies - 1);
        }
    }
    count
}

fn perft_up_to(most: u64) {
    let mut device = Device::game('2', '1');
    device.text();
    for (name, board, counts) in positions() {
        for (plies, &want) in (1..).zip(&counts) {
            if want > most {
                break;
            }
            set_up(&mut device, &board);
            assert_eq!(perft(&mut device, plies), want, "{name}, {plies} plies");
        }
    }
}

#[test]
fn as_many_games_as_there_are() {
    perft_up_to(1000);
}

#[test]
#[ignore = "nightly"]
fn nightly_as_many_games_as_there_are_deeper() {
    perft_up_to(100_000);
}

/// Positions of random games.
fn positions_of_games(count: usize, seed: u64) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = Game::new(Board::default());
        let plies = 4 + random.below(120);
        for _ in 0..plies {
            if game.over() {
                break;
            }
            let m = random.pick(&moves(&game.board));
            game.play(m);
        }
        if !game.over() {
            all.push(game.board);
        }
    }
    all
}

#[test]
fn the_legal_moves_of_positions_of_games() {
    let mut device = Device::game('2', '1');
    for board in positions_of_games(200, 1) {
        set_up(&mut device, &board);
        assert_eq!(legal(&mut device), pairs(&board), "{board}");
    }
}

/// Offers each pair of squares.
fn offer_all(boards: &[Board]) {
    let mut device = Device::game('2', '1');
    for board in boards {
        set_up(&mut device, board);
        let want = pairs(board);
        for from in (0..0x80).filter(|s| s & 8 == 0) {
            for to in (0..0x80).filter(|s| s & 8 == 0) {
                let made = offer(&mut device, from, to);
                assert_eq!(
                    made,
                    want.contains(&(from, to)),
                    "{from:02x} {to:02x} {board}"
                );
                if made {
                    set_up(&mut device, board);
                }
            }
        }
    }
}

#[test]
fn all_pairs_of_squares_are_offered() {
    let few = [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    ];
    offer_all(&few.map(|f| f.parse().expect("a position")));
}

#[test]
#[ignore = "nightly"]
fn nightly_all_pairs_of_squares_are_offered_at_100_positions() {
    offer_all(&positions_of_games(100, 2));
}

/// A device at the first key of a move, with a position that the host wrote.
fn at_position(fen: &str, options: char) -> (Device, Board) {
    let board: Board = fen.parse().expect("a position");
    let mut device = Device::game('2', options);
    let speed = device.register(super::device::OPTIONS);
    set_up(&mut device, &board);
    device.set(super::device::OPTIONS, speed);
    device.text();
    (device, board)
}

/// Types a move; what the terminal shows from the board on.
fn play(device: &mut Device, board: &Board, m: Move) -> String {
    device.text();
    device.keys(&typed(board, m));
    let text = device.text();
    let from = text.find("  1 2 3 4 5 6 7 8").unwrap_or_else(|| {
        panic!("no board after {m} in {board}: {text}");
    });
    text[from..].to_owned()
}

/// The screen with the clocks hidden, and nothing of the menu.
fn screen(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(menu) = text.find("\r\n\r1 tic") {
        text.truncate(menu);
    }
    let line = text.rfind('\n').expect("lines") + 2;
    for i in [0, 2, 3, 5, 7, 8] {
        text.replace_range(line + i..=line + i, "0");
    }
    text
}

const HIDDEN: &str = "0:00 0:00";

/// A game by the keys, compared after each ply, to its end or for so many plies.
fn follow(
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
        let shown = play(device, &game.board, m);
        game.play(m);
        assert_eq!(screen(&shown), game.screen(HIDDEN), "{m} {}", game.board);
        for i in [0, 2] {
            device.set_data(CLOCKS + i, 5);
        }
        assert_eq!(
            game.over(),
            shown.ends_with("\r1 tic-tac-toe 2 chess\r\n"),
            "the menu is there at the end"
        );
    }
}

#[test]
fn random_games_by_the_keys() {
    let mut device = Device::game('2', '1');
    let text = device.text();
    assert!(text.contains(&drawn(&Board::default())), "{text}");
    assert!(text.ends_with("w5:00 5:00 "), "{text}");
    for seed in 0..2 {
        let mut random = Random::new(seed);
        let mut game = Game::new(Board::default());
        let mut here = device.clone();
        follow(&mut here, &mut game, 24, |g| random.pick(&moves(&g.board)));
    }
    println!("lowest stack {:X}", device.0.lowest_stack());
}

#[test]
#[ignore = "nightly"]
fn nightly_random_games_to_their_ends() {
    let device = Device::game('2', '1');
    let mut ends = std::collections::BTreeMap::new();
    for seed in 100..130 {
        let mut random = Random::new(seed);
        let mut game = Game::new(Board::default());
        let mut here = device.clone();
        follow(&mut here, &mut game, 1000, |g| {
            let all = moves(&g.board);
            let takes = |m: &Move| g.board.colors(!g.board.side_to_move()).has(m.to);
            let some: Vec<_> = all.iter().copied().filter(takes).collect();
            let pick = if some.is_empty() || random.below(3) == 0 {
                &all
            } else {
                &some
            };
            random.pick(pick)
        });
        *ends.entry(game.ending()).or_insert(0) += 1;
    }
    println!("{ends:?}");
    assert!(ends.len() >= 2);
}

/// Moves by squares, from a position, up to an end of that kind.
fn line(fen: &str, half: u8, line: &str, end: &str) {
    let (mut device, board) = at_position(fen, '1');
    device.set(HALF, half);
    let mut game = Game::new(board);
    let mut next = line.split(' ');
    follow(&mut device, &mut game, line.split(' ').count(), |g| {
        let text = next.next().expect("a move");
        let all = moves(&g.board);
        let is = |m: &&Move| {
            let to = target(&g.board, **m);
            let piece = m.promotion.map_or(String::new(), |p| p.to_string());
            text == format!("{}{to}{piece}", m.from)
        };
        *all.iter().find(is).expect("a legal move")
    });
    assert_eq!(game.ending(), end);
    assert_eq!(next.next(), None);
}

#[test]
fn mates_and_stalemates() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    line(start, 0, "f2f3 e7e5 g2g4 d8h4", "+b wins");
    line(start, 0, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", "+w wins");
    line("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 0, "g6f7", "draw");
}

#[test]
fn castling_promotion_and_taking_in_passing() {
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 98 60";
    line(castle, 98, "e1g1 e8c8", "draw");
    line(
        "4k3/P7/8/3pP3/8/8/7p/4K1N1 w - d6 0 1",
        0,
        "e5d6 h2g1n a7a8r e8f7",
        "",
    );
}

#[test]
fn draws() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    line(start, 0, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "draw");
    // A pawn that can be taken in passing makes the first of them another position;
    // one that nobody can take does not.
    let shuffle = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    line(start, 0, &format!("e2e4 {}", turned(shuffle)), "draw");
    let fen = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    line(fen, 0, &format!("e2e4 {} b8c6", turned(shuffle)), "draw");
    // Rights lost by the king are lost for the rook, too: its move changes nothing.
    line(
        "4k3/8/8/8/8/8/7P/4K2R w K - 0 1",
        0,
        "e1e2 e8e7 e2e1 e7e8 h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1",
        "draw",
    );
    line("4k3/8/8/8/8/8/3r4/4K2B w - - 0 1", 0, "e1d2", "draw");
    line("4k1b1/8/8/8/8/8/3r4/4K2B w - - 0 1", 0, "e1d2", "draw");
}

/// The same with Black first.
fn turned(line: &str) -> String {
    let moves: Vec<_> = line.split(' ').collect();
    let swapped = moves.chunks(2).flat_map(|c| [c[1], c[0]]);
    swapped.collect::<Vec<_>>().join(" ")
}

#[test]
fn errors_are_on_the_leds() {
    let mut device = Device::game('2', '1');
    let text = device.text();
    assert!(text.contains("wRwKwBwUwQwBwKwR"));
    for (keys, leds) in [
        ("5", 0),
        ("5", 1), // nothing there
        ("7", 0),
        ("4", 1), // Black's
        ("9", 1), // no row
        ("24", 0),
        ("25", 2), // no such move
        ("24", 0),
        ("0", 0), // put back
        ("0", 0),
        ("24440", 0), // done, and nothing touched
    ] {
        device.keys(keys);
        assert_eq!(device.leds(), leds, "{keys}");
    }
    let text = device.text();
    let boards = text.matches("  1 2 3 4 5 6 7 8").count();
    assert_eq!(boards, 1, "it does not scroll: {text}");
    assert!(text.contains("4      wP"));
    device.key('#');
    assert!(device.text().ends_with("\r1 tic-tac-toe 2 chess\r\n"));
}

#[test]
fn at_the_promotion_prompt_0_puts_the_pawn_back() {
    let (mut device, board) = at_position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", '1');
    let queens = |m: &Move| m.promotion == Some(Piece::Queen);
    let m = moves(&board).into_iter().find(queens).expect("a move");
    let keys = typed(&board, m);
    device.keys(&keys[..4]);
    assert!(device.text().ends_with("3R 4K 5B Q\r\n"));
    device.key('0');
    assert_eq!(device.text(), "0");
    assert_eq!(device.cell(square(Square::A7)), 2 | WHITE);
    assert_eq!(device.cell(square(Square::A8)), 0);
    device.keys(&keys);
    assert_eq!(device.cell(square(Square::A8)), 7 | WHITE);
}

#[test]
fn two_keys_at_once_and_short_ones_are_nothing() {
    let mut device = Device::game('2', '1');
    device.text();
    device.0.key("2", true).expect("a key");
    device.0.key("5", true).expect("a key");
    device.0.run(800_000);
    device.0.key("2", false).expect("a key");
    device.0.key("5", false).expect("a key");
    for _ in 0..20 {
        device.0.key("2", true).expect("a key");
        device.0.run(20_000);
        device.0.key("2", false).expect("a key");
        device.0.run(20_000);
    }
    device.0.key("A", true).expect("a key");
    device.0.run(800_000);
    device.0.key("A", false).expect("a key");
    device.0.run(800_000);
    assert_eq!(device.text(), "");
    device.key('2');
    assert_eq!(device.text(), "2");
}

#[test]
fn speed_chess_takes_kings() {
    let fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let m = |from, to| Move {
        from,
        to,
        promotion: None,
    };
    let (mut device, board) = at_position(fen, '5');
    // Into check, and taken.
    let shown = play(&mut device, &board, m(Square::E1, Square::F2));
    assert!(shown.contains("\r\nb"), "{shown}");
    device.keys("2423");
    let text = device.text();
    assert!(text.contains("b wins"), "{text}");
    // The machine is mated, goes on, and loses its king.
    let (mut device, board) = at_position("k7/8/1K6/8/8/8/8/7R w - - 0 1", '7');
    device.keys(&typed(&board, m(Square::H1, Square::H8))[..3]);
    device.tap('1', 80_000_000);
    let text = device.text();
    assert!(text.contains("\r\nb5:00 5:00 +8877\r\n"), "{text}");
    assert_eq!(device.cell(square(Square::B7)), BLACK | 6, "{text}");
    device.keys("6777");
    assert!(device.text().contains("w wins"));
    // Not so without it.
    let (mut device, board) = at_position("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", '1');
    device.keys(&typed(&board, m(Square::E1, Square::D1)));
    assert_eq!(device.leds(), 2);
}

#[test]
fn a_flag_falls() {
    let mut device = Device::game('2', '1');
    device.text();
    device.0.run(8_000_000 * 3);
    device.keys("2434");
    let text = device.text();
    assert!(text.contains("\r\nb4:57 5:00 "), "{text}");
    device.set_data(CLOCKS + 2, 0);
    device.set_data(CLOCKS + 3, 2);
    device.idle(8_000_000);
    device.0.run(8_000_000 * 3 / 2);
    assert_eq!(device.text(), "");
    device.0.run(8_000_000 * 5 / 2);
    let text = device.text();
    assert_eq!(text, "w wins\r\n\r1 tic-tac-toe 2 chess\r\n");
}

#[test]
fn the_position_is_what_the_program_has() {
    let mut device = Device::game('2', '1');
    device.keys("2444");
    let board: Board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        .parse()
        .expect("a position");
    assert_eq!(device.register(SIDE), BLACK);
    assert_eq!(device.cell(square(Square::E4)), 2 | WHITE);
    assert_eq!(board.piece_on(Square::E4), Some(Piece::Pawn));
}
