//! `scrimp run`: a program on its machine without a terminal.

use super::args::RunArgs;
use super::failure::Failure;
use super::pixels::Depth;
use super::power;
use super::progress::Progress;
use super::terminal::{Terminal, fit};
use super::{program, screen};
use crate::diagnostic::text::thousands;
use crate::session::keys::{self, Step};
use crate::session::names::number;
use crate::session::power::Running;
use scrimp_isa::machine::{Screen, Stop};
use serde_json::json;
use std::fmt::Write;

/// Number of the layout of `--json`.
const SCHEMA: u32 = 1;
/// Frames before the keys when nothing else is said: the machine is up by then.
const START_FRAMES: u64 = 250;
/// Most bytes of one `--peek`.
const MOST_PEEK: u64 = 65_536;

/// Runs a program and prints what was asked for.
pub fn run(args: &RunArgs, terminal: &Terminal) -> Result<(), Failure> {
    let steps = args.keys.as_deref().map_or(Ok(Vec::new()), keys::parse)?;
    let mut running = power::power_on(&args.machine, terminal)?;
    if let Some(label) = &args.until {
        let address = running.address(label)?;
        running.simulation.breakpoint(address, true);
    }
    let peeks = args
        .peek
        .iter()
        .map(|p| range(p, &running))
        .collect::<Result<Vec<_>, String>>()?;
    let pokes = args
        .poke
        .iter()
        .map(|p| poke(p, &running))
        .collect::<Result<Vec<_>, String>>()?;
    let rate = match &args.wav {
        Some(_) => running.simulation.record(),
        None => None,
    };
    let stop = {
        let _progress = Progress::start(format!("running {}", running.name));
        play_script(args, &steps, &pokes, &mut running)?
    };
    if let Some(path) = &args.wav {
        let rate = rate.ok_or_else(|| format!("{} makes no sound", running.machine.title()))?;
        let sound = wav(rate, &running.simulation.recorded())?;
        program::write(&[(path.clone(), sound)], &[], None)?;
    }
    report(args, &peeks, stop, &running, terminal)?;
    verdict(args, stop, &running, terminal)?;
    power::keep_promises(&running, terminal)?;
    let faults = running.simulation.faults();
    match faults.first().filter(|_| !args.any_signal) {
        Some(first) => Err(Failure::Failed(format!(
            "{first}; with --any-signal that is no error"
        ))),
        None => Ok(()),
    }
}

/// Sound as a WAV file, 8 bits mono.
fn wav(rate: u32, samples: &[u8]) -> Result<Vec<u8>, String> {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: rate,
        bits_per_sample: 8,
        sample_format: hound::SampleFormat::Int,
    };
    let mut out = std::io::Cursor::new(Vec::new());
    let mut write = || {
        let mut file = hound::WavWriter::new(&mut out, spec)?;
        for &s in samples {
            // The library counts from the middle.
            file.write_sample(i16::from(s) - 128)?;
        }
        file.finalize()
    };
    write().map_err(|e: hound::Error| e.to_string())?;
    Ok(out.into_inner())
}

fn play_script(
    args: &RunArgs,
    steps: &[Step],
    pokes: &[(u64, Vec<u8>)],
    running: &mut Running,
) -> Result<Stop, Failure> {
    let frame = running.frame();
    let start = args
        .cycles
        .unwrap_or_else(|| args.frames.unwrap_or(START_FRAMES).saturating_mul(frame));
    let mut stop = running.run_for(start);
    for (address, bytes) in pokes {
        for (i, &b) in bytes.iter().enumerate() {
            running.simulation.poke(address + i as u64, b);
        }
    }
    if let Some(text) = &args.serial_in {
        let bytes = keys::serial(text)?;
        if !running.simulation.type_serial(&bytes) {
            let name = running.machine.name();
            return Err(Failure::Failed(format!(
                "{name} has no serial terminal here"
            )));
        }
        if stop == Stop::Cycles {
            // Until it is typed, at 10 bits a byte and the slowest usual rate, and a bit.
            let frames = 50 + bytes.len() as u64 / 4;
            stop = running.run_for(frames.saturating_mul(frame));
        }
    }
    for step in steps {
        if stop != Stop::Cycles {
            break;
        }
        stop = match step {
            Step::Wait(frames) => running.run_for(frames.saturating_mul(frame)),
            Step::Press(key) => {
                let name = keys::resolve(key, running.simulation.as_mut())?;
                running.simulation.key(&name, true)?;
                let held = running.run_for(args.hold * frame);
                running.simulation.key(&name, false)?;
                if held == Stop::Cycles {
                    running.run_for(args.hold * frame)
                } else {
                    held
                }
            }
        };
    }
    Ok(stop)
}

/// What a run ended with, for scripts.
fn as_json(
    running: &Running,
    stop: Stop,
    shown: &Screen,
    peeks: &[(u64, u64)],
) -> serde_json::Value {
    let sim = &running.simulation;
    let peeks: Vec<_> = peeks
        .iter()
        .map(|&(a, n)| json!({ "address": a, "hex": hex(running, a, n, "") }))
        .collect();
    let inverse: Vec<String> = shown
        .inverse
        .iter()
        .map(|r| r.iter().map(|&i| if i { '1' } else { '0' }).collect())
        .collect();
    let registers: serde_json::Map<_, _> = sim
        .registers()
        .into_iter()
        .map(|(n, v)| (n.to_owned(), v.into()))
        .collect();
    let lights: serde_json::Map<_, _> = sim
        .lights()
        .into_iter()
        .map(|(n, on)| (n, on.into()))
        .collect();
    json!({
        "schema": SCHEMA,
        "program": running.name,
        "machine": running.machine.name(),
        "stop": why(stop),
        "cycles": sim.cycles(),
        "seconds": sim.cycles() as f64 / running.clock() as f64,
        "pc": sim.pc(),
        "routine": running.routine(sim.pc()).map(|r| running.routines()[r].name.clone()),
        "lowest_stack": sim.lowest_stack(),
        "registers": registers,
        "file_bytes": running.file_bytes,
        "image_bytes": running.image.as_ref().map(crate::image::Image::len),
        "screen": { "text": shown.text, "inverse": inverse },
        "serial": sim.serial().map(latin),
        "lights": lights,
        "notes": sim.notes(),
        "broken": running.broken(),
        "peek": peeks,
    })
}

fn report(
    args: &RunArgs,
    peeks: &[(u64, u64)],
    stop: Stop,
    running: &Running,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let sim = &running.simulation;
    let shown = sim.screen();
    if let Some(path) = &args.png {
        // Small pictures are enlarged.
        let scale = if shown.width < 640 { 2 } else { 1 };
        program::write(&[(path.clone(), screen::png(&shown, scale)?)], &[], None)?;
    }
    if args.json {
        let out = as_json(running, stop, &shown, peeks);
        return terminal.print_json(&format!("{out:#}\n"));
    }
    let mut out = String::new();
    let asked = args.screen
        || args.serial
        || !peeks.is_empty()
        || args.png.is_some()
        || args.wav.is_some()
        || !args.expect.is_empty();
    if args.screen || !asked {
        let depth = Depth::of(terminal.color, |name| std::env::var(name).ok());
        let text = screen::text(&shown, depth);
        if text.is_empty() && screen::is_picture(&shown) {
            out.push_str("the screen is dark\n");
        }
        match sim.serial() {
            // A large screen is not printed where it is empty.
            Some(_) => {
                let _ = writeln!(out, "{}", text.trim_end_matches('\n'));
            }
            None => out.push_str(&text),
        }
    }
    if args.serial {
        terminal.print_styled(&std::mem::take(&mut out))?;
        terminal.print_raw(&sim.serial().map(latin).unwrap_or_default())?;
    }
    for &(a, n) in peeks {
        let _ = writeln!(out, "{a:04X}: {}", hex(running, a, n, " "));
    }
    if !asked {
        let lit = sim.lights();
        if !lit.is_empty() {
            let lit: Vec<_> = lit.into_iter().filter(|l| l.1).map(|l| l.0).collect();
            let lit = if lit.is_empty() {
                "none".into()
            } else {
                lit.join(" ")
            };
            let _ = writeln!(out, "lit: {}", fit(&lit));
        }
        let _ = writeln!(out, "{}", fit(&summary(running, stop)));
    }
    // What was asked for by name is for scripts; a file beside it is not.
    if !args.screen && !args.serial && peeks.is_empty() && args.expect.is_empty() {
        // What the command fails with is told there.
        let last = args.until.is_none() && !args.any_signal && running.broken().is_empty();
        let told = sim.faults().into_iter().next().filter(|_| last);
        for note in sim.notes().iter().filter(|n| told.as_ref() != Some(n)) {
            let _ = writeln!(out, "note: {}", fit(note));
        }
    }
    terminal.print_styled(&out)
}

/// Bytes as the characters of Latin 1.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// One line about a run that has ended.
pub fn summary(running: &Running, stop: Stop) -> String {
    let sim = &running.simulation;
    let place = running.routine(sim.pc()).map_or(String::new(), |r| {
        format!(" in {}", running.routines()[r].name)
    });
    // Without a stack nothing ever is below the end of memory.
    let stack = match sim.lowest_stack() {
        0 => String::new(),
        n => format!(", stack down to {n:04X}"),
    };
    format!(
        "{}: {} {} ({:.2} s), {} at {:04X}{place}{stack}",
        running.name,
        thousands(sim.cycles()),
        running.target.cycle_name(),
        sim.cycles() as f64 / running.clock() as f64,
        why(stop),
        sim.pc(),
    )
}

fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Breakpoint(_) => "breakpoint",
        Stop::Halted => "halted",
        _ => "running",
    }
}

fn verdict(
    args: &RunArgs,
    stop: Stop,
    running: &Running,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if let Some(label) = &args.until
        && !matches!(stop, Stop::Breakpoint(_))
    {
        terminal.say(&format!("scrimp: {label} was not reached\n"));
        return Err(Failure::Findings);
    }
    let lines = running.simulation.screen().text;
    let serial = running.simulation.serial().map(latin).unwrap_or_default();
    for text in &args.expect {
        let there = lines.iter().any(|l| l.contains(text.as_str()));
        if !there && !serial.contains(text.as_str()) {
            terminal.say(&format!(
                "scrimp: no line of the screen contains {text:?}\n"
            ));
            return Err(Failure::Findings);
        }
    }
    Ok(())
}

/// `A:N` or `A`.
fn range(text: &str, running: &Running) -> Result<(u64, u64), String> {
    let (address, count) = text.rsplit_once(':').unwrap_or((text, "1"));
    let count = number(count)
        .filter(|n| (1..=MOST_PEEK).contains(n))
        .ok_or_else(|| {
            format!("--peek {text}: a count of 1 to {MOST_PEEK} belongs after the colon")
        })?;
    Ok((running.address(address)?, count))
}

/// `A:HEX`
fn poke(text: &str, running: &Running) -> Result<(u64, Vec<u8>), String> {
    let bad = || format!("--poke {text}: pairs of hexadecimal digits belong after the colon");
    let (address, digits) = text.rsplit_once(':').ok_or_else(bad)?;
    if digits.is_empty() || digits.len() % 2 != 0 || !digits.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return Err(bad());
    }
    let bytes = (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).map_err(|_| bad()))
        .collect::<Result<_, _>>()?;
    Ok((running.address(address)?, bytes))
}

fn hex(running: &Running, address: u64, count: u64, gap: &str) -> String {
    let bytes: Vec<String> = (0..count)
        .map(|i| format!("{:02X}", running.simulation.peek(address.wrapping_add(i))))
        .collect();
    bytes.join(gap)
}
