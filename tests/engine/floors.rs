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
/// Files that use each other in a circle, but for what a front file takes from its parts.
const IN_CIRCLES: usize = 0;
/// Likewise with that: the front file of a folder names its parts (`part::f`, `pub use
/// part::F`), and a part uses what the front file has. To be 0 too; at most so many now.
const IN_CIRCLES_WITH_FRONTS: usize = 34;
/// Fields of the largest struct.
const MOST_FIELDS: usize = 20;

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
            let code = text.split("#[cfg(test)]").next().expect("the first part");
            let line = |l: &str| l.split("//").next().unwrap_or("").to_owned();
            let code: Vec<String> = code.lines().map(line).collect();
            out.insert(parts.join("::"), code.join("\n"));
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
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
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
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
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

/// What each module uses; with what a front file takes from its parts where `fronts` says.
fn imports(root: &Path, fronts: bool) -> BTreeMap<String, BTreeSet<String>> {
    let all = modules(root);
    let graph = all.iter().map(|(name, code)| {
        let mut to = uses(name, code);
        let below = all
            .keys()
            .filter_map(|m| m.strip_prefix(name.as_str())?.strip_prefix("::"));
        let children: Vec<&str> = below.filter(|c| !c.contains("::")).collect();
        if fronts {
            to.extend(own(name, &children, code));
        }
        let to = to.iter().filter_map(|p| module_of(p, &all));
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
    for (from, to) in imports(&src(), true) {
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
    for (fronts, most) in [(false, IN_CIRCLES), (true, IN_CIRCLES_WITH_FRONTS)] {
        let graph = imports(&src(), fronts);
        let found = circle(&graph);
        assert!(
            found.len() <= most,
            "{}: the number may only fall; lower it here when it does: {found:?}",
            found.len()
        );
    }
}

/// But for what front files take from their parts.
#[test]
fn no_circles_in_the_rooms() {
    let rooms = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets");
    for room in std::fs::read_dir(rooms).expect("the rooms") {
        let root = room.expect("a room").path().join("src");
        let graph = imports(&root, false);
        let found = circle(&graph);
        assert!(found.is_empty(), "{}: {found:?}", root.display());
    }
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
    let found: Vec<String> = own("x", &["z"], code).into_iter().collect();
    assert_eq!(found, ["x::z::A", "x::z::b", "x::z::g"]);
}
