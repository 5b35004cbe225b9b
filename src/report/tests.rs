//! Reports on a hand-made image.

use super::diff::{Changes, Key};
use super::*;
use crate::diagnostic::codes;
use crate::image::origin::owners;
use crate::image::{Budget, Run};
use crate::write::example::{Example, example};

fn sizes(e: &Example) -> Sizes {
    Sizes::of("demo", &e.image, &e.sources, e.target)
}

/// The same with `draw` 3 bytes longer, `board` gone and `last` in its place.
fn later() -> Example {
    let mut e = example();
    let c = &mut e.image.chunks[0];
    c.bytes.extend([0; 3]);
    let mut runs: Vec<Run> = c.runs.iter().collect();
    runs.last_mut().unwrap().len += 3;
    c.runs = runs.into_iter().collect();
    let t = &mut e.image.chunks[1];
    t.runs = t.runs.iter().map(|r| Run { owner: 5, ..r }).collect();
    e
}

#[test]
fn sums_are_the_size_of_the_image() {
    for e in [example(), later()] {
        let s = sizes(&e);
        let len = e.image.len() as u64;
        assert_eq!(s.total, len);
        assert_eq!(s.sections.iter().map(|s| s.total).sum::<u64>(), len);
        assert_eq!(s.routines.iter().map(|r| r.total).sum::<u64>(), len);
        assert_eq!(s.classes().total(), len);
        let used: u64 = s.regions.iter().map(|r| r.used).sum();
        assert_eq!(used + s.outside, len);
        let owned: u64 = owners(&e.image, 0..u64::MAX).iter().map(|o| o.1).sum();
        assert_eq!(owned, len);
    }
}

/// A machine with three spaces, one of which only has room.
fn spaces() -> Example {
    let mut e = example();
    let space = |name, base, unit, stored| scrimp_isa::Space {
        name,
        base,
        size: 0x1_0000,
        unit,
        stored,
    };
    e.image.spaces = vec![
        space("flash", 0, 2, true),
        space("data", 0x80_0000, 1, false),
        space("eeprom", 0x81_0000, 1, true),
    ];
    let region = |name: &str, start, size| crate::image::Region {
        name: name.into(),
        start,
        size,
    };
    e.image.regions = vec![
        region("flash", 0, 0x8000),
        region("sram", 0x80_0060, 512),
        region("eeprom", 0x81_0000, 64),
    ];
    let t = &mut e.image.chunks[1];
    (t.address, t.load) = (0x80_00A0, 0x80_00A0);
    let mut saved = t.clone();
    saved.section = 2;
    (saved.address, saved.load) = (0x81_0004, 0x81_0004);
    let owner = crate::image::NONE;
    saved.runs = saved
        .runs
        .iter()
        .take(1)
        .map(|r| Run { owner, ..r })
        .collect();
    saved.bytes.truncate(10);
    e.image.chunks.push(saved);
    e.image.sections[1].region = 1;
    let mut section = e.image.sections[1].clone();
    section.name = "saved".into();
    section.region = 2;
    e.image.sections.push(section);
    for s in &mut e.image.symbols {
        s.address = s.address.map(|a| {
            if s.section == 1 {
                a + 0x80_0000 - 0x4000
            } else {
                a
            }
        });
    }
    e
}

#[test]
fn room_in_memory_is_no_byte_of_the_program() {
    let e = spaces();
    let s = sizes(&e);
    assert_eq!(s.total, 11 + 10);
    assert_eq!(s.total as usize, e.image.stored_len());
    let stored = |room: bool| s.sections.iter().filter(move |s| s.room == room);
    assert_eq!(stored(false).map(|s| s.total).sum::<u64>(), s.total);
    assert_eq!(stored(true).map(|s| s.total).sum::<u64>(), 113);
    let routines = s.routines.iter().filter(|r| !r.room);
    assert_eq!(routines.map(|r| r.total).sum::<u64>(), s.total);
    assert_eq!(s.classes().total(), s.total);
    let spaces: Vec<_> = s
        .spaces
        .iter()
        .map(|s| (&*s.name, s.bytes, s.room))
        .collect();
    assert_eq!(
        spaces,
        [
            ("flash", 11, false),
            ("data", 113, true),
            ("eeprom", 10, false)
        ]
    );
    assert_eq!(Sizes::from_json(&s.to_json()), Ok(s.clone()));
    insta::assert_snapshot!(text::text(&s, None));
    insta::assert_snapshot!(markdown::markdown(&s, None));
}

#[test]
fn a_budget_may_name_a_region_or_a_space() {
    let e = spaces();
    let s = sizes(&e);
    let budget = |name: &str, limit| Budget {
        name: name.into(),
        limit,
        span: None,
    };
    let budgets = [
        budget("total", 21),
        budget("flash", 11),
        budget("sram", 100),
        budget("data", 120),
        budget("eeprom", 9),
    ];
    let checks = budget::check(&e.image, &s, &budgets, None).expect("all are known");
    let used: Vec<_> = checks.iter().map(|c| (c.used, c.over)).collect();
    assert_eq!(used, [(21, 0), (11, 0), (113, 13), (113, 0), (10, 1)]);
    let d = budget::exceeded(&checks[2], &s, None);
    assert!(
        d.message
            .starts_with("the region `sram` has 113 bytes, 13 over"),
        "{}",
        d.message
    );
    assert!(d.notes[0].contains("board"), "{:?}", d.notes);
    assert!(budget::check(&e.image, &s, &[budget("sarm", 1)], None).is_err());
}

#[test]
fn what_is_used() {
    let e = example();
    let uses = uses::Uses::of(&e.image, e.target);
    assert_eq!(uses.instructions, 7);
    let find = |list: &[uses::Use], name: &str| {
        let found = list.iter().find(|u| u.name == name);
        found.map(|u| u.count)
    };
    assert_eq!(find(&uses.mnemonics, "ld"), Some(3));
    assert_eq!(find(&uses.mnemonics, "nop"), Some(2));
    assert_eq!(find(&uses.mnemonics, "jr"), Some(1));
    assert_eq!(find(&uses.mnemonics, "halt"), Some(0));
    assert_eq!(find(&uses.words, "b"), Some(2));
    assert_eq!(find(&uses.words, "a"), Some(1));
    assert_eq!(find(&uses.words, "nz"), Some(1));
    let text = uses.text(&sizes(&e));
    assert!(
        text.contains("instructions: 7 in the program, 4 of"),
        "{text}"
    );
    assert!(text.contains("124    1,015   12.2 %"), "{text}");
}

#[test]
fn people_see_bars() {
    insta::assert_snapshot!(text::text(&sizes(&example()), None));
}

#[test]
fn people_see_changes() {
    let (a, b) = (sizes(&example()), sizes(&later()));
    let changes = Changes::between(&a, &b);
    insta::assert_snapshot!(text::text(&b, Some(&changes)));
}

#[test]
fn tables_in_markdown() {
    let (a, b) = (sizes(&example()), sizes(&later()));
    let changes = Changes::between(&a, &b);
    insta::assert_snapshot!(markdown::markdown(&b, Some(&changes)));
    assert!(!markdown::markdown(&a, None).contains("change"));
}

#[test]
fn json_comes_back() {
    let s = sizes(&example());
    assert_eq!(Sizes::from_json(&s.to_json()), Ok(s.clone()));
    insta::assert_snapshot!(s.to_json());
    for bad in ["", "{}", "[]", "{\"schema\": 1}", "{\"schema\": 99}", "\0"] {
        assert!(Sizes::from_json(bad).is_err(), "{bad}");
    }
}

#[test]
fn changes_add_up() {
    let (a, b) = (sizes(&example()), sizes(&later()));
    let c = Changes::between(&a, &b);
    assert_eq!(c.total(), 3);
    assert_eq!(c.sections().map(|r| r.change()).sum::<i64>(), 3);
    assert_eq!(c.routines().map(|r| r.change()).sum::<i64>(), 3);
    let key = |n: &str| Key::Routine("tables".into(), Some(n.into()));
    assert_eq!(c.find(&key("board")).unwrap().after, None);
    assert_eq!(c.find(&key("board")).unwrap().change(), -112);
    assert_eq!(c.find(&key("last")).unwrap().before, Some(1));
    insta::assert_snapshot!(c.text());
    insta::assert_snapshot!(c.to_json());
    let same = Changes::between(&a, &a);
    assert_eq!(same.text(), "124 → 124 bytes, 0\n");
}

#[test]
fn owners_of_a_range_are_ranked() {
    let e = example();
    let of = |range| owners(&e.image, range);
    let own = |n: &str, b| (n.to_owned(), b);
    assert_eq!(
        of(0x4080..0x40B0),
        [own("board", 16), own("start", 10), own("draw", 1)]
    );
    assert_eq!(of(0x4083..0x4084), [own("start", 1)]);
    assert_eq!(of(0x4200..0x4300), []);
}

fn budget(name: &str, limit: u64) -> Budget {
    Budget {
        name: name.into(),
        limit,
        span: None,
    }
}

#[test]
fn budgets_hold_or_not() {
    let e = example();
    let s = sizes(&e);
    let list = [
        budget("total", 124),
        budget("code", 10),
        budget("draw", 4),
        budget("last", 0),
    ];
    let checks = budget::check(&e.image, &s, &list, None).unwrap();
    let figures: Vec<_> = checks.iter().map(|c| (c.used, c.free, c.over)).collect();
    assert_eq!(figures, [(124, 0, 0), (11, 0, 1), (1, 3, 0), (1, 0, 1)]);
    assert_eq!(checks.iter().filter(|c| c.holds()).count(), 2);
    insta::assert_snapshot!(budget::text(&checks));
}

#[test]
fn an_exceeded_budget_names_who_has_the_bytes_and_what_grew() {
    let e = later();
    let (before, s) = (sizes(&example()), sizes(&e));
    let list = [budget("total", 120), budget("code", 10)];
    let checks = budget::check(&e.image, &s, &list, Some(&before)).unwrap();
    assert_eq!(checks[1].change, Some(3));
    for c in &checks {
        let d = budget::exceeded(c, &s, Some(&before));
        assert_eq!(d.code, codes::BUDGET);
        let mut out = d.message.clone();
        for note in &d.notes {
            out.push('\n');
            out.push_str(note);
        }
        insta::assert_snapshot!(out);
    }
}

#[test]
fn a_budget_on_a_label_without_bytes_counts_its_neighbour() {
    let mut e = example();
    let mut twin = e.image.symbols[3].clone();
    twin.name = "paint".into();
    e.image.symbols.push(twin);
    let s = sizes(&e);
    let checks = budget::check(&e.image, &s, &[budget("paint", 0)], None).unwrap();
    assert_eq!((checks[0].used, checks[0].over), (1, 1));
    assert_eq!(checks[0].measured.as_deref(), Some("draw"));
}

#[test]
fn a_budget_on_nothing_is_a_fault() {
    let e = example();
    let s = sizes(&e);
    let list = [
        budget("drwa", 9),
        budget("start.loop", 9),
        budget("ROWS", 9),
    ];
    let faults = budget::check(&e.image, &s, &list, None).unwrap_err();
    assert_eq!(faults.len(), 3);
    assert_eq!(faults[0].help.as_deref(), Some("did you mean `draw`?"));
}

#[test]
fn the_board() {
    let row = board::Row {
        sizes: sizes(&example()),
        containers: vec![("p".into(), 240)],
    };
    insta::assert_snapshot!(board::board(&[row]));
}

#[test]
fn pictures() {
    insta::assert_snapshot!(svg::byte_map("a<b", &example().image));
    let screen = scrimp_isa::Screen {
        text: vec!["A <".into(), "   ".into()],
        inverse: vec![vec![true, false, false], vec![false, false, true]],
        ..Default::default()
    };
    insta::assert_snapshot!(svg::screen(&screen));
    svg::byte_map("", &crate::image::Image::default());
    svg::screen(&scrimp_isa::Screen::default());
}

#[test]
fn figures() {
    assert_eq!(percent(1, 3), "33.3 %");
    assert_eq!(percent(0, 0), "0.0 %");
    assert_eq!(percent(3, 3), "100.0 %");
    assert_eq!(signed(-1234), "−1,234");
    assert_eq!(signed(0), "0");
    assert_eq!(signed(7), "+7");
}
