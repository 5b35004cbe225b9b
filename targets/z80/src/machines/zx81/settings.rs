//! The options of the ZX81 containers.

use scrimp_isa::ImageView;
use scrimp_isa::container::ContainerError;

/// Where the program's bytes lie in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// After `1 REM`, from $4082.
    Rem,
    /// From $403C, the BASIC line inside the system variables.
    System,
    /// The program is the whole file, from $4009.
    Whole,
}

/// How the line writes the start address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usr {
    /// `RAND USR 16514`
    Number,
    /// `RAND USR VAL "16514"`
    Val,
    /// `RAND USR X`
    Variable,
}

/// The display file that the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// 25 newlines, made by the writer.
    Collapsed,
    /// The program's own, at that address.
    Own(u16),
    /// None: the program runs in FAST mode and never shows a picture.
    None,
}

/// Options, read and checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `layout=`; by the addresses of the program when not given.
    pub layout: Option<Layout>,
    /// `start=`, a label or an address; else the symbol `start`.
    pub start: Option<u16>,
    /// `mode=slow`?
    pub slow: bool,
    /// `usr=`
    pub usr: Usr,
    /// `dfile=`
    pub display: Display,
    /// `vars=end`: the file ends with the mark $80.
    pub vars_end: bool,
    /// `ram=`, in K.
    pub ram: u16,
    /// `stack=`, bytes that must stay free above the file.
    pub stack: u32,
}

/// An error without an address.
pub fn error(message: String, help: &str) -> ContainerError {
    ContainerError {
        message,
        help: (!help.is_empty()).then(|| help.to_string()),
        address: None,
        option: None,
    }
}

fn choice<T: Copy>(
    image: &dyn ImageView,
    option: &str,
    choices: &[(&str, T)],
) -> Result<Option<T>, ContainerError> {
    let Some(given) = image.option(option) else {
        return Ok(None);
    };
    match choices.iter().find(|c| c.0.eq_ignore_ascii_case(given)) {
        Some(&(_, value)) => Ok(Some(value)),
        None => {
            let names: Vec<_> = choices.iter().map(|c| c.0).collect();
            Err(error(
                format!("option {option}={given}: no such choice"),
                &format!("the choices are {}", names.join(", ")),
            )
            .of(option))
        }
    }
}

/// A number as in the native dialect: 16514, $4082, 0x4082.
fn value(text: &str) -> Option<i64> {
    let hex = text.strip_prefix('$').or_else(|| text.strip_prefix("0x"));
    match hex {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// An option that is a label or an address in RAM.
fn address(image: &dyn ImageView, option: &str) -> Result<Option<u16>, ContainerError> {
    let Some(given) = image.option(option) else {
        return Ok(None);
    };
    let Some(found) = image.symbol(given).or_else(|| value(given)) else {
        return Err(error(
            format!("option {option}={given}: the program has no label `{given}`"),
            "give a label of the program or an address",
        )
        .of(option));
    };
    let found = in_memory(option, given, found);
    found.map(Some).map_err(|e| e.of(option))
}

fn in_memory(what: &str, name: &str, value: i64) -> Result<u16, ContainerError> {
    match u16::try_from(value) {
        Ok(address) if (0x4009..0x8000).contains(&address) => Ok(address),
        _ => Err(error(
            format!("{what} `{name}` is {value}, outside of $4009..$7FFF where programs are"),
            "",
        )),
    }
}

impl Settings {
    /// Reads the options; `ram` is that of the machine, in K.
    ///
    /// # Errors
    /// An unknown choice, a label that is not there, a number out of range.
    pub fn read(image: &dyn ImageView, ram: u16) -> Result<Settings, ContainerError> {
        let layouts = [
            ("rem", Layout::Rem),
            ("sysvar", Layout::System),
            ("whole", Layout::Whole),
        ];
        let styles = [
            ("number", Usr::Number),
            ("val", Usr::Val),
            ("variable", Usr::Variable),
        ];
        let layout = choice(image, "layout", &layouts)?;
        let slow = choice(image, "mode", &[("slow", true), ("fast", false)])?.unwrap_or(true);
        // A symbol that happens to be called `start` and is no address is none.
        let start = match address(image, "start")? {
            Some(start) => Some(start),
            None => image
                .symbol("start")
                .and_then(|value| in_memory("label", "start", value).ok()),
        };
        let display = match image.option("dfile") {
            None => Display::Collapsed,
            Some("collapsed") => Display::Collapsed,
            Some("none") if !slow => Display::None,
            Some("none") => {
                return Err(error(
                    "option dfile=none: SLOW mode shows the display file all the time".into(),
                    "mode=fast goes with dfile=none",
                )
                .of("dfile"));
            }
            Some(_) => address(image, "dfile")?.map_or(Display::Collapsed, Display::Own),
        };
        let stack = match image.option("stack") {
            None => 0,
            Some(text) => match value(text).map(u32::try_from) {
                Some(Ok(bytes)) if bytes < 0x4000 => bytes,
                _ => {
                    return Err(error(
                        format!("option stack={text}: not a number of bytes from 0 to 16383"),
                        "",
                    )
                    .of("stack"));
                }
            },
        };
        Ok(Settings {
            layout,
            start,
            slow,
            usr: choice(image, "usr", &styles)?.unwrap_or(Usr::Number),
            display,
            vars_end: choice(image, "vars", &[("end", true), ("none", false)])?.unwrap_or(true),
            ram: choice(image, "ram", &[("1", 1), ("2", 2), ("16", 16)])?.unwrap_or(ram),
            stack,
        })
    }
}
