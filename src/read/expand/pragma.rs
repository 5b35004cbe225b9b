//! `#pragma`: what a program says of its part itself (a maker's include file does), and
//! how strictly bytes and overlaps are checked.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::Region;
use crate::program::ByteRange;
use crate::read::Assembler;
use crate::read::syntax::literal;
use crate::text::source::Span;

/// Most macros that say which part it is.
const MOST_NAMED: usize = 10_000;

impl Assembler<'_> {
    /// `#pragma …`; one that says nothing here is left alone.
    pub(crate) fn pragma(&mut self, text: &str, span: Span) {
        if self.dialect.output.segments.is_empty() {
            return;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let small: Vec<String> = words.iter().map(|w| w.to_ascii_lowercase()).collect();
        let small: Vec<&str> = small.iter().map(String::as_str).collect();
        match small[..] {
            ["warning", "range", "byte", how] => self.byte_range(how, span),
            ["overlap", how] => match how {
                "ignore" | "warning" => self.may_overlap(true),
                "error" | "default" => self.may_overlap(false),
                _ => self.pragma_fault("`ignore`, `warning`, `error` or `default`", span),
            },
            ["avrpart", "admin", "part_name", ..] if words.len() == 4 => {
                self.name_part(words[3]);
                let known = self.job.target.machine(words[3]).is_some();
                if self.machine.is_none() && known {
                    let chosen = self.choose_machine(words[3], span);
                    if let Err(d) = chosen {
                        self.report(d);
                    }
                }
            }
            ["avrpart", "core", what, ..] if words.len() > 3 => {
                let said = words[3..].join(" ");
                match what {
                    "core_version" => {
                        if said != self.chosen.part.core {
                            let version = ("__CORE_VERSION__".into(), format!("\"{said}\""));
                            self.chosen.part.defines.push(version);
                            self.part_macro(format!("__CORE_{said}__"));
                        }
                        self.chosen.part.core = said;
                    }
                    "instructions_not_supported" => self.chosen.part.lacks = said,
                    "new_instructions" => self.chosen.part.has = said,
                    _ => {}
                }
                self.take_part_features();
            }
            ["avrpart", "memory", ..] => self.part_memory(&small[2..], span),
            _ => {}
        }
    }

    /// Makes the macro that stands for a part.
    pub(crate) fn name_part(&mut self, name: &str) {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if plain && !self.dialect.output.segments.is_empty() {
            self.part_macro(format!("__{name}__"));
        }
    }

    /// Makes a macro of a part, once.
    fn part_macro(&mut self, name: String) {
        if self.chosen.part.named.contains(&name) {
            return;
        }
        if self.chosen.part.named.len() >= MOST_NAMED {
            let d = self.too_many(MOST_NAMED, "names of its part");
            return self.report(d);
        }
        self.chosen.part.defines.push((name.clone(), "1".into()));
        self.chosen.part.named.insert(name);
    }

    fn pragma_fault(&mut self, expected: &str, span: Span) {
        let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("expected {expected}")).at(span);
        self.report(Box::new(d));
    }

    fn byte_range(&mut self, how: &str, span: Span) {
        self.memo.renew();
        self.memory.byte_range = match how {
            "overflow" => ByteRange::Overflow,
            "integer" => ByteRange::Integer,
            "none" => ByteRange::Any,
            _ => return self.pragma_fault("`integer`, `overflow` or `none`", span),
        };
    }

    fn part_memory(&mut self, words: &[&str], span: Span) {
        let Some((last, what)) = words.split_last() else {
            return;
        };
        let digits = last.strip_prefix('$');
        let n = match digits {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None if last.starts_with(|c: char| c.is_ascii_digit()) => {
                literal::number(last, &self.dialect.values.numbers).ok()
            }
            None => None,
        };
        let Some(n) = n else {
            return self.pragma_fault("a number", span);
        };
        match what {
            ["prog_flash"] => self.chosen.part.flash = Some(n),
            ["eeprom"] => self.chosen.part.eeprom = Some(n),
            ["int_sram", "size"] => self.chosen.part.sram = Some(n),
            ["int_sram", "start_addr"] => self.chosen.part.sram_start = Some(n),
            _ => return,
        }
        self.take_part_features();
        self.take_part_memory(span);
    }

    fn take_part_features(&mut self) {
        let part = self.chosen.part.said(self.machine.map(|m| m.features()));
        if let Some(features) = self.job.target.part_features(&part) {
            self.chosen.features = features;
            self.memo.renew();
            self.chosen.part.unknown = None;
        }
    }

    /// Memories of the part as regions, over those of the machine.
    fn take_part_memory(&mut self, span: Span) {
        let [flash, sram, eeprom] = [0, 1, 2].map(|i| {
            let segment = self.dialect.output.segments.get(i)?;
            self.memory
                .spaces
                .iter()
                .copied()
                .find(|s| s.name == segment.space)
        });
        let memories = [
            (flash, "flash", self.chosen.part.flash.map(|n| (None, n))),
            (
                sram,
                "sram",
                match (self.chosen.part.sram, self.chosen.part.sram_start) {
                    (Some(n), start) => Some((start, n)),
                    _ => None,
                },
            ),
            (eeprom, "eeprom", self.chosen.part.eeprom.map(|n| (None, n))),
        ];
        for (space, name, said) in memories {
            let (Some(space), Some((start, size))) = (space, said) else {
                continue;
            };
            if start.unwrap_or(0).saturating_add(size) > space.size {
                return self.pragma_fault("a memory that the address space holds", span);
            }
            let inside = |r: &Region| (space.base..space.base + space.size).contains(&r.start);
            let at = self.regions.iter().position(inside);
            match at {
                Some(i) if size == 0 => {
                    self.regions.remove(i);
                }
                Some(i) => {
                    let r = &mut self.regions[i];
                    r.size = size;
                    r.start = start.map_or(r.start, |s| space.base + s);
                }
                None if size > 0 => self.regions.push(Region {
                    name: name.into(),
                    start: space.base + start.unwrap_or(0),
                    size,
                }),
                None => {}
            }
        }
        self.place_segments();
    }
}
