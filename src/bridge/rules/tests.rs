//! Known numbers of games, notation, positions that are none, ends.

use super::*;

fn perft(position: &Position, plies: u32) -> u64 {
    let all = position.moves();
    if plies == 1 {
        return all.len() as u64;
    }
    let next = all.into_iter().map(|m| perft(&position.play(m), plies - 1));
    next.sum()
}

#[test]
fn known_numbers_of_games() {
    assert_eq!(perft(&Position::start(Game::Chess), 3), 8902);
    assert_eq!(perft(&Position::start(Game::Tinyhouse), 4), 1855);
    let kiwi = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let kiwi = Position::read(Game::Chess, kiwi).unwrap();
    assert_eq!(perft(&kiwi, 3), 97_862);
}

#[test]
fn moves_are_read_as_they_are_written() {
    let fens = [
        (
            Game::Chess,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        ),
        (Game::Chess, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        (Game::Chess, "1n2k3/P7/8/8/1N6/8/8/1N2K1N1 w - - 0 1"),
        (
            Game::Chess960,
            "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
        ),
        (Game::Chess960, "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"),
        (Game::Tinyhouse, "4/H2k/1K1p/4[WPwhffp] w"),
        (Game::Tinyhouse, "1h2/1P1k/2w1/1KhF[Wwf] b - - 0 1"),
    ];
    for (game, fen) in fens {
        let position = Position::read(game, fen).unwrap();
        let again = Position::read(game, &position.fen()).unwrap();
        assert!(position.same(&again), "{fen}");
        let all = position.moves();
        assert!(!all.is_empty());
        for &m in &all {
            for text in [position.text(m), position.xboard(m), position.san(m)] {
                assert_eq!(position.find(&text), Some(m), "{text} in {fen}");
            }
        }
    }
}

#[test]
fn short_notation_tells_men_apart() {
    let fen = "4k3/8/8/R6R/8/8/8/R3K3 w Q - 0 1";
    let position = Position::read(Game::Chess, fen).unwrap();
    let san = |text: &str| position.san(position.find(text).unwrap());
    assert_eq!(san("a5a3"), "R5a3");
    assert_eq!(san("a5c5"), "Rac5");
    assert_eq!(san("h5h8"), "Rh8+");
    assert_eq!(san("e1c1"), "O-O-O");
    let mate = Position::read(Game::Chess, "7k/R7/8/8/8/8/8/1R2K3 w - - 0 1").unwrap();
    assert_eq!(mate.san(mate.find("b1b8").unwrap()), "Rb8#");
}

#[test]
fn positions_that_are_none_are_refused() {
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "9999999999999999999999999999999/8/8/8/8/8/8/4K3 b K - 0 1",
        "4k3/8/8/8/8/8/8/4K3\u{e9} w - - 0 1",
    ] {
        assert!(Position::read(Game::Chess, fen).is_err(), "{fen}");
    }
    for fen in [
        "fhwk/3p/P3/KWHF w",
        "fhwk/3p/P3/KWHF[PPP] w",
        "fhwk/3p/P3/KWH5[] w",
        "fhwk/3p/P3/KWH44444444444444444444444444444444444444444444444444444444444444444[] w",
        "fhwk/3p/P3/~KWHF[] w",
        "fhw1/3p/P3/KWHF[] w",
        "fhwk/3p/P3/KWHF[] x",
        "Phwk/3p/P3/KWHF[] w",
        "3k/4/w3/K3[] b",
    ] {
        assert!(Position::read(Game::Tinyhouse, fen).is_err(), "{fen}");
    }
}

#[test]
fn games_end() {
    let play = |game, start: &str, moves: &str| {
        let start = Position::read(game, start).unwrap();
        let mut record = Record::new(game, start);
        for m in moves.split(' ').filter(|m| !m.is_empty()) {
            assert_eq!(record.end(), None, "{m}");
            record.play(record.now().find(m).unwrap());
        }
        record.end().unwrap()
    };
    let start = Position::start(Game::Chess).fen();
    let end = play(Game::Chess, &start, "f2f3 e7e5 g2g4 Qh4");
    assert_eq!((end.result(), end.text()), ("0-1", "Black mates"));
    let end = play(Game::Chess, &start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(end.reason, Reason::Repetition);
    let end = play(Game::Chess, "7k/8/5K2/6Q1/8/8/8/8 w - - 98 1", "g5g4 h8h7");
    assert_eq!(end.reason, Reason::Fifty);
    let end = play(Game::Chess, "7k/5K2/8/6P1/8/8/8/8 w - - 0 1", "g5g6");
    assert_eq!((end.reason, end.winner), (Reason::Stalemate, None));
    let end = play(Game::Chess, "k7/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2");
    assert_eq!(end.reason, Reason::Material);
    let end = play(Game::Tinyhouse, "4/2h1/3k/K3[w] b", "W@a2");
    assert_eq!((end.reason, end.winner), (Reason::Mate, Some(false)));
}
