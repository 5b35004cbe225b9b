//! Random changes of a Gigatron program's sources, and what `check` and a simulated
//! machine say of them: none that gives a bad line may pass.

use super::random::{Random, mix};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with, targets};
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::{BadKind, Button, Cpu, HSYNC, Input, Memory, Ports, Sync, VSYNC, Watch};
use scrimp_isa::proof::Promises;
use std::collections::BTreeMap;
use std::path::Path;

/// Sources by name, in lines.
pub type Files = BTreeMap<String, Vec<String>>;

/// The assembly files of a folder.
pub fn sources(folder: &Path) -> Files {
    let mut out = Files::new();
    for entry in std::fs::read_dir(folder).expect("the program's folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "asm") {
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("a source");
            out.insert(name.into_owned(), text.lines().map(str::to_owned).collect());
        }
    }
    out
}

/// What stands on a line without label and comment.
fn statement(line: &str) -> &str {
    let code = line.split(';').next().unwrap_or("");
    let code = match code.split_once(':') {
        Some((_, rest)) => rest,
        None if code.starts_with(char::is_whitespace) => code,
        None => "",
    };
    code.trim()
}

/// Places of numbers in a line.
fn numbers(line: &str) -> Vec<std::ops::Range<usize>> {
    let code = line.split(';').next().unwrap_or("");
    let bytes = code.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b"$%_.".contains(&b);
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = (at..bytes.len())
            .find(|&i| !word(bytes[i]))
            .unwrap_or(bytes.len());
        if end > at && code[at..end].bytes().all(|b| b.is_ascii_digit()) {
            out.push(at..end);
        }
        at = end.max(at) + 1;
    }
    out
}

const DIRECTIVES: [&str; 10] = [
    "include", "section", "macro", "endm", "endr", "ifdef", "endif", "else", "if", "elif",
];
const BRANCHES: [&str; 7] = ["beq", "bne", "bgt", "blt", "bge", "ble", "bra"];
const OPERATIONS: [&str; 6] = ["ld", "anda", "ora", "xora", "adda", "suba"];
/// Words that may come in anywhere.
const NEW: [&str; 10] = [
    "nop",
    "ld 0",
    "ld 77",
    "adda 1",
    "anda 15",
    "ld ac,x",
    "ld ac,y",
    "st [x]",
    "st [y,x++]",
    "st [y,x]",
];

/// The label that a branch goes to, if it is one.
fn target(code: &str) -> Option<&str> {
    let (first, rest) = code.split_once(' ')?;
    let label = rest.trim();
    let name = |b: u8| b.is_ascii_alphanumeric() || b"._".contains(&b);
    (BRANCHES.contains(&first) && label != "ac" && label.bytes().all(name)).then_some(label)
}

/// Another line not far away with a statement that is no directive.
fn neighbour(lines: &[String], at: usize, random: &mut Random) -> Option<usize> {
    let other = (at + random.below(17)).checked_sub(8)?;
    let code = statement(lines.get(other)?);
    let whole = !code.is_empty() && !DIRECTIVES.iter().any(|d| code.starts_with(d));
    (other != at && whole).then_some(other)
}

/// Changes one line or two of one of these files; nothing if it came to nothing.
pub fn change(files: &mut Files, names: &[String], random: &mut Random) -> Option<String> {
    // Each file as often, whatever its length.
    let name = names[random.below(names.len())].clone();
    let lines = files.get_mut(&name)?;
    let at = random.below(lines.len());
    let code = statement(&lines[at]).to_owned();
    let first = code.split_whitespace().next()?.to_owned();
    if DIRECTIVES.contains(&&*first) {
        return None;
    }
    let before = lines.clone();
    let kind = random.below(13);
    let what = if kind < 5 {
        in_order(lines, at, &code, kind, random)?
    } else {
        in_place(lines, at, &code, kind, random)?
    };
    (*lines != before).then(|| format!("{name}:{} {what}: {}", at + 1, before[at].trim()))
}

/// Lines that go, come or change places.
fn in_order(
    lines: &mut Vec<String>,
    at: usize,
    code: &str,
    kind: usize,
    random: &mut Random,
) -> Option<&'static str> {
    let before = lines[at].clone();
    let swap = |line: &str, old: &str, new: &str| line.replacen(old, new, 1);
    Some(match kind {
        0 => {
            lines[at] = match before.split_once(':') {
                Some((label, _)) if !before.starts_with(' ') => format!("{label}:"),
                _ => String::new(),
            };
            "deleted"
        }
        1 => {
            lines.insert(at + 1, format!("        {code}"));
            "doubled"
        }
        2 => {
            let other = statement(lines.get(at + 1)?).to_owned();
            if other.is_empty() || DIRECTIVES.iter().any(|d| other.starts_with(d)) {
                return None;
            }
            lines[at] = swap(&before, code, &other);
            lines[at + 1] = swap(&lines[at + 1].clone(), &other, code);
            "swapped"
        }
        3 => {
            // Somewhere else, so into a slot or out of it.
            let other = neighbour(lines, at, random)?;
            lines[at] = swap(&before, code, "");
            lines.insert(other, format!("        {code}"));
            "moved"
        }
        _ => {
            let new = random.pick(&NEW);
            lines.insert(at, format!("        {new}"));
            "a word before"
        }
    })
}

/// A line that says something else.
fn in_place(
    lines: &mut [String],
    at: usize,
    code: &str,
    kind: usize,
    random: &mut Random,
) -> Option<&'static str> {
    let before = lines[at].clone();
    let first = code.split_whitespace().next()?;
    let put = |line: &mut String, new: String| *line = before.replacen(code, &new, 1);
    Some(match kind {
        5 => {
            target(code)?;
            let by = random.pick(&[" + 1", " - 1", " + 2"]);
            put(&mut lines[at], format!("{code}{by}"));
            "shifted"
        }
        6 => {
            let label = target(code)?.to_owned();
            let branches = (0..lines.len()).filter(|&i| target(statement(&lines[i])).is_some());
            let near: Vec<usize> = branches.filter(|&i| i.abs_diff(at) < 40).collect();
            let other = random.pick(&near);
            let theirs = target(statement(&lines[other]))?.to_owned();
            lines[at] = lines[at].replacen(&label, &theirs, 1);
            lines[other] = lines[other].replacen(&theirs, &label, 1);
            "targets exchanged"
        }
        7 | 8 => {
            let found = numbers(&before);
            if found.is_empty() {
                return None;
            }
            let range = found[random.below(found.len())].clone();
            let old: i64 = before[range.clone()].parse().ok()?;
            let new = (old + random.pick(&[1, -1, 2, -2, 8])).max(0);
            lines[at].replace_range(range, &new.to_string());
            "another number"
        }
        9 => {
            let (from, to) = (code.find('[')?, code.find(']')?);
            let cell = &code[from + 1..to];
            let plain = |b: u8| b.is_ascii_alphanumeric() || b".+ ".contains(&b);
            if !cell.bytes().all(plain) {
                return None;
            }
            let by = random.pick(&[" + 1", " - 1"]);
            lines[at] = before.replacen(&format!("[{cell}]"), &format!("[{cell}{by}]"), 1);
            "another cell"
        }
        10 | 11 => {
            let all = if kind == 10 {
                &OPERATIONS[..]
            } else {
                &BRANCHES
            };
            let old = all.iter().find(|w| **w == first)?;
            let new = random.pick(all);
            put(&mut lines[at], code.replacen(old, new, 1));
            if kind == 10 {
                "another operation"
            } else {
                "another condition"
            }
        }
        _ => {
            // A store by a pointer, or no longer by one.
            let new = match code {
                "st [x]" | "st [y,x]" | "st [y,x++]" => random.pick(&["st [x]", "st [y,x]", "nop"]),
                _ if code.starts_with("st [") => "st [x]",
                _ => return None,
            };
            put(&mut lines[at], new.to_owned());
            "another store"
        }
    })
}

/// What came of a change.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does not assemble, or the proof says that it is wrong: there is no image.
    Error,
    /// With findings; whether the lines are good and promises kept all the same.
    Told(bool),
    /// Without a word; whether the lines are good and promises kept.
    Passed(bool),
}

/// How a program is tried.
pub struct Trial<'a> {
    /// The file that includes the others.
    pub main: &'a str,
    /// Files that are changed.
    pub changed: Vec<String>,
    /// Whether a ROM gives good lines, and keeps what is promised of it.
    pub steady: &'a dyn Fn(&[u8], &Promises) -> bool,
}

/// A check of the whole program, as `scrimp check` does it.
pub fn whole_proof(main: &str) -> (Job<'static>, Settings) {
    let target = targets::by_name("gigatron").expect("the Gigatron");
    let job = Job {
        file: main.into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        whole_proof: true,
        ..Settings::default()
    };
    (job, settings)
}

/// Sources as an assembler reads them.
pub fn loaded(files: &Files) -> MemoryLoader {
    let mut loader = MemoryLoader::default();
    for (name, lines) in files {
        loader = loader.with(name, lines.join("\n").as_bytes());
    }
    loader
}

/// What a check says, and what the machine does; the findings as text.
pub fn verdict(files: &Files, trial: &Trial<'_>) -> (Verdict, String) {
    let (job, settings) = whole_proof(trial.main);
    let output = assemble_with(&job, &settings, &loaded(files));
    let told = output.diagnostics.iter();
    let told: Vec<String> = told.map(|d| format!("{} {}", d.code, d.message)).collect();
    let first = told.first().cloned().unwrap_or_default();
    let Some(image) = output.image else {
        return (Verdict::Error, first);
    };
    // A ROM begins at address 0, the raw binary with the first word.
    let filled = image.chunks.iter().filter(|c| !c.bytes.is_empty());
    let gap = filled.map(|c| c.load).min().unwrap_or(0);
    let mut rom = vec![0; gap as usize];
    rom.extend(image.binary(0));
    rom.resize(0x2_0000, 0);
    let good = (trial.steady)(&rom, &image.promises());
    match told.is_empty() {
        false => (Verdict::Told(good), first),
        true => (Verdict::Passed(good), first),
    }
}

/// What is at the ports: a monitor that measures the sync pulses, and a pad or noise.
pub struct Desk {
    pub sync: Sync,
    pub pad: Input,
    /// Not 0: the input port changes with each frame, and so.
    pub noise: u64,
    seen: u8,
}

impl Desk {
    pub fn new(noise: u64) -> Self {
        Self {
            sync: Sync::default(),
            pad: Input::default(),
            noise,
            seen: 0xff,
        }
    }

    /// Whether no line, pulse or frame was bad up to a clock.
    pub fn is_steady(&self, clock: u64) -> bool {
        use BadKind::{Lines, Period, Pulse, Width};
        let sync = &self.sync;
        let bad = [Period, Width, Lines, Pulse].map(|k| sync.count(k));
        bad == [0; 4] && sync.lines() + 1000 >= clock / 200
    }
}

impl Ports for Desk {
    #[inline(always)]
    fn out(&mut self, clock: u64, old: u8, new: u8, _: u8) {
        let changed = old ^ new;
        if changed & VSYNC != 0 {
            if new & VSYNC == 0 {
                self.sync.vsync_falls(clock);
                self.pad.latch();
                let all = mix(self.noise ^ clock >> 12);
                self.seen = (all >> (all & 15)) as u8;
            } else {
                self.sync.vsync_rises();
            }
        }
        if changed & HSYNC != 0 {
            if new & HSYNC == 0 {
                self.sync.hsync_falls(clock);
            } else {
                self.sync.hsync_rises(clock);
                self.pad.clock(old & VSYNC != 0);
            }
        }
    }

    #[inline(always)]
    fn input(&self) -> u8 {
        match self.noise {
            0 => self.pad.port(),
            _ => self.seen,
        }
    }
}

/// A desk with someone who watches that promises are kept.
struct Watched {
    desk: Desk,
    watch: Watch,
    /// The word that executes.
    at: u16,
}

impl Ports for Watched {
    const WATCHES: bool = true;

    #[inline(always)]
    fn word(&mut self, clock: u64, address: u16, ac: u8) {
        self.at = address;
        self.watch.word(clock, address, ac);
    }

    #[inline(always)]
    fn out(&mut self, clock: u64, old: u8, new: u8, ac: u8) {
        self.watch.out(clock, old, new, self.at);
        self.desk.out(clock, old, new, ac);
    }

    #[inline(always)]
    fn input(&self) -> u8 {
        self.desk.input()
    }
}

/// Runs with buttons that are held for three frames, with so many frames behind each.
pub fn steady_by_hand(
    rom: &[u8],
    promises: &Promises,
    frame: u64,
    script: &[(Option<Button>, u64)],
) -> bool {
    let mut cpu = Cpu::new(rom, Memory::K32).expect("a ROM");
    let watch = Watch::new(promises, |at| cpu.word(at));
    let mut ports = Watched {
        desk: Desk::new(0),
        watch: watch.expect("promises"),
        at: 0,
    };
    for &(button, frames) in script {
        if let Some(b) = button {
            ports.desk.pad.button(b, true);
            let until = cpu.now() + 3 * frame;
            cpu.run(&mut ports, until);
            ports.desk.pad.button(b, false);
        }
        let until = cpu.now() + frames * frame;
        cpu.run(&mut ports, until);
    }
    ports.desk.is_steady(cpu.now()) && ports.watch.broken().is_empty()
}

/// Runs for so many clocks with other noise in RAM, registers and on the pad each time.
pub fn steady_in_noise(rom: &[u8], clocks: u64, times: u64) -> bool {
    (0..times).all(|n| {
        let mut cpu = Cpu::new(rom, Memory::K32).expect("a ROM");
        let mut random = Random(n);
        for address in 0..0x8000 {
            let byte = match n {
                0 => 0,
                1 => 0xff,
                _ => random.byte(),
            };
            cpu.poke(address, byte);
        }
        for register in [Register::Ac, Register::X, Register::Y, Register::Out] {
            cpu.set_register(register, random.byte());
        }
        let mut desk = Desk::new(n + 1);
        cpu.run(&mut desk, clocks);
        desk.is_steady(clocks)
    })
}

/// So many changes: none that gives a bad line passes, and of those that give none nine
/// in ten pass without a word. `SCRIMP_SEED` begins elsewhere, `SCRIMP_CHANGES` makes so
/// many.
#[track_caller]
pub fn changes(whole: &Files, trial: &Trial<'_>, count: usize) {
    let number = |name: &str, or: usize| {
        let value = std::env::var(name).ok();
        value.and_then(|v| v.parse().ok()).unwrap_or(or)
    };
    let seed = number("SCRIMP_SEED", 1);
    let count = number("SCRIMP_CHANGES", count);
    let (mut wrong, mut neutral, mut silent, mut refused) = (Vec::new(), 0, 0, 0);
    let mut done = 0;
    let mut random = Random(seed as u64);
    while done < count {
        let mut files = whole.clone();
        let Some(what) = change(&mut files, &trial.changed, &mut random) else {
            continue;
        };
        done += 1;
        let (found, told) = verdict(&files, trial);
        println!("{found:?} {what} {told}");
        match found {
            Verdict::Error => refused += 1,
            Verdict::Passed(false) => wrong.push(what),
            Verdict::Told(false) => {}
            Verdict::Told(true) => neutral += 1,
            Verdict::Passed(true) => {
                neutral += 1;
                silent += 1;
            }
        }
    }
    println!("{done} changes: {refused} refused, {neutral} neutral, {silent} of them silent");
    assert_eq!(wrong, Vec::<String>::new(), "passed with bad lines");
    // Of few changes one can be most.
    let enough = neutral < 40 || silent * 10 >= neutral * 9;
    assert!(enough, "{silent} of {neutral} pass");
}
