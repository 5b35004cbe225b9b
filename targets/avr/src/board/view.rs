//! What people see of a board's parts.

use scrimp_isa::Screen;

use crate::parts::{Part, display};

/// Name of a key for a typed character: the character itself, letters in capitals.
pub(super) fn key_name(typed: char) -> Option<&'static str> {
    const NAMES: &str = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`";
    let at = match typed {
        '\n' | '\r' => return Some("ENTER"),
        '\u{8}' => return Some("BACKSPACE"),
        ' ' => return Some("SPACE"),
        '↑' => return Some("UP"),
        '↓' => return Some("DOWN"),
        '←' => return Some("LEFT"),
        '→' => return Some("RIGHT"),
        c => NAMES.find(c.to_ascii_uppercase())?,
    };
    NAMES.get(at..=at)
}

/// The terminal's screen, the display's picture below it.
pub(super) fn screen(parts: &[Part]) -> Screen {
    let mut screen = Screen::default();
    for part in parts {
        match part {
            Part::Terminal(t) => {
                screen.text.extend(t.screen().rows());
                screen.inverse.extend(t.screen().inverse());
            }
            Part::Display(d) => {
                let rows = d.text();
                let blank = rows.iter().map(|r| vec![false; r.chars().count()]);
                screen.inverse.extend(blank);
                screen.text.extend(rows);
                (screen.width, screen.height) = (display::WIDTH, display::HEIGHT);
                screen.rgb = d.rgb();
            }
            _ => {}
        }
    }
    screen
}

/// LEDs by their pins.
pub(super) fn lights(parts: &[Part]) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    for part in parts {
        if let Part::Leds(leds) = part {
            out.extend(leds.state().map(|(pin, on)| (pin.to_string(), on)));
        }
    }
    out
}

/// Columns that buttons fill in a line.
const BUTTONS: usize = 22;

/// A key or button by its name, in brackets while it is down.
fn key(name: &str, down: bool) -> String {
    match down {
        true => format!("[{name}]"),
        false => format!(" {name} "),
    }
}

/// A line or more on the parts that have no place on the screen: a keypad's rows, and all
/// buttons, as many in a line as fit.
pub(super) fn panel(parts: &[Part]) -> Vec<String> {
    let mut out = Vec::new();
    let mut buttons = String::new();
    for part in parts {
        match part {
            Part::Keypad(keypad) => {
                let keys: Vec<_> = keypad.state().collect();
                for row in keys.chunks(keypad.columns()) {
                    let line = row.iter().map(|(label, down)| key(label, *down)).collect();
                    out.push(line);
                }
            }
            Part::Button(b) => {
                let next = key(&b.name, b.down());
                if !buttons.is_empty() && buttons.chars().count() + next.chars().count() > BUTTONS {
                    out.push(std::mem::take(&mut buttons));
                }
                buttons += &next;
            }
            _ => {}
        }
    }
    if !buttons.is_empty() {
        out.push(buttons);
    }
    out
}

/// Bytes that the terminal could not read.
pub(super) fn framing_errors(part: &Part) -> u64 {
    match part {
        Part::Terminal(t) => t.errors(),
        _ => 0,
    }
}
