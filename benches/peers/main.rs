//! The speed race: scrimp and every peer that is found, side by side, on the
//! same generated program, in one go.
//!
//! ```text
//! cargo bench --bench peers                     500,000 lines, 5 rounds
//! cargo bench --bench peers -- 100000 9         lines, rounds
//! cargo bench --bench peers -- avr 200000 9     AVR against GNU as and avra
//! cargo bench --bench peers -- write 200000     writes the AVR inputs and keeps them
//! cargo bench --bench peers -- linear           scrimp alone, 0.5 to 5 M lines
//! cargo bench --bench peers -- dialects         scrimp's dialects against its own language
//! cargo bench --bench peers -- dialects 40000 15 sjasm     lines, rounds, only these
//! cargo bench --bench peers -- instructions     the same in instructions, by valgrind
//! ```
//!
//! Peers are looked for on `PATH`; `SCRIMP_ZASM`, `SCRIMP_RASM`,
//! `SCRIMP_SJASMPLUS`, `SCRIMP_PASMO`, `SCRIMP_GAS` and `SCRIMP_Z80ASM` name a
//! program instead. Listings are off everywhere. The rounds alternate between
//! the programs, so that a busy machine slows all of them; the figure is the
//! median of user plus system time of each child, and its largest memory.

mod avr;
mod dialects;
mod generate;

use generate::{Style, program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Which text a program is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Z80(Style),
    Avr(avr::Style),
}

/// A program in the race.
struct Runner {
    name: &'static str,
    program: PathBuf,
    style: Language,
    /// Arguments; `IN` and `OUT` are replaced.
    args: &'static [&'static str],
    /// Most lines it is given (some grow with the square of the lines).
    most: usize,
}

/// One run.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    megabytes: f64,
}

fn find(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(p) = std::env::var_os(variable) {
        return Some(p.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|d| names.iter().map(move |n| d.join(n)))
        .find(|p| p.is_file())
}

fn runners() -> Vec<Runner> {
    let mut list = vec![Runner {
        name: "scrimp",
        program: env!("CARGO_BIN_EXE_scrimp").into(),
        style: Language::Z80(Style::Plain),
        args: &[
            "build",
            "IN",
            "--target",
            "z80",
            "--dialect",
            "pasmo",
            "-o",
            "OUT",
            "--emit",
            "bin",
            "--quiet",
        ],
        most: usize::MAX,
    }];
    let mut add = |name, variable, names: &[&str], style, args, most| {
        if let Some(program) = find(variable, names) {
            list.push(Runner {
                name,
                program,
                style: Language::Z80(style),
                args,
                most,
            });
        }
    };
    let all = usize::MAX;
    add(
        "zasm",
        "SCRIMP_ZASM",
        &["zasm"],
        Style::Plain,
        &["-l0", "-i", "IN", "-o", "OUT"],
        all,
    );
    add(
        "GNU as",
        "SCRIMP_GAS",
        &["z80-unknown-coff-as"],
        Style::Gas,
        &["-o", "OUT", "IN"],
        all,
    );
    add(
        "rasm",
        "SCRIMP_RASM",
        &["rasm", "rasm.exe"],
        Style::Bank,
        &["IN", "-o", "OUT"],
        all,
    );
    add(
        "sjasmplus",
        "SCRIMP_SJASMPLUS",
        &["sjasmplus"],
        Style::Plain,
        &["--nologo", "--raw=OUT", "IN"],
        all,
    );
    add(
        "pasmo",
        "SCRIMP_PASMO",
        &["pasmo"],
        Style::Plain,
        &["IN", "OUT"],
        all,
    );
    add(
        "z80asm",
        "SCRIMP_Z80ASM",
        &["z80asm"],
        Style::EquColon,
        &["-o", "OUT", "IN"],
        20_000,
    );
    list
}

/// The race on AVR code.
fn avr_runners() -> Vec<Runner> {
    const SCRIMP: [&str; 10] = [
        "build",
        "IN",
        "--machine",
        "atmega2560",
        "-o",
        "OUT",
        "--emit",
        "bin",
        "--quiet",
        "--dialect",
    ];
    let scrimp = |name, style, dialect: &'static str| Runner {
        name,
        program: env!("CARGO_BIN_EXE_scrimp").into(),
        style: Language::Avr(style),
        args: Vec::leak([&SCRIMP[..], &[dialect]].concat()),
        most: usize::MAX,
    };
    let mut list = vec![
        scrimp("scrimp gas", avr::Style::Gas, "gas-avr"),
        scrimp("scrimp avrasm", avr::Style::Avra, "avrasm2"),
    ];
    let mut add = |name, variable, program: &str, style, args| {
        if let Some(program) = find(variable, &[program]) {
            list.push(Runner {
                name,
                program,
                style: Language::Avr(style),
                args,
                most: usize::MAX,
            });
        }
    };
    add(
        "GNU as",
        "SCRIMP_AVR_AS",
        "avr-as",
        avr::Style::Gas,
        &["-mmcu=atmega2560", "-o", "OUT", "IN"],
    );
    add(
        "llvm-mc",
        "SCRIMP_LLVM_MC",
        "llvm-mc",
        avr::Style::Gas,
        &[
            "--triple=avr",
            "--mcpu=atmega2560",
            "--filetype=obj",
            "-o",
            "OUT",
            "IN",
        ],
    );
    add(
        "avra",
        "SCRIMP_AVRA",
        "avra",
        avr::Style::Avra,
        &["-o", "OUT", "IN"],
    );
    list
}

/// Runs the command as the only child of this process and prints what it cost.
/// The race starts itself again for each run, since the system keeps the memory
/// figure for all children together.
#[cfg(unix)]
fn measure(args: &[String]) -> ! {
    use nix::sys::resource::{UsageWho, getrusage};
    let status = Command::new(&args[0])
        .args(&args[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage of a child");
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
    println!("{cpu} {}", usage.max_rss() as f64 / 1024.0);
    std::process::exit(i32::from(!status.is_ok_and(|s| s.success())));
}

#[cfg(not(unix))]
fn measure(_: &[String]) -> ! {
    eprintln!("CPU time of a child is only read on Unix");
    std::process::exit(2)
}

fn run(runner: &Runner, input: &Path, output: &Path) -> Result<Cost, String> {
    let _ = std::fs::remove_file(output);
    let text = |p: &Path| p.to_string_lossy().into_owned();
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut c = Command::new(me);
    c.arg("measure").arg(&runner.program);
    for a in runner.args {
        c.arg(a.replace("IN", &text(input)).replace("OUT", &text(output)));
    }
    let o = c.output().map_err(|e| e.to_string())?;
    if !o.status.success() {
        return Err(format!("{} failed on {}", runner.name, input.display()));
    }
    let line = String::from_utf8_lossy(&o.stdout).into_owned();
    let mut n = line.split_whitespace().map(|s| s.parse::<f64>());
    match (n.next(), n.next()) {
        (Some(Ok(cpu)), Some(Ok(megabytes))) => Ok(Cost { cpu, megabytes }),
        _ => Err(format!("no figures in {line:?}")),
    }
}

fn median(mut v: Vec<f64>) -> f64 {
    v.sort_by(f64::total_cmp);
    v[v.len() / 2]
}

fn file(folder: &Path, language: Language, lines: usize) -> PathBuf {
    let name = match language {
        Language::Z80(Style::Plain) => "plain",
        Language::Z80(Style::EquColon) => "colon",
        Language::Z80(Style::Bank) => "bank",
        Language::Z80(Style::Gas) => "gas",
        Language::Avr(avr::Style::Gas) => "avrgas",
        Language::Avr(avr::Style::Avra) => "avra",
    };
    let path = folder.join(format!("{name}{lines}.asm"));
    if !path.exists() {
        let text = match language {
            Language::Z80(style) => program(lines, 1, style),
            Language::Avr(style) => avr::program(lines, 1, style),
        };
        std::fs::write(&path, text).expect("the input can be written");
    }
    path
}

fn race(folder: &Path, list: &[Runner], lines: usize, rounds: usize) {
    let mut costs = vec![Vec::new(); list.len()];
    for _ in 0..rounds {
        for (r, c) in list.iter().zip(&mut costs) {
            let input = file(folder, r.style, lines.min(r.most));
            match run(r, &input, &folder.join("out.bin")) {
                Ok(cost) => c.push(cost),
                Err(e) => eprintln!("{e}"),
            }
        }
    }
    println!("{lines} lines, median of {rounds} rounds");
    println!(
        "{:14}{:>10}{:>16}{:>10}{:>10}",
        "", "CPU s", "lines / CPU s", "scrimp x", "MB"
    );
    let mut own = None;
    for (r, c) in list.iter().zip(&costs) {
        if c.is_empty() {
            continue;
        }
        let cpu = median(c.iter().map(|c| c.cpu).collect());
        let memory = c.iter().map(|c| c.megabytes).fold(0.0, f64::max);
        let n = lines.min(r.most);
        let speed = n as f64 / cpu;
        let own = *own.get_or_insert(speed);
        println!(
            "{:14}{cpu:>10.3}{speed:>16.0}{:>10.2}{memory:>10.1}",
            r.name,
            own / speed
        );
        if n < lines {
            println!("{:12}(on {n} lines)", "");
        }
    }
}

fn linear(folder: &Path) {
    let scrimp = &runners()[0];
    println!(
        "{:>10}{:>10}{:>16}{:>10}{:>14}",
        "lines", "CPU s", "lines / CPU s", "MB", "bytes / line"
    );
    for lines in [500_000, 1_000_000, 2_000_000, 5_000_000] {
        let input = file(folder, scrimp.style, lines);
        let runs: Vec<_> = (0..3)
            .filter_map(|_| run(scrimp, &input, &folder.join("out.bin")).ok())
            .collect();
        let _ = std::fs::remove_file(&input);
        if runs.is_empty() {
            println!("{lines:>10}    failed");
            continue;
        }
        let cpu = median(runs.iter().map(|c| c.cpu).collect());
        let memory = runs.iter().map(|c| c.megabytes).fold(0.0, f64::max);
        println!(
            "{lines:>10}{cpu:>10.3}{:>16.0}{memory:>10.1}{:>14.0}",
            lines as f64 / cpu,
            memory * 1024.0 * 1024.0 / lines as f64
        );
    }
}

/// What one run costs, counted by valgrind: user instructions in millions.
fn instructions(command: &[String]) -> Result<f64, String> {
    let valgrind = find("SCRIMP_VALGRIND", &["valgrind"]).ok_or("valgrind is not found")?;
    let o = Command::new(valgrind)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(command)
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&o.stderr).into_owned();
    let count = text.lines().find_map(|l| l.split("Collected :").nth(1));
    match count.and_then(|c| c.trim().parse::<f64>().ok()) {
        Some(n) if o.status.success() => Ok(n / 1e6),
        _ => Err(format!("{}: {text}", command.join(" "))),
    }
}

/// CPU seconds of one run, in a process of its own.
fn seconds(command: &[String]) -> Result<f64, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let o = Command::new(me).arg("measure").args(command).output();
    let o = o.map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&o.stdout).into_owned();
    let first = text.split_whitespace().next().and_then(|s| s.parse().ok());
    match first {
        Some(cpu) if o.status.success() => Ok(cpu),
        _ => Err(format!("{} failed", command.join(" "))),
    }
}

/// Each dialect against scrimp's own language, kind of line by kind of line: the least of
/// all rounds, which what else runs on the machine disturbs least.
fn dialect_race(folder: &Path, args: &[String], counted: bool) {
    let number = |at: usize, d| args.get(at).and_then(|s| s.parse().ok()).unwrap_or(d);
    let (lines, rounds) = (number(0, 40_000), if counted { 1 } else { number(1, 15) });
    let only = args.get(2..).unwrap_or_default();
    let unit = if counted { "M" } else { "s" };
    println!("{lines} lines of each kind; beside the native language for the same processor");
    println!("{:14}{:12}{unit:>10}{:>10}{:>8}", "", "", "native", "ratio");
    let mut worst: f64 = 0.0;
    for (kind, title) in dialects::Kind::ALL {
        let mut runs = Vec::new();
        for s in dialects::SPELLINGS {
            let native = s.dialect == "native";
            let wanted = native || only.is_empty() || only.iter().any(|o| o == s.dialect);
            let Some(text) = dialects::program(s, kind, lines).filter(|_| wanted) else {
                continue;
            };
            let input = folder.join(format!("{}-{}-{title}.asm", s.dialect, runs.len()));
            std::fs::write(&input, text).expect("the input can be written");
            let mut command = vec![env!("CARGO_BIN_EXE_scrimp").to_owned(), "build".into()];
            command.push(input.to_string_lossy().into_owned());
            command.extend(s.cpu.options().iter().map(|&o| o.to_owned()));
            let out = folder.join("out.bin").to_string_lossy().into_owned();
            for o in ["--dialect", s.dialect, "--emit", "bin", "-q", "-o", &out] {
                command.push(o.to_owned());
            }
            runs.push((s, command, f64::INFINITY));
        }
        for _ in 0..rounds {
            for (_, command, least) in &mut runs {
                match if counted {
                    instructions(command)
                } else {
                    seconds(command)
                } {
                    Ok(cost) => *least = least.min(cost),
                    Err(e) => eprintln!("{e}"),
                }
            }
        }
        for (s, _, cost) in runs.iter().filter(|r| r.0.dialect != "native") {
            let native = runs
                .iter()
                .find(|r| r.0.dialect == "native" && r.0.cpu == s.cpu);
            let Some((_, _, native)) = native else {
                continue;
            };
            let ratio = cost / native;
            worst = worst.max(ratio);
            println!(
                "{title:14}{:12}{cost:>10.4}{native:>10.4}{ratio:>8.2}",
                s.dialect
            );
        }
    }
    println!("the largest ratio is {worst:.2}");
}

fn start_up(folder: &Path) {
    let scrimp = &runners()[0];
    let input = folder.join("one.asm");
    std::fs::write(&input, "\tnop\n").expect("the input can be written");
    let mut wall = Vec::new();
    for _ in 0..21 {
        let args = scrimp.args.iter().map(|a| {
            a.replace("IN", &input.to_string_lossy())
                .replace("OUT", &folder.join("one.bin").to_string_lossy())
        });
        let t = Instant::now();
        let ok = Command::new(&scrimp.program)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success());
        if ok {
            wall.push(t.elapsed().as_secs_f64() * 1e3);
        }
    }
    if wall.is_empty() {
        println!("one line: failed");
    } else {
        println!(
            "one line: {:.2} ms from start to end, median of {}",
            median(wall.clone()),
            wall.len()
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if args.first().is_some_and(|a| a == "measure") {
        measure(&args[1..]);
    }
    if !std::env::args().any(|a| a == "--bench") {
        eprintln!("this is run by `cargo bench --bench peers`");
        return;
    }
    let folder = std::env::temp_dir().join(format!("scrimp-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the inputs");
    let number = |at: usize, d| args.get(at).and_then(|s| s.parse().ok()).unwrap_or(d);
    match args.first().map(String::as_str) {
        Some("write") => {
            // The inputs alone, for a look at them.
            for style in [avr::Style::Gas, avr::Style::Avra] {
                let lines = number(1, 200_000);
                println!("{}", file(&folder, Language::Avr(style), lines).display());
            }
            return;
        }
        Some("avr") => race(&folder, &avr_runners(), number(1, 200_000), number(2, 9)),
        Some("linear") => linear(&folder),
        Some("dialects") => dialect_race(&folder, &args[1..], false),
        Some("instructions") => dialect_race(&folder, &args[1..], true),
        _ => {
            race(&folder, &runners(), number(0, 500_000), number(1, 5));
            start_up(&folder);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
