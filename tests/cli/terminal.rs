//! What reaches a terminal: the command on a pseudo-terminal of a given size.

use super::bench::Bench;
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command on a terminal of its own.
pub struct Pty {
    pub child: Child,
    master: File,
    seen: Arc<Mutex<Vec<u8>>>,
    size: (u16, u16),
}

impl Drop for Pty {
    fn drop(&mut self) {
        // What is still there when a test is done would play on for ever.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pty {
    /// Starts a command in a terminal of so many columns and rows.
    pub fn start(mut command: Command, (columns, rows): (u16, u16)) -> Self {
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = openpty(Some(&size), None).expect("a terminal");
        let slave = || Stdio::from(pty.slave.try_clone().expect("a terminal"));
        let child = command
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .expect("the command runs");
        drop(command);
        drop(pty.slave);
        let master = File::from(pty.master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut reader = master.try_clone().expect("a terminal");
        let sink = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut buffer = [0; 65536];
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(n) => sink.lock().expect("it").extend_from_slice(&buffer[..n]),
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        });
        Self {
            child,
            master,
            seen,
            size: (columns, rows),
        }
    }

    /// All bytes that came.
    pub fn bytes(&self) -> Vec<u8> {
        self.seen.lock().expect("it").clone()
    }

    /// What the terminal shows now.
    pub fn screen(&self) -> vt100::Parser {
        let mut parser = vt100::Parser::new(self.size.1, self.size.0, 0);
        parser.process(&self.bytes());
        parser
    }

    /// The text on it.
    pub fn text(&self) -> String {
        self.screen().screen().contents()
    }

    /// Types something.
    pub fn send(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("it is typed");
    }

    /// Waits until the text on the terminal is as wanted.
    pub fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !wanted(&self.text()) {
            assert!(
                Instant::now() < end,
                "{what} does not appear:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end; everything that came.
    pub fn end(mut self) -> (std::process::ExitStatus, Vec<u8>) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it") {
                // What is on its way comes: nothing new for a while.
                let mut known = self.bytes().len();
                loop {
                    std::thread::sleep(Duration::from_millis(50));
                    let now = self.bytes().len();
                    if now == known {
                        break;
                    }
                    known = now;
                }
                return (status, self.bytes());
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A chip that sends commands for a terminal on its serial line.
const SENDER: &str = "\
        org 0
        ldi r16,0x08            ; TXEN
        out 0x0a,r16            ; UCR
        ldi r16,51              ; 9600 baud at 8 MHz
        out 0x09,r16            ; UBRR
        ldi r30,lo(text)
        ldi r31,hi(text)
next:   lpm
        adiw r30,1
        or r0,r0
stay:   breq stay
wait:   sbis 0x0b,5             ; UDRE
        rjmp wait
        out 0x0c,r0             ; UDR
        rjmp next
text:   db \"A\",27,\"]0;owned\",7,27,\"[2J\",27,\"c\",0x9b,\"31mB\",0x9d,\"x\",13,10,\"C\",0
";
const BOARD: &str = "machine = 'at90s8515'\ntarget = 'avr'\nmain = 'main.asm'\n[board]\nclock = 8000000\n\
     terminal = { usart = 0, baud = 9600 }\n";

/// Whether anything but text, line ends and colours is in it.
fn commands(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = &*text;
    while let Some(at) = rest.find(|c: char| c.is_control() && !"\r\n\t".contains(c)) {
        let found = &rest[at..];
        let length = found.find('m').unwrap_or(0);
        let style = found
            .strip_prefix("\x1b[")
            .map(|f| &f[..length.saturating_sub(2)]);
        match style {
            Some(s) if s.bytes().all(|b| b.is_ascii_digit() || b == b';') => {
                rest = &found[length..];
            }
            _ => return Some(found.chars().take(20).collect()),
        }
    }
    None
}

#[test]
fn a_simulated_machine_commands_no_terminal() {
    let b = Bench::new(&[("game/program.toml", BOARD), ("game/main.asm", SENDER)]);
    let args = ["run", "game", "--frames", "20", "--serial"];
    let (status, bytes) = Pty::start(b.command(&args), (80, 24)).end();
    let text = String::from_utf8_lossy(&bytes);
    assert!(status.success() && text.contains("A␛]0;owned␇"), "{text:?}");
    assert_eq!(commands(&bytes), None, "{text:?}");
    // Redirected it is what was sent.
    let ran = b.run(&args);
    assert!(
        ran.out.starts_with("A\x1b]0;owned\x07\x1b[2J"),
        "{:?}",
        ran.out
    );
    for args in [
        &["run", "game", "--frames", "20"][..],
        &["run", "game", "--frames", "20", "--json"],
        &["run", "game", "--frames", "20", "--screen"],
    ] {
        let (_, bytes) = Pty::start(b.command(args), (80, 24)).end();
        assert_eq!(commands(&bytes), None, "{args:?}");
        let mut colored = b.command(args);
        colored.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
        let (_, bytes) = Pty::start(colored, (80, 24)).end();
        assert_eq!(commands(&bytes), None, "{args:?}");
    }
}

#[test]
fn names_and_sources_command_no_terminal() {
    let evil = "\x1b]0;owned\x07\u{9b}2J";
    let b = Bench::new(&[
        (
            "a.asm",
            &format!("        db \"{evil}\",frob\n{evil}:\n print \"{evil}\"\n"),
        ),
        (&format!("{evil}.asm"), "        frob\n"),
        ("game/program.toml", &format!("main = \"{evil}\"\n")),
        ("key/program.toml", "main = \"a\"\n\"\\u001b[2J\" = 1\n"),
        (
            "board/program.toml",
            "main='a.asm'\nmachine='at90s8515'\n[board]\n\"\\u001b[2J\"=1\n",
        ),
    ]);
    let name = format!("{evil}.asm");
    for args in [
        &["build", "a.asm"][..],
        &["build", "a.asm", "--message-format", "short"],
        &["build", "a.asm", "--message-format", "json"],
        &["build", &name],
        &["build", &name, "--message-format", "json"],
        &["build", &format!("{evil}.none")],
        &["build", "game"],
        &["build", "key"],
        &["build", "board"],
        &["explain", evil],
        &[evil],
        &["build", "a.asm", &format!("--{evil}")],
    ] {
        for color in ["never", "always"] {
            let args = [args, &["--color", color]].concat();
            let (_, bytes) = Pty::start(b.command(&args), (80, 24)).end();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert_eq!(commands(&bytes), None, "{args:?}: {text:?}");
            assert!(!text.trim().is_empty(), "{args:?}");
        }
    }
}

/// The machine in a terminal of this size and environment.
fn play(program: &str, size: (u16, u16), env: &[(&str, &str)], args: &[&str]) -> Pty {
    let b = Bench::new(&[]);
    let mut command = b.command(&[&["play", program][..], args].concat());
    command.env_remove("NO_COLOR").env_remove("COLORTERM");
    command.env("TERM", "xterm-256color");
    for (name, value) in env {
        command.env(name, value);
    }
    Pty::start(command, size)
}

#[test]
fn the_whole_board_the_status_and_the_keys_are_there() {
    let pty = play("zx81-chess-seed", (80, 24), &[], &[]);
    pty.wait("the board", |t| {
        t.contains("1▒RNBQKBNR") && t.contains("A▒ABCDEFGH")
    });
    let text = pty.text();
    assert!(
        text.contains("8▒") && text.contains("bytes in the file"),
        "{text}"
    );
    assert!(text.contains("? keys  Esc quits"), "{text}");
    let mut pty = play("ee476", (80, 24), &[], &[]);
    pty.wait("the menu", |t| t.contains("1 tic-tac-toe 2 chess"));
    // In the window are the keypad, the LEDs and the keys as well.
    pty.wait("the parts", |t| {
        t.contains("○") && t.contains(" 1 ") && t.contains("? keys  Esc quits")
    });
    pty.send("2");
    pty.wait("the next menu", |t| t.contains("machine: 1 no"));
    pty.send("1");
    pty.wait("the board", |t| {
        t.contains("1wRwKw") && t.contains("8bRbKb")
    });
    assert!(pty.text().contains("? keys  Esc quits"), "{}", pty.text());
}

#[test]
fn keys_are_listed_and_a_small_window_is_told() {
    let mut pty = play("zx81-chess-seed", (80, 24), &[], &[]);
    pty.wait("the machine", |t| t.contains("zx81-chess-seed"));
    pty.send("?");
    pty.wait("the list", |t| {
        t.contains("Esc          quits")
            && t.contains("E 2 E 4      a move")
            && t.contains("0 to 9 A to Z")
    });
    pty.send("x");
    pty.wait("the machine again", |t| t.contains("bytes in the file"));
    let pty = play("zx81-chess-seed", (40, 10), &[], &[]);
    pty.wait("what is needed", |t| {
        t.contains("The window has 40 by 10") && t.contains("needs 55 by")
    });
}

#[test]
fn what_is_known_of_a_program_is_below_a_wide_screen() {
    let pty = play("tiny-chess960", (80, 24), &[], &[]);
    pty.wait("the keys and the buttons below the display", |t| {
        t.contains("tiny-chess960") && t.contains(" LEFT ") && t.contains("? keys  Esc quits")
    });
    // The whole display: the first and the last rank of a board of white and black men.
    pty.wait("the whole display", |t| {
        let dots = |row: usize| {
            let row = t.lines().nth(row).unwrap_or("");
            row.chars().filter(|c| ('⠁'..='⣿').contains(c)).count()
        };
        dots(1) > 10 && dots(15) > 10
    });
    assert!(!pty.text().contains("needs"), "{}", pty.text());
}

#[test]
fn colour_is_what_the_terminal_has() {
    let after = |env: &[(&str, &str)], args: &[&str]| {
        let pty = play("gigatron-chess", (120, 50), env, args);
        // A picture in cells: some rows of blocks.
        pty.wait("the picture", |t| {
            t.chars().filter(|c| !c.is_ascii() && *c != '█').count() > 200
        });
        String::from_utf8_lossy(&pty.bytes()).into_owned()
    };
    assert!(after(&[("COLORTERM", "truecolor")], &[]).contains("\x1b[38;2;"));
    let indexed = after(&[], &[]);
    assert!(indexed.contains("\x1b[38;5;") && !indexed.contains("\x1b[38;2;"));
    // A number of colour ends with m, one of a place with H.
    let none = |text: &str| {
        let styles = text
            .split("\x1b[")
            .skip(1)
            .filter_map(|s| s.split_once('m'));
        let mut numbers = styles.filter(|s| s.0.bytes().all(|b| b.is_ascii_digit() || b == b';'));
        numbers.all(|s| ["0", "1", "2", "7", "22", "27"].contains(&s.0))
    };
    assert!(none(&after(&[("NO_COLOR", "1")], &[])));
    assert!(none(&after(
        &[("COLORTERM", "truecolor")],
        &["--color", "never"]
    )));
}

/// The signs and colours of a square of the board, by file and rank of cells.
fn square(screen: &vt100::Screen, (x, y): (u16, u16), (wide, high): (u16, u16)) -> Vec<String> {
    let cells = (y..y + high).flat_map(|y| (x..x + wide).map(move |x| (x, y)));
    let sign = |(x, y): (u16, u16)| {
        screen
            .cell(y, x)
            .map_or(String::new(), |c| c.contents().to_owned())
    };
    cells.map(sign).collect()
}

#[test]
fn pieces_of_a_picture_differ() {
    for size in [(120, 50), (80, 24)] {
        let pty = play("gigatron-chess", size, &[], &[]);
        pty.wait("the picture", |t| {
            t.chars().filter(|c| !c.is_ascii() && *c != '█').count() > 200
        });
        std::thread::sleep(Duration::from_millis(500));
        let parser = pty.screen();
        let screen = parser.screen();
        // The first and last rows that are used; eight files and ranks in between.
        let row = |y: u16| square(screen, (0, y), (40, 1)).concat();
        let used: Vec<u16> = (0..size.1).filter(|&y| !row(y).trim().is_empty()).collect();
        // A row within empty squares is colour alone.
        let high = used.last().zip(used.first()).map(|(l, f)| l - f);
        assert!(high >= Some(20), "{}", pty.text());
        let text = pty.text();
        // No figure beside it is cut.
        for whole in ["bytes of code and data", "bytes in the file", " clocks"] {
            assert!(text.lines().any(|l| l.ends_with(whole)), "{whole}: {text}");
        }
        let lines: Vec<&str> = text.lines().collect();
        let top: Vec<Vec<char>> = lines[..3]
            .iter()
            .map(|l| l.chars().take(64).collect())
            .collect();
        // The pieces of the last rank: neighbours are not alike.
        let wide = if size.0 == 80 { 6 } else { 8 };
        let piece = |n: usize| {
            top.iter()
                .map(|l| l[n * wide..(n + 1) * wide].to_vec())
                .collect::<Vec<_>>()
        };
        for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
            assert_ne!(piece(a), piece(b), "{text}");
        }
    }
}
