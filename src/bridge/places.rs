//! Names of a description as addresses and values of the program that runs.

use super::description::{Term, Wrong};
use crate::image::Image;
use crate::session::names::number;
use crate::session::power::Running;
use scrimp_isa::Simulation;
use toml::Spanned;

/// Where a byte is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory, at a linear address.
    Memory(u64),
    /// So far behind what the board's pointer points at.
    Behind(i64),
    /// In a register.
    Register(String),
}

/// The register that points at the board, and what is added.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// The register.
    pub register: String,
    /// Added to it.
    pub origin: u64,
}

impl Pointer {
    fn address(&self, simulation: &dyn Simulation, offset: i64) -> u64 {
        let value = simulation.register(&self.register).unwrap_or(0);
        let at = self.origin.wrapping_add(value);
        at.wrapping_add_signed(offset)
    }
}

impl Place {
    /// What is there.
    pub fn get(&self, simulation: &dyn Simulation, pointer: Option<&Pointer>) -> u64 {
        match (self, pointer) {
            (Self::Memory(at), _) => simulation.peek(*at).into(),
            (Self::Behind(n), Some(p)) => simulation.peek(p.address(simulation, *n)).into(),
            (Self::Behind(_), None) => 0,
            (Self::Register(name), _) => simulation.register(name).unwrap_or(0),
        }
    }

    /// Writes there: a byte into memory.
    pub fn set(&self, simulation: &mut dyn Simulation, pointer: Option<&Pointer>, value: u64) {
        match (self, pointer) {
            (Self::Memory(at), _) => simulation.poke(*at, value as u8),
            (Self::Behind(n), Some(p)) => {
                let at = p.address(simulation, *n);
                simulation.poke(at, value as u8);
            }
            (Self::Behind(_), None) => {}
            (Self::Register(name), _) => {
                simulation.set_register(name, value);
            }
        }
    }

    /// The same with a number added.
    pub fn plus(&self, n: i64) -> Self {
        match self {
            Self::Memory(at) => Self::Memory(at.wrapping_add_signed(n)),
            Self::Behind(at) => Self::Behind(at + n),
            Self::Register(name) => Self::Register(name.clone()),
        }
    }
}

/// Who knows the names.
pub struct Names<'a> {
    image: &'a Image,
    running: &'a Running,
}

/// A text as a name and a number that is added to it.
fn split(text: &str) -> Option<(&str, i64)> {
    let text = text.trim();
    let at = text.get(1..)?.rfind(['+', '-']).map(|i| i + 1);
    let Some(at) = at else {
        return Some((text, 0));
    };
    let (name, rest) = text.split_at(at);
    let n = i64::try_from(number(rest[1..].trim())?).ok()?;
    Some((name.trim(), if rest.starts_with('-') { -n } else { n }))
}

impl<'a> Names<'a> {
    /// Of a program that runs.
    pub fn new(image: &'a Image, running: &'a Running) -> Self {
        Self { image, running }
    }

    fn wrong<T>(term: &Spanned<Term>, message: String) -> Result<T, Wrong> {
        Err(Wrong {
            range: term.span(),
            message,
        })
    }

    /// Refuses a name that nothing has.
    fn unknown<T>(&self, term: &Spanned<Term>, name: &str) -> Result<T, Wrong> {
        let message = match self.running.address(name) {
            Err(message) => message,
            Ok(_) => format!("{name} is no place"),
        };
        Self::wrong(term, message)
    }

    /// A place.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn place(&self, term: &Spanned<Term>) -> Result<Place, Wrong> {
        let text = match term.get_ref() {
            Term::Number(n) => match u64::try_from(*n) {
                Ok(at) => return Ok(Place::Memory(at)),
                Err(_) => return Self::wrong(term, format!("{n} is no address")),
            },
            Term::Text(text) => text.trim(),
        };
        if let Some(offset) = text.strip_prefix('@') {
            return match number(offset).map(i64::try_from) {
                Some(Ok(n)) => Ok(Place::Behind(n)),
                _ => Self::wrong(term, format!("{offset} is no number")),
            };
        }
        if let Some(n) = number(text) {
            return Ok(Place::Memory(n));
        }
        let Some((name, plus)) = split(text) else {
            return Self::wrong(term, format!("{text:?} is no place"));
        };
        if let Some(symbol) = self.image.symbol(name) {
            let linear = symbol.address.unwrap_or(symbol.value as u64);
            return Ok(Place::Memory(linear.wrapping_add_signed(plus)));
        }
        if plus == 0 && self.running.simulation.register(name).is_some() {
            return Ok(Place::Register(name.to_owned()));
        }
        self.unknown(term, name)
    }

    /// A value: of a name its own.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn value(&self, term: &Spanned<Term>) -> Result<u64, Wrong> {
        let text = match term.get_ref() {
            Term::Number(n) => return Ok(*n as u64),
            Term::Text(text) => text.trim(),
        };
        if let Some(n) = number(text) {
            return Ok(n);
        }
        let Some((name, plus)) = split(text) else {
            return Self::wrong(term, format!("{text:?} is no value"));
        };
        match self.image.symbol(name) {
            Some(symbol) => Ok((symbol.value as u64).wrapping_add_signed(plus)),
            None => self.unknown(term, name),
        }
    }

    /// Where code is, as the program counter has it.
    ///
    /// # Errors
    /// There is no label of that name.
    pub fn code(&self, term: &Spanned<Term>) -> Result<u64, Wrong> {
        self.value(term)
    }
}
