//! What is known of a device.
//!
//! Addresses of registers are addresses of the data space, sizes are in bytes. The
//! classic parts have modules at fixed addresses whose registers have names of their
//! own (`PORTB`); the XMEGA and its successors have modules of a type, of which there
//! are instances (`PORT` at `PORTA`, hence `PORTA_DIR`).

use crate::features as f;

/// The core: which instructions there are and how long they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Core {
    /// The original of 1995.
    Avr,
    /// With MOVW and `lpm Rd,Z`.
    AvrE,
    /// With multiplication.
    AvrEPlus,
    /// XMEGA.
    AvrXm,
    /// tinyAVR 0/1/2, megaAVR 0, AVR Dx.
    AvrXt,
    /// Reduced: sixteen registers.
    AvrRc,
}

impl Core {
    /// All of them, with the names of the manual.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Avr, "AVR"),
        (Self::AvrE, "AVRe"),
        (Self::AvrEPlus, "AVRe+"),
        (Self::AvrXm, "AVRxm"),
        (Self::AvrXt, "AVRxt"),
        (Self::AvrRc, "AVRrc"),
    ];

    /// As the manual calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(c, _)| *c == self)
            .map_or("", |r| r.1)
    }
}

/// The architecture as GNU as numbers them (`-mmcu=avr25`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of GNU as")]
pub enum Group {
    Avr1,
    Avr2,
    Avr25,
    Avr3,
    Avr31,
    Avr35,
    Avr4,
    Avr5,
    Avr51,
    Avr6,
    AvrTiny,
    Xmega2,
    Xmega3,
    Xmega4,
    Xmega5,
    Xmega6,
    Xmega7,
}

const CLASSIC: u32 = f::FULL | f::LPM;
const SRAM: u32 = CLASSIC | f::SRAM | f::IJMP | f::ADIW;
const ENHANCED: u32 = SRAM | f::MOVW | f::LPMX | f::LPMZP | f::SPM | f::BREAK;
const XMEGA: u32 = ENHANCED | f::MUL | f::JMP | f::SPMX | f::ELPM | f::ELPMX | f::DES;

impl Group {
    /// Each with its name, its number in `__AVR_ARCH__` and an ELF's flags, and what its
    /// devices have as a rule.
    pub const ALL: [(Self, &'static str, u32, u32); 17] = [
        (Self::Avr1, "avr1", 1, CLASSIC),
        (Self::Avr2, "avr2", 2, SRAM),
        (Self::Avr25, "avr25", 25, ENHANCED),
        (Self::Avr3, "avr3", 3, SRAM | f::JMP),
        (Self::Avr31, "avr31", 31, SRAM | f::JMP | f::ELPM),
        (Self::Avr35, "avr35", 35, ENHANCED | f::JMP),
        (Self::Avr4, "avr4", 4, ENHANCED | f::MUL),
        (Self::Avr5, "avr5", 5, ENHANCED | f::MUL | f::JMP),
        (
            Self::Avr51,
            "avr51",
            51,
            ENHANCED | f::MUL | f::JMP | f::ELPM | f::ELPMX,
        ),
        (
            Self::Avr6,
            "avr6",
            6,
            ENHANCED | f::MUL | f::JMP | f::ELPM | f::ELPMX | f::EIND,
        ),
        (
            Self::AvrTiny,
            "avrtiny",
            100,
            f::RC | f::SRAM | f::IJMP | f::BREAK,
        ),
        (Self::Xmega2, "avrxmega2", 102, XMEGA),
        (
            Self::Xmega3,
            "avrxmega3",
            103,
            ENHANCED & !f::SPM | f::MUL | f::JMP,
        ),
        (Self::Xmega4, "avrxmega4", 104, XMEGA),
        (Self::Xmega5, "avrxmega5", 105, XMEGA),
        (Self::Xmega6, "avrxmega6", 106, XMEGA | f::EIND),
        (Self::Xmega7, "avrxmega7", 107, XMEGA | f::EIND),
    ];

    fn row(self) -> &'static (Self, &'static str, u32, u32) {
        &Self::ALL[self as usize]
    }

    /// The name: `avr25`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The number: 25.
    #[must_use]
    pub fn number(self) -> u32 {
        self.row().2
    }

    /// The [`crate::features`] that a device of the group has as a rule.
    #[must_use]
    pub fn features(self) -> u32 {
        self.row().3
    }
}

/// A stretch of an address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// The first address.
    pub start: u32,
    /// How many bytes.
    pub size: u32,
}

impl Range {
    /// The last address; that before the start when there is nothing.
    #[must_use]
    pub fn last(self) -> u32 {
        (self.start + self.size).wrapping_sub(1)
    }
}

/// The program memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flash {
    /// Where it begins; 0 but for parts that have a ROM below.
    pub start: u32,
    /// Bytes; of an XMEGA with the boot section.
    pub size: u32,
    /// Bytes of a page, 0 when it is not written by pages.
    pub page: u32,
    /// Sizes of the boot section that the fuses choose from, ascending; of an XMEGA the
    /// one that it has.
    pub boot: Vec<u32>,
    /// The table section of an XMEGA.
    pub table: Option<Range>,
    /// Where it appears in the data space.
    pub mapped: Option<Range>,
    /// Program memory that cannot be written, outside of it.
    pub rom: Option<Range>,
}

/// The EEPROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Eeprom {
    /// Bytes.
    pub size: u32,
    /// Bytes of a page, 0 when it is written by single bytes.
    pub page: u32,
    /// Where it appears in the data space.
    pub mapped: Option<u32>,
}

/// An interrupt vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// Its number; 0 is reset. Two may share one (TCA in its modes).
    pub number: u32,
    /// The interrupt: `TIMER0_OVF`.
    pub name: &'static str,
}

/// Where the registers of an instance are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Space {
    Data,
    Fuses,
    Lock,
    Signature,
}

/// Bits of a register that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// `RXC0`, or without number when it has several bits: `WGM0`.
    pub name: &'static str,
    /// Where its bits are.
    pub mask: u32,
    /// The number of its lowest bit in the names: 2 when WGM1's bits here are WGM12 and
    /// WGM13.
    pub first: u32,
    /// The name of the list of its values; empty when that is the module's name with
    /// its own. See [`Module::values_of`].
    pub values: Option<&'static str>,
}

impl Field {
    /// The bits, each with its name and position, from the lowest.
    pub fn bits(&self) -> impl Iterator<Item = (String, u32)> + '_ {
        let single = self.mask.count_ones() == 1;
        (0..32)
            .filter(|at| self.mask >> at & 1 == 1)
            .zip(self.first..)
            .map(move |(at, number)| {
                let name = if single {
                    self.name.to_owned()
                } else {
                    format!("{}{number}", self.name)
                };
                (name, at)
            })
    }

    /// The position of its lowest bit.
    #[must_use]
    pub fn position(&self) -> u32 {
        self.mask.trailing_zeros()
    }
}

/// A register of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// The address; in the module's instances relative to their base.
    pub offset: u32,
    /// `UCSR0A`, `CTRLA`.
    pub name: &'static str,
    /// Bytes: 1, 2 or 4.
    pub size: u32,
    /// The value it has when the part is delivered; for fuses.
    pub initial: Option<u32>,
    /// The bits that there are, when it has no fields.
    pub mask: u32,
    /// Its fields, from the highest bit.
    pub fields: Vec<Field>,
}

/// A module within a module: the channels of a DMA controller, the modes of a timer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sub {
    /// Where it begins in the outer module.
    pub offset: u32,
    /// Its name there: `CH0`.
    pub name: &'static str,
    /// The name of the module.
    pub module: &'static str,
}

/// The values of a field, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The name of the list: `PORT_ISC`.
    pub name: &'static str,
    /// Names and values, not yet shifted to the field's position.
    pub values: Vec<(&'static str, u32)>,
}

/// A kind of peripheral.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// `USART0`, of the newer parts the type: `USART`.
    pub name: &'static str,
    /// The registers by address.
    pub registers: Vec<Register>,
    /// Modules within.
    pub subs: Vec<Sub>,
    /// Lists of values that its fields use.
    pub values: Vec<Values>,
}

impl Module {
    /// The values of one of its fields.
    #[must_use]
    pub fn values_of(&self, field: &Field) -> Option<&Values> {
        let name = field.values?;
        self.values.iter().find(|v| {
            if name.is_empty() {
                let rest = v.name.strip_prefix(self.name);
                rest.and_then(|r| r.strip_prefix('_')) == Some(field.name)
            } else {
                v.name == name
            }
        })
    }
}

/// A module of which the device has one or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// `USART0`.
    pub name: &'static str,
    /// The index in [`Device::modules`].
    pub module: usize,
    /// What the offsets of the registers are added to.
    pub base: u32,
    /// Where.
    pub space: Space,
}

/// A register at its place.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// The whole name: `PORTB`, `PORTA_DIR`, `TCA0_SINGLE_CTRLA`.
    pub name: String,
    /// In the data space, or the number of the byte in its space.
    pub address: u32,
    /// The register.
    pub register: &'a Register,
    /// The module that has it.
    pub module: &'a Module,
}

/// A part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// As the manufacturer writes it: `ATmega328P`.
    pub name: &'static str,
    /// The core.
    pub core: Core,
    /// The architecture of GNU as.
    pub group: Group,
    /// Features that its group does not have as a rule.
    pub has: u32,
    /// Features of its group that it has not.
    pub lacks: u32,
    /// The three bytes of the signature; zeros when it has none.
    pub signature: [u8; 3],
    /// The program memory.
    pub flash: Flash,
    /// Memory within the part; of size 0 when it has only registers.
    pub sram: Range,
    /// Memory that can be attached.
    pub xram: Option<Range>,
    /// The EEPROM; of size 0 when there is none.
    pub eeprom: Eeprom,
    /// The registers' part of the data space.
    pub io: Range,
    /// Bytes of an interrupt vector: 2 or 4.
    pub vector_bytes: u32,
    /// The interrupts by number.
    pub vectors: Vec<Vector>,
    /// The kinds of modules.
    pub modules: Vec<Module>,
    /// The modules that it has.
    pub instances: Vec<Instance>,
    /// Older names of registers and bits, each with the name it stands for.
    pub aliases: Vec<(&'static str, &'static str)>,
    /// Names with a number that no register gives: of GNU headers.
    pub constants: Vec<(&'static str, i64)>,
}

impl Device {
    /// The [`crate::features`] of this part.
    #[must_use]
    pub fn features(&self) -> u32 {
        (self.group.features() | self.has) & !self.lacks
    }

    /// As GNU tools write it: `atmega328p`.
    #[must_use]
    pub fn gnu_name(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// Whether its registers are named by module and instance.
    #[must_use]
    pub fn modular(&self) -> bool {
        matches!(self.core, Core::AvrXm | Core::AvrXt)
    }

    /// What IN and OUT subtract from an address of the data space.
    #[must_use]
    pub fn io_offset(&self) -> u32 {
        self.io.start
    }

    /// The address for IN and OUT, when they reach it.
    #[must_use]
    pub fn io_address(&self, address: u32) -> Option<u32> {
        address
            .checked_sub(self.io_offset())
            .filter(|at| *at < 0x40)
    }

    /// The registers of the data space, by address.
    #[must_use]
    pub fn registers(&self) -> Vec<Placed<'_>> {
        let mut all = self.registers_in(Space::Data);
        all.sort_by_key(|p| p.address);
        all
    }

    /// The registers of one space, in the order of the modules.
    #[must_use]
    pub fn registers_in(&self, space: Space) -> Vec<Placed<'_>> {
        let mut out = Vec::new();
        for instance in self.instances.iter().filter(|i| i.space == space) {
            let Some(module) = self.modules.get(instance.module) else {
                continue;
            };
            let prefix = if self.modular() {
                format!("{}_", instance.name)
            } else {
                String::new()
            };
            self.place(module, &prefix, instance.base, 0, &mut out);
        }
        out
    }

    fn place<'a>(
        &'a self,
        module: &'a Module,
        prefix: &str,
        base: u32,
        depth: u32,
        out: &mut Vec<Placed<'a>>,
    ) {
        for register in &module.registers {
            out.push(Placed {
                name: format!("{prefix}{}", register.name),
                address: base + register.offset,
                register,
                module,
            });
        }
        for sub in module.subs.iter().filter(|_| depth < 4) {
            if let Some(inner) = self.modules.iter().find(|m| m.name == sub.module) {
                let prefix = format!("{prefix}{}_", sub.name);
                self.place(inner, &prefix, base + sub.offset, depth + 1, out);
            }
        }
    }

    /// The address of a register by its name.
    #[must_use]
    pub fn register(&self, name: &str) -> Option<Placed<'_>> {
        self.registers_in(Space::Data)
            .into_iter()
            .find(|p| p.name == name)
    }

    /// The number of vectors, reset included.
    #[must_use]
    pub fn vector_count(&self) -> u32 {
        self.vectors.iter().map(|v| v.number + 1).max().unwrap_or(1)
    }
}
