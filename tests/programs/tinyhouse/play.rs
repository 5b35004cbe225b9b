//! Lines typed at the serial line, and what it shows.

use super::device::{Device, SECOND, Thought, read, screens};
use crate::common::random::Random;
use crate::referee::tinyhouse::{Game, Move, PUZZLES, Position, Rules, START, Status, entries};
use scrimp_isa::Simulation;

#[test]
fn it_shows_the_position() {
    let mut device = Device::new(Rules::Text);
    let text = device.line("?", SECOND);
    let rows = "f m w k \r\n. . . p \r\nP . . . \r\nK W M F \r\n";
    assert_eq!(text, format!("?\r       6 ?\r\r\n\r\n{rows}w\r\n"));
    // Marks of what was a pawn, hands, Black.
    for entry in entries() {
        let position = Position::new(entry.fen);
        device.set_position(&position);
        if position.status(Rules::Text) == Status::Playing {
            let shown = screens(&device.line("?", SECOND));
            assert_eq!(shown.len(), 1);
            assert_eq!(shown[0].position, position);
            assert_eq!(shown[0].count, entry.perft[0][0]);
        }
    }
}

#[test]
fn moves_are_typed_in_any_case_and_with_both_letters_of_the_ma() {
    let mut device = Device::new(Rules::Text);
    let start = Position::new("1hwk/P3/3p/KWH1[HFf] w");
    let after = |text: &str| start.play(Move::parse(text).expect("a move"));
    for (line, want) in [
        ("b1b2", "b1b2"),
        ("B1b2", "b1b2"),
        ("a3a4w", "a3a4w"),
        ("a3b4F", "a3b4f"),
        ("a3b4h", "a3b4h"),
        ("A3B4M", "a3b4h"),
        ("H@d1", "H@d1"),
        ("m@a2", "H@a2"),
        ("f@D1", "F@d1"),
    ] {
        device.set_position(&start);
        let shown = screens(&device.line(line, SECOND));
        assert_eq!(shown.len(), 1, "{line}");
        assert_eq!(shown[0].position, after(want), "{line}");
        assert_eq!(read(&shown[0].word), Move::parse(want));
    }
    for line in [
        "",
        "?",
        "a",
        "b1",
        "b1b",
        "b1b4",
        "b1b1",
        "a3a4",
        "a3a4k",
        "a3a4p",
        "b1b2w",
        "b1b2 ",
        " b1b2",
        "b1b2b3",
        "W@d1",
        "K@d1",
        "F@b1",
        "F@",
        "@d1",
        "e1e2",
        "b0b1",
        "p",
        "px",
        "9x9x9",
        "b1b2b1b2b1",
        "\u{1b}[A",
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    ] {
        device.set_position(&start);
        // A digit is for the machine.
        let line = line.replace('9', "0");
        device.line(&line, SECOND);
        assert_eq!(device.position(), start, "{line}");
    }
}

/// Types all pairs of squares, promotions and drops, and accepts those only that are legal.
fn all_lines(device: &mut Device, position: &Position) -> usize {
    let mut all = Vec::new();
    for to in 0..16 {
        for from in 0..16 {
            all.push(Move::Walk { from, to });
            if !(4..12).contains(&to) {
                all.extend(b"WHFP".map(|piece| Move::Promote { from, to, piece }));
            }
        }
        all.extend(b"WHFP".map(|piece| Move::Drop { piece, to }));
    }
    device.set_position(position);
    let legal = position.moves(Rules::Text);
    let mut accepted = 0;
    for &m in &all {
        let mut copy = device.clone();
        let shown = screens(&copy.line(&m.to_string(), SECOND));
        if legal.contains(&m) {
            accepted += 1;
            assert_eq!(
                shown[0].position,
                position.play(m),
                "{} {m}",
                position.fen()
            );
        } else {
            assert_eq!(shown.len(), 1);
            assert_eq!(shown[0].position, *position, "{} {m}", position.fen());
            assert_eq!(shown[0].count, legal.len() as u64);
        }
    }
    assert_eq!(accepted, legal.len());
    accepted
}

/// Positions that come up when moves are chosen by chance.
fn by_chance(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut position = Position::start();
        for _ in 0..4 + random.below(40) {
            let moves = position.moves(Rules::Text);
            if moves.is_empty() {
                break;
            }
            position = position.play(random.pick(&moves));
        }
        if position.status(Rules::Text) == Status::Playing {
            all.push(position);
        }
    }
    all
}

#[test]
fn it_takes_legal_moves_only() {
    let mut device = Device::new(Rules::Text);
    for position in by_chance(2, 1) {
        all_lines(&mut device, &position);
    }
}

#[test]
#[ignore = "slow"]
fn slow_it_takes_legal_moves_only_at_a_hundred_positions() {
    let mut device = Device::new(Rules::Text);
    let positions = by_chance(100, 2);
    let accepted: usize = positions.iter().map(|p| all_lines(&mut device, p)).sum();
    assert!(accepted > 1000);
}

/// A game by chance, with every screen compared; says how it ended.
fn random_game(seed: u64) -> Status {
    let mut random = Random(seed);
    let mut device = Device::new(Rules::Text);
    let mut game = Game::new(Position::start(), Rules::Text);
    loop {
        let moves = game.position.moves(Rules::Text);
        let m = random.pick(&moves);
        game.play(m);
        let shown = screens(&device.line(&m.to_string(), SECOND));
        assert_eq!(shown[0].position, game.position, "{m}");
        let count = game.position.moves(Rules::Text).len();
        assert_eq!(shown[0].count, count as u64);
        let want = match game.status() {
            Status::Playing => {
                assert_eq!(shown.len(), 1);
                continue;
            }
            Status::Checkmate => '#',
            Status::Stalemate => '*',
            Status::Repetition => '=',
        };
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[1].ended, Some(want));
        assert_eq!(shown[1].position, Position::start());
        return game.status();
    }
}

#[test]
fn games_go_on_to_their_ends() {
    for seed in 0..4 {
        random_game(seed);
    }
}

#[test]
#[ignore = "slow"]
fn slow_many_games_go_on_to_their_ends() {
    let ends: Vec<_> = (100..200).map(random_game).collect();
    for status in [Status::Checkmate, Status::Stalemate] {
        assert!(ends.contains(&status));
    }
}

#[test]
fn the_third_time_is_a_draw() {
    let mut device = Device::new(Rules::Text);
    let mut game = Game::new(Position::start(), Rules::Text);
    for text in ["b1b2", "c4c3", "b2b1", "c3c4"].iter().cycle() {
        game.play(Move::parse(text).expect("a move"));
        let shown = screens(&device.line(text, SECOND));
        if game.status() == Status::Repetition {
            assert_eq!(shown[1].ended, Some('='));
            break;
        }
        assert_eq!(shown.len(), 1);
    }
    assert_eq!(game.times(), 3);
    // The next game does not remember this one.
    for text in ["b1b2", "c4c3", "b2b1", "c3c4"] {
        assert_eq!(screens(&device.line(text, SECOND)).len(), 1);
    }
}

#[test]
fn the_last_move_is_not_played_in_the_next_game() {
    let mut device = Device::new(Rules::Text);
    let m = Move::parse("b1b2").expect("a move");
    device.set_position(&Position::start().play(m));
    for text in ["c4c3", "b2b1", "c3c4", "b1b2"].repeat(2) {
        device.line(text, SECOND);
    }
    assert_eq!(device.position(), Position::start());
}

#[test]
fn it_counts_games_on_request() {
    for (rules, numbers) in [
        (Rules::Text, [6, 33, 241, 1855]),
        (Rules::Author, [6, 33, 246, 1939]),
    ] {
        let mut device = Device::new(rules);
        for (plies, want) in (1..).zip(numbers) {
            let shown = screens(&device.line(&format!("p{plies}"), 10 * SECOND));
            assert_eq!(shown[0].count, want);
            assert_eq!(shown[0].position, Position::start());
        }
    }
}

/// Types `pN` for all positions and plies with at most so many games.
fn typed_perft(most: u64) {
    for rules in [Rules::Text, Rules::Author] {
        let mut device = Device::new(rules);
        for entry in entries() {
            let position = Position::new(entry.fen);
            if position.status(rules) != Status::Playing {
                continue;
            }
            let numbers = &entry.perft[usize::from(rules == Rules::Author)];
            for (plies, &want) in (1..).zip(numbers).filter(|n| *n.1 <= most) {
                device.set_position(&position);
                let text = device.line(&format!("p{plies}"), most * SECOND);
                assert_eq!(screens(&text)[0].count, want, "{} {plies}", entry.name);
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn slow_it_counts_games_everywhere() {
    typed_perft(3000);
}

/// 7,900 million clocks for the two, eight minutes of the chip.
#[test]
#[ignore = "nightly"]
fn nightly_it_counts_games_to_depth_seven() {
    for (rules, want) in [(Rules::Text, 1_355_253), (Rules::Author, 1_519_568)] {
        let mut device = Device::new(rules);
        let begin = device.sim.cycles();
        let shown = screens(&device.line("p7", 10_000 * SECOND));
        assert_eq!(shown[0].count, want);
        println!("{} clocks", device.sim.cycles() - begin);
    }
    typed_perft(100_000);
}

#[test]
fn it_finds_mates() {
    for (fen, line) in &PUZZLES[..3] {
        let mut device = Device::new(Rules::Text);
        device.set_position(&Position::new(fen));
        let found = device.think(line.len() as u8 + 1).answer;
        assert_eq!(Some(found), Move::parse(line[0]), "{fen}");
    }
}

#[test]
#[ignore = "slow"]
fn slow_it_finds_the_mate_in_four() {
    let (fen, line) = PUZZLES[3];
    let mut device = Device::new(Rules::Text);
    device.set_position(&Position::new(fen));
    let found = device.think(line.len() as u8 + 1);
    println!("{} clocks", found.clocks);
    assert_eq!(Some(found.answer), Move::parse(line[0]));
}

/// The machine plays a puzzle's winner at the line, the defender by the list of moves, all
/// of them in turn; every game must end in mate in time.
fn solve(fen: &str, plies: usize) -> u64 {
    let mut longest = 0;
    let mut todo = vec![Position::new(fen)];
    let plies = plies as u8;
    while let Some(position) = todo.pop() {
        let mut level = plies;
        // How many plies are left can be told from the side and the men: by search.
        while level > 0 && !mates(&position, level) {
            level -= 2;
        }
        let mut device = Device::new(Rules::Text);
        device.set_position(&position);
        let thought = device.think(level + 1);
        longest = longest.max(thought.clocks);
        let m = thought.answer;
        let next = position.play(m);
        if next.status(Rules::Text) == Status::Checkmate {
            continue;
        }
        assert!(level > 1, "{} {m}", position.fen());
        for answer in next.moves(Rules::Text) {
            let after = next.play(answer);
            assert!(mates(&after, level - 2), "{} {m} {answer}", position.fen());
            todo.push(after);
        }
    }
    longest
}

/// Whether the side to move mates within so many plies.
fn mates(position: &Position, plies: u8) -> bool {
    position.moves(Rules::Text).into_iter().any(|m| {
        let next = position.play(m);
        match next.status(Rules::Text) {
            Status::Checkmate => true,
            Status::Playing if plies > 2 => next
                .moves(Rules::Text)
                .into_iter()
                .all(|a| mates(&next.play(a), plies - 2)),
            _ => false,
        }
    })
}

#[test]
fn it_solves_puzzles_against_every_defence() {
    for (fen, line) in &PUZZLES[..2] {
        solve(fen, line.len());
    }
}

#[test]
fn it_plays_either_side_and_stops() {
    let mut device = Device::new(Rules::Text);
    let mut game = Game::new(Position::start(), Rules::Text);
    let mut go = |device: &mut Device, line: &str| {
        let shown = screens(&device.line(line, 20 * SECOND));
        let mut last = 0;
        for (n, s) in shown.iter().enumerate() {
            if let Some(m) = read(&s.word) {
                assert!(game.position.moves(Rules::Text).contains(&m), "{m}");
                game.play(m);
                assert_eq!(s.position, game.position);
                last = n;
            }
        }
        assert_eq!(last, shown.len() - 1, "{line}");
        shown.len()
    };
    // White at level 3, Black answers.
    assert_eq!(go(&mut device, "3"), 2);
    assert_eq!(go(&mut device, "d3d2"), 2);
    // Nobody.
    let shown = screens(&device.line("0", SECOND));
    assert_eq!(shown.len(), 1);
    let text = device.position().moves(Rules::Text)[0].to_string();
    assert_eq!(go(&mut device, &text), 1);
    // White again, at another level.
    assert_eq!(go(&mut device, "2"), 2);
    // And Black in another game.
    let mut device = Device::new(Rules::Text);
    let shown = screens(&device.line("a2a3", SECOND));
    assert_eq!(shown.len(), 1);
    let shown = screens(&device.line("3", SECOND));
    assert_eq!(shown.len(), 2);
    assert!(shown[1].position.white);
    assert_ne!(shown[1].position.fen(), START);
}

#[test]
fn stack_and_positions_stay_apart() {
    let mut device = Device::new(Rules::Text);
    let position = Position::new("4/H2k/1K1p/4[WPwhffp] w");
    device.set_position(&position);
    let Thought { clocks, stack, .. } = device.think(4);
    println!("{clocks} clocks, {stack} bytes of stack");
    // Level 9 has five plies more, and a position for each of its ten plies; LAST leaves $240
    // bytes, but up to a page less for a position that began before it.
    let room = 0x4100 - 0x100 * device.at("LAST");
    assert!(stack + 5 * 26 + 20 * 11 < room.into(), "{stack}");
}

/// On a chip with less memory games are shorter.
#[test]
fn it_plays_on_an_atmega328p() {
    let mut device = Device::small();
    let shown = screens(&device.line("p4", 10 * SECOND));
    assert_eq!(shown[0].count, 1855);
    let shown = screens(&device.line("3", 10 * SECOND));
    assert_eq!(shown.len(), 2);
    // The first position whose page is LAST is the last.
    let room = 0x100 * device.at("LAST") - device.at("base");
    let longest = room.div_ceil(20);
    let mut drawn = false;
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut device = Device::small();
        let mut game = Game::new(Position::start(), Rules::Text);
        for n in 1..=longest {
            let m = random.pick(&game.position.moves(Rules::Text));
            game.play(m);
            let shown = screens(&device.line(&m.to_string(), SECOND));
            assert_eq!(shown[0].position, game.position, "{m}");
            let over = game.status() != Status::Playing;
            assert_eq!(shown.len(), if over || n == longest { 2 } else { 1 });
            if over {
                break;
            }
            if n == longest {
                assert_eq!(shown[1].ended, Some('='));
                drawn = true;
            }
        }
    }
    assert!(drawn);
}

#[test]
fn noise_on_the_line_does_no_harm() {
    let mut random = Random(5);
    let mut device = Device::new(Rules::Text);
    for _ in 0..100 {
        let length = random.below(30);
        let noise: String = (0..length)
            .map(|_| char::from(random.below(128) as u8))
            .filter(|c| !c.is_ascii_digit() && *c != '\r')
            .collect();
        device.line(&noise, SECOND);
        // It may have been a move, which is most unlikely.
        assert_eq!(device.position(), Position::start(), "{noise:?}");
    }
}
