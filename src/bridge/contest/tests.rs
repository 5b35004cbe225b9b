//! Matches by players that move by chance.

use super::*;

/// Makes legal moves by chance, or something else at a ply.
struct Chance {
    state: u64,
    odd: Option<(usize, Fault)>,
}

impl Player for Chance {
    fn begin(&mut self, _: Game, _: &Position, seed: u64) -> Result<(), Fault> {
        self.state = seed;
        Ok(())
    }

    fn think(&mut self, record: &Record, _: &mut dyn FnMut() -> Order) -> Result<Move, Fault> {
        if let Some((ply, fault)) = &self.odd
            && record.moves().len() >= *ply
        {
            return Err(fault.clone());
        }
        self.state = mix(self.state, 1);
        let all = record.now().moves();
        Ok(all[(self.state % all.len() as u64) as usize])
    }
}

fn chance() -> Chance {
    Chance {
        state: 0,
        odd: None,
    }
}

fn plan(game: Game, games: u32) -> Plan {
    Plan {
        players: vec!["one".into(), "two \"2\" \\".into()],
        game,
        games,
        seed: 5,
        most_plies: 120,
        openings: Openings::Chance(4),
    }
}

fn games(plan: &Plan, numbers: impl Iterator<Item = u32>) -> Vec<Kept> {
    let one = |number| {
        let pairing = plan.pairing(number);
        let played = play(plan, &pairing, &mut chance(), &mut chance(), &mut || {
            Order::Wait
        });
        let (record, ended) = played.expect("nobody leaves");
        write(plan, &pairing, &record, &ended)
    };
    numbers.map(one).collect()
}

#[test]
fn parts_are_together_what_one_run_is() {
    for game in [Game::Chess, Game::Chess960, Game::Tinyhouse] {
        let plan = plan(game, 10);
        let whole = games(&plan, 1..=10);
        let mut parts = games(&plan, (1..=10).filter(|n| n % 3 == 1));
        parts.extend(games(&plan, (1..=10).filter(|n| n % 3 == 2)));
        parts.extend(games(&plan, (1..=10).filter(|n| n % 3 == 0)));
        parts.sort_by_key(|k| k.number);
        assert_eq!(parts, whole);
        assert_eq!(table(&rows(&parts)), table(&rows(&whole)));
    }
}

#[test]
fn games_are_read_as_they_were_written() {
    for game in [Game::Chess, Game::Chess960, Game::Tinyhouse] {
        let whole = games(&plan(game, 6), 1..=6);
        let text: String = whole.iter().map(|k| k.text.as_str()).collect();
        assert!(text.lines().all(|l| l.chars().count() < 256));
        assert_eq!(read(&text).unwrap(), whole);
        assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), whole);
        // Cut off anywhere, what is whole is read.
        for cut in [text.len() - 1, text.len() - 20, text.len() / 2] {
            let cut = (0..=cut).rev().find(|&c| text.is_char_boundary(c)).unwrap();
            let some = read(&text[..cut]).unwrap();
            assert_eq!(some[..], whole[..some.len()]);
            assert!(some.len() < whole.len());
        }
    }
    assert!(read("[Event \"x\"]\n\n1. e4 *\n\n").is_err());
    assert_eq!(read("\n\n"), Ok(Vec::new()));
}

#[test]
fn moves_of_a_game_can_be_played_again() {
    let kept = &games(&plan(Game::Chess, 2), 2..=2)[0];
    let (_, moves) = kept.text.split_once("\n\n").unwrap();
    let moves = moves.split('{').next().unwrap();
    let mut now = Position::start(Game::Chess);
    for san in moves.split_whitespace().filter(|w| !w.ends_with('.')) {
        let m = now
            .find(san)
            .unwrap_or_else(|| panic!("{san} in {}", now.fen()));
        assert_eq!(now.san(m), san);
        now = now.play(m);
    }
}

#[test]
fn colours_change_and_openings_come_twice() {
    let plan = plan(Game::Chess, 8);
    for n in (1..=8).step_by(2) {
        let (a, b) = (plan.pairing(n), plan.pairing(n + 1));
        assert_eq!((a.seats, b.seats), ([0, 1], [1, 0]));
        assert_eq!(a.opening.moves, b.opening.moves);
        assert_ne!(a.seed, b.seed);
    }
    assert_ne!(plan.pairing(1).opening.moves, plan.pairing(3).opening.moves);
    let mut three = plan.clone();
    three.players.push("three".into());
    assert_eq!(three.count(), 24);
    assert_eq!(three.pairing(9).seats, [0, 2]);
    assert_eq!(three.pairing(24).seats, [2, 1]);
    assert_ne!(three.name(), plan.name());
}

#[test]
fn who_makes_no_move_has_lost() {
    let plan = plan(Game::Chess, 2);
    let ended = |fault: Fault| {
        let mut bad = chance();
        bad.odd = Some((6, fault));
        let pairing = plan.pairing(1);
        play(&plan, &pairing, &mut bad, &mut chance(), &mut || {
            Order::Wait
        })
        .map(|p| p.1)
    };
    let of = |fault| ended(fault).map(|e| (e.result, e.termination));
    let why = || "why".to_owned();
    assert_eq!(of(Fault::Illegal(why())), Some(("0-1", "rules infraction")));
    assert_eq!(of(Fault::Silent(why())), Some(("0-1", "abandoned")));
    assert_eq!(of(Fault::Resigned(why())), Some(("0-1", "normal")));
    assert_eq!(of(Fault::Cannot(why())), Some(("*", "unterminated")));
    assert_eq!(of(Fault::Left), None);
}

#[test]
fn points_and_their_error() {
    let kept = |number: u32, result: &str| {
        let swap = number.is_multiple_of(2);
        let names = if swap { ["b", "a"] } else { ["a", "b"] };
        Kept {
            number,
            of: "m".into(),
            count: 4,
            players: names.map(str::to_owned),
            in_order: !swap,
            opening: (number - 1) / 2,
            result: result.into(),
            text: String::new(),
        }
    };
    // The first wins twice with White and draws twice with Black.
    let all = [
        kept(1, "1-0"),
        kept(2, "1/2-1/2"),
        kept(3, "1-0"),
        kept(4, "0-1"),
    ];
    let rows = rows(&all);
    assert_eq!(rows[0].games, [3, 1, 0]);
    assert!((rows[0].score - 0.875).abs() < 1e-9);
    // Two openings with 0.75 and 1: a standard error of 0.125.
    assert!((rows[0].error - 1.96 * 0.125).abs() < 1e-9);
    let text = table(&rows);
    assert!(
        text.starts_with("a against b: 4 games, +3 =1 -0, 0.875 ± 0.245 (95 %), Elo +338"),
        "{text}"
    );
}

#[test]
fn openings_are_read() {
    let text = "# own\nmoves e2e4 e7e5\n1. d4 d5 2. c4\n\n\
                4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; # an EPD\n\
                4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8e7\n";
    let Ok(Openings::List(all, _)) = Openings::read(Game::Chess, text) else {
        panic!("it is one");
    };
    let counts: Vec<usize> = all.iter().map(|o| o.moves.len()).collect();
    assert_eq!(counts, [2, 3, 0, 2]);
    for (bad, line) in [
        ("e2e5", "line 1"),
        ("e2e4\n4k3/8 w", "line 2"),
        ("#", "no opening"),
    ] {
        let why = Openings::read(Game::Chess, bad).err().unwrap();
        assert!(why.contains(line), "{why}");
    }
}
