//! Lua in sources of sjasmplus: the bytes that the original makes, what is refused, and
//! scripts that do not end.

#![cfg(feature = "lua")]

use crate::common::{difference, findings};
use scrimp::diagnostic::Diagnostic;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Linking, Output, assemble_linked, targets};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects/sjasmplus-lua")
}

/// A source beside the files of the folder, its scripts allowed or not.
fn assembled(source: &str, scripts: bool) -> Output {
    let mut all = targets::all().iter().copied();
    let job = Job {
        file: "main.asm".into(),
        target: all.find(|t| t.name() == "z80").expect("the Z80"),
        machine: None,
        dialect: "sjasmplus".into(),
        defines: Vec::new(),
    };
    let linking = Linking {
        scripts,
        ..Linking::default()
    };
    let include = std::fs::read(folder().join("include.lua")).expect("the included script");
    let loader = MemoryLoader::default()
        .with("main.asm", source.as_bytes())
        .with("include.lua", include);
    assemble_linked(&job, &linking, &loader)
}

/// Line and message of each finding.
fn told(out: &Output) -> Vec<(usize, String)> {
    let line = |d: &Diagnostic| {
        let span = out.sources.in_file(d.span.expect("a place"));
        let source = out.sources.get(span.source);
        (source.line_column(span.start).0, d.message.clone())
    };
    out.diagnostics.iter().map(line).collect()
}

fn script(text: &str) -> Output {
    assembled(
        &format!(" org 0\n lua allpass\n{text}\n endlua\n nop\n"),
        true,
    )
}

#[test]
fn scripts_write_what_the_original_has_them_write() {
    let names = ["bytes", "devices", "include", "macros", "memory", "passes"];
    for name in names {
        let read = |end: &str| {
            let path = folder().join(format!("{name}.{end}"));
            std::fs::read_to_string(path).expect("a golden")
        };
        let wanted: Vec<u8> = read("hex")
            .split_whitespace()
            .map(|w| u8::from_str_radix(w, 16).expect("two hex digits"))
            .collect();
        let out = assembled(&read("asm"), true);
        let found = findings(&out);
        let image = out.image.unwrap_or_else(|| panic!("{name}: {found}"));
        let differs = difference(&image.binary(0), &wanted);
        assert!(differs.is_none(), "{name}: {differs:?}");
    }
}

#[test]
fn scripts_have_what_older_versions_had() {
    let out = script(
        "local a, b = unpack({1, 2})\nsj.add_byte(a)\nsj.add_byte(b)\nsj.add_byte(table.getn({7, 8, 9}))\n\
         sj.add_byte(math.pow(2, 5) // 1)",
    );
    let found = findings(&out);
    let image = out.image.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(image.binary(0), [1, 2, 3, 32, 0]);
}

#[test]
fn scripts_run_where_that_is_asked_for() {
    for source in [
        " nop\n lua allpass\n _pc('nop')\n endlua\n",
        " nop\n includelua \"include.lua\"\n",
    ] {
        let out = assembled(source, false);
        assert!(out.image.is_none());
        assert_eq!(told(&out), [(2, "Lua is switched off".to_owned())]);
        let help = out.diagnostics[0].help.as_deref();
        assert!(help.is_some_and(|h| h.contains("--lua")), "{help:?}");
    }
}

#[test]
fn scripts_reach_nothing_outside() {
    for (text, wanted) in [
        ("io.open('main.asm')", "io.open is not there"),
        ("os.execute('ls')", "os.execute is not there"),
        ("os.getenv('HOME')", "os.getenv is not there"),
        ("require('socket')", "require is not there"),
        ("dofile('include.lua')", "dofile is not there"),
        ("loadfile('include.lua')", "loadfile is not there"),
        ("debug.getregistry()", "debug.getregistry is not there"),
        ("package.loadlib('a', 'b')", "package.loadlib is not there"),
        (
            "load(string.char(27) .. 'Lua')()",
            "attempt to call a nil value",
        ),
        ("string.dump(print)", "attempt to call a nil value"),
        ("sj.shellexec('ls')", "a source starts no program"),
        ("sj.file_exists('main.asm')", "a script reaches no files"),
        ("sj.pass = 1", "no writable variable 'pass'"),
    ] {
        let out = script(text);
        assert!(out.image.is_none(), "{text}");
        let all = told(&out);
        let found = all.iter().any(|(line, m)| *line == 3 && m.contains(wanted));
        assert!(found, "{text}: {all:?}");
    }
}

#[test]
fn scripts_that_do_not_end_are_ended_at_their_line() {
    for (text, wanted) in [
        ("while true do end", "the scripts take more than"),
        (
            "local function f() return f() end f()",
            "the scripts take more than",
        ),
        (
            "while true do pcall(function() while true do end end) end",
            "the scripts take more than",
        ),
        (
            "local s = 'a' while true do s = s .. s end",
            "not enough memory",
        ),
        (
            "local t = {} while true do t[#t + 1] = {} end",
            "not enough memory",
        ),
        ("string.rep('a', 1 << 40)", "not enough memory"),
        ("string.rep('', 1 << 60) error('after')", "after"),
        (
            "string.find(('a'):rep(300), ('a*'):rep(30) .. 'b')",
            "too much to try",
        ),
        (
            "table.move({}, 1, 1 << 60, 2)",
            "the scripts take more than",
        ),
        (
            "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 0)",
            "the scripts take more than",
        ),
        (
            "local function f() return 1 + f() end f()",
            "not enough memory",
        ),
        (
            "local l = ' ;' .. ('x'):rep(100000) while true do sj.parse_line(l) end",
            "too much text",
        ),
    ] {
        let out = script(text);
        assert!(out.image.is_none(), "{text}");
        let all = told(&out);
        // Where memory ends there is no more to say of the place.
        let at = |line: usize| line == 3 || line == 2 && wanted.contains("memory");
        let found = all.iter().any(|(line, m)| at(*line) && m.contains(wanted));
        assert!(found, "{text}: {all:?}");
    }
}

#[test]
fn faults_of_scripts_stand_where_they_are() {
    let out = script("local a = 1\n\n  sj.error('no good', a)");
    assert_eq!(told(&out), [(5, "no good: 1".to_owned())]);
    let out = script("local a = 1\n_pc('ld a,nowhere')\n_pc('ldd a')");
    let lines: Vec<usize> = told(&out).iter().map(|t| t.0).collect();
    assert_eq!(lines, [4, 5], "{}", findings(&out));
    let out = script("x = = 1");
    assert_eq!(told(&out)[0].0, 3, "{}", findings(&out));
    let out = script("sj.add_byte('x')");
    let wanted = "Lua: bad argument #1 to 'add_byte' (number expected, got string)";
    assert_eq!(told(&out), [(3, wanted.to_owned())]);
    // One of an early pass is told too, and a warning of one.
    let out = assembled(" lua pass1\n error('early')\n endlua\n", true);
    assert_eq!(told(&out), [(2, "Lua: early".to_owned())]);
    let out = assembled(" lua pass2\n sj.warning('well')\n endlua\n nop\n", true);
    assert!(out.image.is_some(), "{}", findings(&out));
    assert_eq!(told(&out), [(2, "well".to_owned())]);
    let out = assembled(" nop\n lua\n _pc('nop')\n", true);
    assert_eq!(told(&out), [(2, "this script has no `endlua`".to_owned())]);
    let out = assembled(" lua never\n endlua\n", true);
    assert_eq!(told(&out), [(1, "`never` is no pass".to_owned())]);
    let out = assembled(" lua\n _pc('nop')\n endlua\nl: dw l\n", true);
    assert!(told(&out)[0].1.contains("only moves labels in that alone"));
}

/// The order of a table's keys and random numbers are the same each time.
#[test]
fn scripts_make_the_same_twice() {
    let text = "local t = {}\nfor _, k in ipairs { 'x', 'abc', 'b', 'zz', 'long', 'y' } do t[k] = 1 end\n\
                for k in pairs(t) do _pc('db \"' .. k .. '\"') end\n\
                for i = 1, 8 do sj.add_byte(math.random(0, 255)) end";
    let bytes = || {
        let out = script(text);
        let found = findings(&out);
        out.image.unwrap_or_else(|| panic!("{found}")).binary(0)
    };
    assert_eq!(bytes(), bytes());
    assert!(bytes().starts_with(b"abcblongxyzz"));
}
