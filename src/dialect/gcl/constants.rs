//! Words of a constant: `5`, `\name+`, `#$12`, `*=$300`.

use super::words::Constant;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::text::language::Binary;

/// Marks, and what they are with a byte; whether it may be negative.
#[rustfmt::skip]
const BYTES: &[(&str, &str, bool)] = &[
    (";", "ldw", false), ("=", "stw", false), (",", "ld", false), (".", "st", false),
    ("&", "andi", false), ("|", "ori", false), ("^", "xori", false),
    ("+", "addi", false), ("-", "subi", false),
    ("% =", "stlw", true), ("%=", "stlw", true), ("% ", "ldlw", true), ("%", "ldlw", true),
    ("++", "alloc", true), ("< ++", "inc", false), ("<++", "inc", false),
    ("?", "lup", false), ("??", "lup", false),
];

/// What a call takes at least.
const LEAST: i64 = 28;

impl Assembler<'_> {
    /// A word of a constant and marks.
    pub(super) fn gcl_of_constant(&mut self, constant: Constant, marks: &str) -> Outcome<()> {
        if let Some(&(_, mnemonic, signed)) = BYTES.iter().find(|b| b.0 == marks) {
            let value = self.gcl_byte(constant, 0, signed)?;
            return self.gcl_instruction(mnemonic, Some(value), 2);
        }
        let known = constant.known();
        let short = known.is_some_and(|n| (0..0x100).contains(&n));
        match marks {
            "" if short => self.gcl_with_word("ldi", constant, 2),
            "" => self.gcl_with_word("ldwi", constant, 3),
            "*= " => self.gcl_org(constant),
            ":" => match self.gcl_must(constant, "the address")? {
                n if n < 0x100 => {
                    let value = self.gcl_byte(constant, 0, false)?;
                    self.gcl_instruction("stw", Some(value), 2)
                }
                _ => self.gcl_org(constant),
            },
            "> ++" | ">++" => {
                let value = self.gcl_byte(constant, 1, false)?;
                self.gcl_instruction("inc", Some(value), 2)
            }
            "--" => {
                let value = self.gcl_less(constant)?;
                self.gcl_instruction("alloc", Some(value), 2)
            }
            "!!" => self.gcl_sys(constant),
            "!" if short => self.gcl_sys(constant),
            "!" => self.gcl_with_word("calli", constant, 3),
            "# " | "#< " | "#" => {
                let value = self.gcl_bits(&constant.operations(), 0, 0xff);
                self.gcl_value_data(value, 1)
            }
            "#> " => {
                let value = self.gcl_bits(&constant.operations(), 8, 0xff);
                self.gcl_value_data(value, 1)
            }
            "## " => {
                let value = self.gcl_bits(&constant.operations(), 0, 0xffff);
                self.gcl_value_data(value, 2)
            }
            "<<" => self.gcl_shift(constant),
            _ => Err(self.gcl_no_word()),
        }
    }

    /// `name=5`.
    pub(super) fn gcl_definition(
        &mut self,
        name: &str,
        constant: Constant,
        marks: &str,
    ) -> Outcome<()> {
        if marks != "=" {
            return Err(self.gcl_no_word());
        }
        let n = self.gcl_must(constant, "the value")?;
        match name {
            "zpReset" => self.gcl_variables_from(n),
            "execute" => self.gcl_execute(n),
            _ => self.gcl_define(name, n),
        }
    }

    /// The value of a constant that decides about what follows.
    pub(super) fn gcl_must(&mut self, constant: Constant, what: &str) -> Outcome<i64> {
        match constant.known() {
            Some(n) => Ok(n),
            None => {
                let value = self.gcl_value(&constant.operations());
                self.must_know(value, self.statement, what)
            }
        }
    }

    /// A value that is a byte with or without a sign.
    fn gcl_byte(&mut self, constant: Constant, plus: i64, signed: bool) -> Outcome<Value> {
        let mut ops = constant.operations();
        if plus != 0 {
            ops.extend([Op::Number(plus), Op::Binary(Binary::Add)]);
        }
        let Some(n) = constant.known().map(|n| n + plus) else {
            return Ok(self.gcl_value(&ops));
        };
        if !(-0x80..0x100).contains(&n) {
            return Err(self.gcl_no_byte(n));
        }
        if n < 0 && !signed {
            self.cut("the byte", n & 0xff, self.statement);
            return Ok(self.gcl_bits(&ops, 0, 0xff));
        }
        Ok(match constant {
            Constant::Number(_) => Value::Number(n),
            Constant::Name { .. } => self.gcl_value(&ops),
        })
    }

    fn gcl_no_byte(&self, n: i64) -> Box<Diagnostic> {
        let message = format!("{n} is no byte");
        let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
        Box::new(d.label("must be -128 to 255"))
    }

    /// An instruction with a byte or word as it is.
    fn gcl_with_word(&mut self, mnemonic: &str, constant: Constant, size: i64) -> Outcome<()> {
        let ops = constant.operations();
        let value = match constant.known() {
            Some(n) if !(-0x8000..0x1_0000).contains(&n) => {
                self.cut("the word", n & 0xffff, self.statement);
                self.gcl_bits(&ops, 0, 0xffff)
            }
            Some(n) if n < 0 && mnemonic == "calli" => self.gcl_bits(&ops, 0, 0xffff),
            _ => self.gcl_value(&ops),
        };
        self.gcl_instruction(mnemonic, Some(value), size)
    }

    /// What is taken from the stack pointer.
    fn gcl_less(&mut self, constant: Constant) -> Outcome<Value> {
        let n = self.gcl_must(constant, "the count")?;
        if n == 0 {
            return Ok(Value::Number(0));
        }
        let left = 0x100 - n;
        if !(-0x80..0x100).contains(&left) {
            return Err(self.gcl_no_byte(left));
        }
        Ok(Value::Number(left))
    }

    /// A call of a native function that takes so many clocks at most.
    fn gcl_sys(&mut self, constant: Constant) -> Outcome<()> {
        let n = self.gcl_must(constant, "the clocks")?;
        if n & 1 != 0 {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} clocks are odd"));
            return Err(Box::new(d.at(self.statement).label("must be even")));
        }
        let byte = match n {
            ..=LEAST => 0,
            _ => 270 - n / 2,
        };
        if byte < -0x80 {
            return Err(self.gcl_no_byte(byte));
        }
        if byte < 0 || n > LEAST && byte == 0 {
            let message = format!("{n} clocks are more than a call can say");
            let d = Diagnostic::new(codes::TRUNCATED, message).at(self.statement);
            self.report(Box::new(d.label("538 at most")));
        }
        // The clocks that give this byte.
        let clocks = match byte & 0xff {
            0 => LEAST,
            byte => 540 - 2 * byte,
        };
        let value = match constant {
            Constant::Name { .. } if clocks == n => self.gcl_value(&constant.operations()),
            _ => Value::Number(clocks),
        };
        self.gcl_instruction("sys", Some(value), 2)
    }

    fn gcl_shift(&mut self, constant: Constant) -> Outcome<()> {
        let n = self.gcl_must(constant, "the count")?;
        // More than a page has room for is told once.
        for _ in 0..n.min(0x101) {
            self.gcl_instruction("lslw", None, 1)?;
        }
        Ok(())
    }
}
