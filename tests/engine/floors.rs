//! The floors of `src`: which folder may use which, files that use each other in a circle,
//! and how much one struct may know.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The floors from below: each uses only those before it.
const FLOORS: [&str; 17] = [
    "text",
    "diagnostic",
    "image",
    "program",
    "read",
    "dialect",
    "place",
    "emit",
    "check",
    "report",
    "write",
    "prove",
    "optimize",
    "disk",
    "session",
    "translate",
    "bridge",
];
/// The doors, above all floors; none uses another.
const DOORS: [&str; 1] = ["cli"];

/// Pairs of a file and a floor above its own that it uses. This and what follows may only
/// fall.
const ARROWS_UP: usize = 0;
/// Files that use each other in a circle; also a front file that names its parts (`part::f`,
/// `pub use part::F`) and a part that uses what the front file has.
const IN_CIRCLES: usize = 0;
/// Fields of the largest struct.
const MOST_FIELDS: usize = 20;

/// A file without its tests and comments; `self::a` is `a`, and `$crate::a` is `crate::a`.
fn code_of(text: &str) -> String {
    let mut parts = text.split("#[cfg(test)]");
    let mut code = parts.next().expect("the first part").to_owned();
    for part in parts {
        // The item that is for tests only.
        let body = part.find('{').unwrap_or(part.len());
        let end = match part.find(';') {
            Some(end) if end < body => end + 1,
            _ => part.find("\n}").map_or(part.len(), |at| at + 2),
        };
        code.push_str(&part[end..]);
    }
    let bare = |l: &str| {
        // Behind an odd number of quotes it stands in a text.
        let mut marks = l.match_indices("//").map(|(at, _)| at);
        let end = marks.find(|&at| l[..at].matches('"').count().is_multiple_of(2));
        l[..end.unwrap_or(l.len())].to_owned()
    };
    let lines: Vec<String> = code.lines().map(bare).collect();
    let code = lines.join("\n").replace("$crate::", "crate::");
    let mut out = String::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("self::") {
        let inner = |c: char| c.is_alphanumeric() || c == '_';
        out.push_str(&rest[..at]);
        if rest[..at].ends_with(inner) {
            out.push_str("self::");
        }
        rest = &rest[at + 6..];
    }
    out + rest
}

/// What the root of the crate gives on, by name: `Session` is `session::front::Session`.
fn root(folder: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder.join("lib.rs")).expect("lib.rs");
    let code = code_of(&text);
    let mut out = BTreeMap::new();
    for line in code.split("pub use ").skip(1) {
        let mut found = Vec::new();
        paths_behind(line, &mut found);
        for path in found {
            let name = path.rsplit("::").next().unwrap_or("").to_owned();
            out.insert(name, path);
        }
    }
    out
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Files of a crate by module path: `read::expand::macros`, without tests and comments.
fn modules(root: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, folder: &Path, out: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, out);
                continue;
            }
            let below = path.strip_prefix(root).expect("below src");
            let name = below.with_extension("");
            let parts: Vec<&str> = name.iter().map(|p| p.to_str().expect("UTF-8")).collect();
            let parts = match parts.split_last() {
                Some((&"mod", rest)) => rest,
                _ => &parts[..],
            };
            if parts == ["lib"] || parts == ["main"] || parts.last() == Some(&"tests") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it");
            out.insert(parts.join("::"), code_of(&text));
        }
    }
    let mut out = BTreeMap::new();
    walk(root, root, &mut out);
    out
}

/// All paths that begin with a prefix, those in braces one by one: `a::{b, c::d}` is
/// `a::b` and `a::c::d`.
fn paths_behind(code: &str, out: &mut Vec<String>) {
    fn list(code: &str, before: &str, out: &mut Vec<String>) -> usize {
        let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
        let length = code.find(end).unwrap_or(code.len());
        let path = format!("{before}{}", &code[..length]);
        let open = path.is_empty() || path.ends_with("::");
        if !code[length..].starts_with('{') || !open {
            out.push(path.trim_end_matches("::").to_owned());
            return length;
        }
        let mut at = length + 1;
        while let Some(c) = code[at..].chars().next() {
            match c {
                '}' => return at + 1,
                c if c.is_alphanumeric() || c == '_' => at += list(&code[at..], &path, out).max(1),
                c => at += c.len_utf8(),
            }
        }
        at
    }
    list(code, "", out);
}

/// Places of a word and `::` where a path begins.
fn beginnings<'c>(code: &'c str, start: &'c str) -> impl Iterator<Item = usize> + 'c {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let found = code.match_indices(start).map(|(at, _)| at);
    found.filter(move |&at| !code[..at].ends_with(inner))
}

/// Paths that begin with a module's own: `child::f` where `mod child;` stands.
fn own(module: &str, children: &[&str], code: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let prefix = match module {
        "" => String::new(),
        m => format!("{m}::"),
    };
    for child in children {
        for at in beginnings(code, &format!("{child}::")) {
            let mut found = Vec::new();
            paths_behind(&code[at..], &mut found);
            out.extend(found.into_iter().map(|f| format!("{prefix}{f}")));
        }
    }
    out
}

/// Modules that a module uses, as paths from the root of the crate.
fn uses(module: &str, code: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for start in ["crate::", "super::"] {
        let mut from = 0;
        while let Some(at) = code[from..].find(start).map(|at| from + at) {
            // The second of `super::super::` is none of its own.
            let before = code[..at].chars().next_back();
            let mut tail = &code[at..];
            from = at + start.len();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut parts: Vec<&str> = module.split("::").collect();
            if start == "crate::" {
                parts.clear();
                tail = &tail[start.len()..];
            } else {
                parts.pop();
                tail = &tail[start.len()..];
                while let Some(more) = tail.strip_prefix(start) {
                    parts.pop();
                    tail = more;
                }
            }
            let mut found = Vec::new();
            paths_behind(tail, &mut found);
            for f in found {
                let mut path = parts.join("::");
                if !path.is_empty() && !f.is_empty() {
                    path.push_str("::");
                }
                path.push_str(&f);
                out.insert(path);
            }
        }
    }
    out
}

/// The module that a path leads into: the longest that there is.
fn module_of<'m>(path: &str, all: &'m BTreeMap<String, String>) -> Option<&'m str> {
    let mut path = path;
    loop {
        if let Some((name, _)) = all.get_key_value(path) {
            return Some(name);
        }
        path = &path[..path.rfind("::")?];
    }
}

/// Paths that begin with the name of a module that is imported: `list::f` behind `use
/// super::list` or `use super::items as list`.
fn through(
    paths: &BTreeSet<String>,
    code: &str,
    all: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for path in paths {
        let path = path.strip_suffix("::self").unwrap_or(path);
        if !all.contains_key(path) {
            continue;
        }
        let last = path.rsplit("::").next().unwrap_or(path);
        let named = |(at, found): (usize, &str)| {
            let rest = &code[at + found.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            rest[..end.unwrap_or(rest.len())].to_owned()
        };
        let renamed = format!("{last} as ");
        let mut names: Vec<String> = code.match_indices(&renamed).map(named).collect();
        if code.contains("self as ") {
            names.extend(code.match_indices("self as ").map(named));
        }
        names.push(last.to_owned());
        for name in names {
            for at in beginnings(code, &format!("{name}::")) {
                let mut found = Vec::new();
                paths_behind(&code[at + name.len() + 2..], &mut found);
                out.extend(found.into_iter().map(|f| format!("{path}::{f}")));
            }
        }
    }
    out
}

/// What each module uses: imports, re-exports, paths in the code, and what a front file
/// takes from its parts where `fronts` says. `root`: what the root of the crate gives on.
fn imports(
    all: &BTreeMap<String, String>,
    root: &BTreeMap<String, String>,
    fronts: bool,
) -> BTreeMap<String, BTreeSet<String>> {
    let graph = all.iter().map(|(name, code)| {
        let mut to = uses(name, code);
        let below = all
            .keys()
            .filter_map(|m| m.strip_prefix(name.as_str())?.strip_prefix("::"));
        let children: Vec<&str> = below.filter(|c| !c.contains("::")).collect();
        if fronts {
            to.extend(own(name, &children, code));
        }
        to.extend(through(&to, code, all));
        let given = |p: &String| root.get(p.split("::").next()?).cloned();
        let from_root: Vec<String> = to.iter().filter_map(given).collect();
        to.extend(from_root);
        let to = to.iter().filter_map(|p| module_of(p, all));
        (
            name.clone(),
            to.filter(|t| t != name).map(str::to_owned).collect(),
        )
    });
    graph.collect()
}

fn floor(module: &str) -> &str {
    module.split("::").next().expect("the first part")
}

#[test]
fn floors_use_those_below() {
    let height = |f: &str| FLOORS.iter().position(|&x| x == f);
    let mut up = BTreeSet::new();
    for (from, to) in imports(&modules(&src()), &root(&src()), true) {
        for t in &to {
            let (a, b) = (floor(&from), floor(t));
            let is_up = match (height(a), height(b)) {
                (Some(a), Some(b)) => b > a,
                (Some(_), None) => DOORS.contains(&b),
                (None, _) => DOORS.contains(&a) && DOORS.contains(&b) && a != b,
            };
            if is_up {
                up.insert(format!("{from} uses {b}"));
            }
        }
    }
    let list: Vec<&str> = up.iter().map(String::as_str).collect();
    assert_eq!(
        up.len(),
        ARROWS_UP,
        "the number may only fall; lower it here when it does:\n{}",
        list.join("\n")
    );
}

/// Modules that use themselves by way of others.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<&String> {
    let reach = |from: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(m) = open.pop() {
            for next in graph.get(m).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    graph.keys().filter(|m| reach(m).contains(m)).collect()
}

#[test]
fn no_circles() {
    let graph = imports(&modules(&src()), &root(&src()), true);
    let found = circle(&graph);
    assert_eq!(found.len(), IN_CIRCLES, "{found:?}");
}

/// But for what front files take from their parts.
#[test]
fn no_circles_in_the_rooms() {
    let rooms = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets");
    for room in std::fs::read_dir(rooms).expect("the rooms") {
        let folder = room.expect("a room").path().join("src");
        let graph = imports(&modules(&folder), &root(&folder), false);
        let found = circle(&graph);
        assert!(found.is_empty(), "{}: {found:?}", folder.display());
    }
}

#[test]
fn a_planted_circle_is_found() {
    // The front file of a folder, a part of it, another file, and what the root gives on.
    let circles = |front: &str, part: &str, other: &str| {
        let all = [("a", front), ("a::part", part), ("b", other)];
        let all = all.map(|(name, code)| (name.to_owned(), code_of(code)));
        let root = BTreeMap::from([("Thing".to_owned(), "a::part::Thing".to_owned())]);
        circle(&imports(&all.into(), &root, true)).len()
    };
    let uses_front = "use super::Thing;";
    for front in [
        "mod part;\npub use part::f;",
        "mod part;\npub use self::part::{f, g};",
        "mod part;\nfn f() { part::g() }",
        "mod part;\nfn f() -> self::part::G { G }",
        "mod part;\n#[cfg(test)]\nmod tests;\nfn f() { part::g() }",
        "mod part;\nconst A: &str = \"//\"; fn f() { part::g() }",
        "mod part;\nuse crate::b;\nfn f() { b::g() }",
    ] {
        let other = "pub use crate::a::part::Thing;";
        assert!(circles(front, uses_front, other) > 1, "{front}");
    }
    for (part, other) in [
        ("use crate::b::g;", "fn f(t: crate::a::part::T) {}"),
        (
            "use crate::b::g;",
            "use crate::a::{self, c};\nfn f() { a::part::g() }",
        ),
        (
            "use crate::b::g;",
            "use crate::a::part;\nfn f() { part::g() }",
        ),
        (
            "use crate::b::g;",
            "use crate::a as x;\nfn f() { x::part::g() }",
        ),
        (
            "use crate::b::g;",
            "use crate::a::{self as x};\nfn f() { x::part::g() }",
        ),
        (
            "use crate::b::g;",
            "macro_rules! m { () => { $crate::a::part::g() } }",
        ),
        ("use crate::b::g;", "use crate::Thing;"),
        (
            "use super::super::b::{c, d};",
            "use crate::{a::{part::{e}}};",
        ),
    ] {
        assert_eq!(circles("mod part;", part, other), 2, "{other}");
    }
    // One way only, words that look so, and what is for tests.
    let tests = "use crate::b::g;\n#[cfg(test)]\nmod tests {\n    use super::super::Thing;\n}";
    let front = "mod part;\npub use part::f; // b::g\nfn f() { counterpart::g() }";
    assert_eq!(circles(front, tests, "fn apart() {}"), 0);
}

#[test]
fn no_struct_knows_everything() {
    let mut sizes: Vec<(usize, String)> = Vec::new();
    for (module, code) in modules(&src()) {
        let mut rest = code.as_str();
        while let Some(at) = rest.find("struct ") {
            rest = &rest[at + 7..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            let Some(open) = rest
                .find(['{', ';', '('])
                .filter(|&i| rest[i..].starts_with('{'))
            else {
                continue;
            };
            let body = &rest[open + 1..];
            let body = &body[..body.find("\n}").unwrap_or(body.len())];
            let field = |l: &&str| {
                let l = l.trim_start();
                let l = l
                    .strip_prefix("pub ")
                    .or(l.strip_prefix("pub(crate) "))
                    .unwrap_or(l);
                let end = l.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                end.is_some_and(|e| e > 0 && l[e..].starts_with(": "))
            };
            sizes.push((
                body.lines().filter(field).count(),
                format!("{module}::{name}"),
            ));
        }
    }
    sizes.sort();
    let (most, name) = sizes.last().expect("some");
    let above: Vec<_> = sizes.iter().filter(|s| s.0 > 20).collect();
    assert_eq!(
        *most, MOST_FIELDS,
        "{name}: the number may only fall; lower it here when it does: {above:?}"
    );
}

#[test]
fn the_page_lists_the_floors() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ARCHITECTURE.md");
    let page = std::fs::read_to_string(page).expect("it");
    let row = |l: &str| Some(l.strip_prefix("| `src/")?.split('/').next()?.to_owned());
    let listed: BTreeSet<String> = page.lines().filter_map(row).collect();
    let there = std::fs::read_dir(src())
        .expect("src")
        .map(|e| e.expect("an entry").path());
    let there = there.filter(|p| p.is_dir());
    let there: BTreeSet<String> = there
        .map(|p| {
            p.file_name()
                .and_then(|n| n.to_str())
                .expect("UTF-8")
                .to_owned()
        })
        .collect();
    let known = FLOORS.iter().chain(&DOORS).map(|f| (*f).to_owned());
    assert_eq!(there, known.collect());
    assert_eq!(listed, there, "the table of docs/ARCHITECTURE.md");
}

#[test]
fn paths_are_read_as_rust_reads_them() {
    let code = "use crate::a::{self, b::C, d};\nuse crate::{e, f};\nfn f() { super::g::h(); }";
    let found: Vec<String> = uses("x::y", code).into_iter().collect();
    assert_eq!(found, ["a::b::C", "a::d", "a::self", "e", "f", "x::g::h"]);
    let code = "use super::super::a::B;";
    let found: Vec<String> = uses("x::y::z", code).into_iter().collect();
    assert_eq!(found, ["x::a::B"]);
    let code =
        "mod z;\npub use z::{A, b};\nuse crate::z::C;\nfn f() { z::g(); az::h(); self::z::i(); }";
    let found: Vec<String> = own("x", &["z"], &code_of(code)).into_iter().collect();
    assert_eq!(found, ["x::z::A", "x::z::b", "x::z::g", "x::z::i"]);
}
