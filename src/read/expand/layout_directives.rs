//! Where bytes go: `org`, sections, regions, `seek`; and what the program asks
//! of the machine.

use crate::diagnostic::{Diagnostic, codes, near};
use crate::image::{Budget, NONE, Region};
use crate::program::Outcome;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::syntax::arguments;
use crate::read::syntax::operand::split;
use crate::targets;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use scrimp_isa::{Machine, Space, Target};

/// How a section is to be placed.
struct SectionOptions {
    align: u64,
    /// Size of the page that it must not leave; 0 for none.
    within: u64,
    /// The name of those that share that page.
    group: Option<u32>,
    /// Most bytes.
    most: Option<(u64, Span)>,
}

impl Assembler<'_> {
    /// `org address`.
    pub(super) fn org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected an address").at(t.span),
            ));
        }
        if self.naming.structure.is_some() {
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, "`org` cannot stand in a struct").at(t.span),
            ));
        }
        let end = split(rest).first().map_or(rest.len(), |p| p.1 as usize);
        let v = self.whole_expression(&rest[..end])?;
        let span = self.span_of(&rest[..end]);
        let n = self.must_know(v, span, "the address")?;
        let n = if self.dialect.output.wraps {
            let kept = n.rem_euclid(self.memory.space as i64);
            if n >= self.memory.space as i64 || n < -(self.memory.space as i64) / 2 {
                self.cut(&format!("the address {n}"), kept, span);
            }
            kept
        } else {
            n
        };
        let space = self.section_space();
        let unit = u64::from(self.unit_of(space));
        let most = space.size / unit;
        if n < 0 || n as u64 >= most {
            return Err(Box::new(
                Diagnostic::new(
                    codes::OUTSIDE_MEMORY,
                    format!("the address {n} lies outside memory"),
                )
                .at(span)
                .label(format!("must be 0 to {}", most - 1)),
            ));
        }
        self.open_chunk(Some(space.base + n as u64 * unit), 1);
        Ok(())
    }

    /// `seek offset`: the next byte goes there in the output.
    pub(super) fn seek(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected an offset").at(t.span),
            ));
        }
        let v = self.whole_expression(rest)?;
        let span = self.span_of(rest);
        let n = self.must_know(v, span, "the offset")?;
        if n < 0 || n > crate::program::MAX_IMAGE as i64 {
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no offset")).at(span),
            ));
        }
        let address = self.here_value.unwrap_or(0);
        self.open_chunk(Some(address as u64), 1);
        self.program.chunks[self.chunk as usize].seek = Some(n as u64);
        Ok(())
    }

    fn name_at<'t>(&self, t: &Tok, rest: &'t [Tok], what: &str) -> Outcome<&'t Tok> {
        match rest.first() {
            Some(n) if n.kind == Kind::Name || n.kind == Kind::Double => Ok(n),
            _ => Err(Box::new(
                Diagnostic::new(codes::SYNTAX, format!("expected the name of {what}")).at(t.span),
            )),
        }
    }

    fn plain_name(&self, t: &Tok) -> String {
        self.text(t).trim_matches('"').to_string()
    }

    /// `section name in region align=n`.
    pub(super) fn section_directive(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name_tok = self.name_at(t, rest, "a section")?;
        let name = self.plain_name(name_tok);
        let mut rest = &rest[1..];
        let mut region = None;
        if let [w, r, more @ ..] = rest
            && w.kind == Kind::Name
            && self.text(w).eq_ignore_ascii_case("in")
        {
            region = Some(self.region_named(r)?);
            rest = more;
        }
        let options = self.section_options(rest)?;
        let new = !self.section_names.contains_key(&name);
        let id = self.open_section(&name, Some(name_tok.span));
        self.section = id;
        if let Some(r) = region {
            let s = &self.sections[id as usize];
            if !new && s.region != r && s.region != NONE {
                let d = Diagnostic::new(
                    codes::REDEFINED,
                    format!("the section `{name}` lies in another region already"),
                )
                .at(name_tok.span);
                return Err(Box::new(d));
            }
            self.set_region(id, r);
        }
        if new || self.sections[id as usize].chunk == NONE {
            if region.is_none() && !self.regions.is_empty() {
                self.set_region(id, 0);
            }
            let unit = u64::from(self.unit_of(self.section_space()));
            self.open_chunk(None, options.align * unit);
            let chunk = &mut self.program.chunks[self.chunk as usize];
            chunk.within = options.within * unit;
            chunk.together = options.group;
            let most = options.most.map(|(n, span)| (n * unit, span));
            self.sections[id as usize].most = most;
        } else {
            self.chunk = self.sections[id as usize].chunk;
            self.mark_here();
        }
        Ok(())
    }

    /// The number of the region that a token names.
    fn region_named(&self, r: &Tok) -> Outcome<u32> {
        let wanted = self.plain_name(r);
        if let Some(at) = self.regions.iter().position(|x| x.name == wanted) {
            return Ok(at as u32);
        }
        let mut d = Diagnostic::new(
            codes::UNKNOWN_REGION,
            format!("there is no region `{wanted}`"),
        )
        .at(r.span);
        let names: Vec<&str> = self.regions.iter().map(|r| r.name.as_str()).collect();
        if let Some(n) = near::nearest(&wanted, names.iter().copied()) {
            d = d.help(format!("did you mean `{n}`?"));
        } else {
            d = d.help(format!(
                "declare it above: `region {wanted}, start = $8000, size = $1000`"
            ));
        }
        Err(Box::new(match (self.machine, names.is_empty()) {
            (None, true) => d.note("regions come with a machine, and none is chosen (`--machine`)"),
            (_, true) => d,
            _ => d.note(format!("there are {}", names.join(", "))),
        }))
    }

    /// The options of a section.
    fn section_options(&mut self, rest: &[Tok]) -> Outcome<SectionOptions> {
        let (rest, together) = self.page_name(rest);
        let mut options = SectionOptions {
            align: 1,
            within: 0,
            group: together.map(|t| t.0),
            most: None,
        };
        for (name, n, span) in self.numbers(&rest)? {
            let inside = n >= 1 && (n as u64) <= self.memory.space;
            match name.as_str() {
                "size" if inside => options.most = Some((n as u64, span)),
                "align" if inside => options.align = n as u64,
                "within" if inside => options.within = n as u64,
                _ => {
                    let message = format!("`section` takes no `{name} = {n}`");
                    return Err(Box::new(
                        Diagnostic::new(codes::BAD_ARGUMENT, message)
                        .at(span)
                        .help("it takes `in REGION`, `align = N`, `size = N`, `within = N` and `group = NAME`"),
                    ));
                }
            }
        }
        if let Some((_, span)) = together.filter(|_| options.within == 0) {
            let d = Diagnostic::new(codes::BAD_ARGUMENT, "`group` needs `within`")
                .at(span)
                .help("sections of a group share a page, so say how large one is: `within = 256`");
            return Err(Box::new(d));
        }
        Ok(options)
    }

    /// Takes `group = name` out of the options of a section.
    fn page_name(&mut self, rest: &[Tok]) -> (Vec<Tok>, Option<(u32, Span)>) {
        let mut rest = rest.to_vec();
        let is_group = |w: &[Tok]| {
            let [option, equal, name] = w else {
                return false;
            };
            equal.kind == Kind::Equal
                && matches!(name.kind, Kind::Name | Kind::Double)
                && self.text(option).eq_ignore_ascii_case("group")
        };
        let Some(i) = rest.windows(3).position(is_group) else {
            return (rest, None);
        };
        let name = self.plain_name(&rest[i + 2]);
        let span = rest[i].span.to(rest[i + 2].span);
        // With one of the commas around it.
        let comma = |j: usize| rest.get(j).is_some_and(|t| t.kind == Kind::Comma);
        let from = if i > 0 && comma(i - 1) { i - 1 } else { i };
        let to = if from == i && comma(i + 3) {
            i + 4
        } else {
            i + 3
        };
        rest.drain(from..to);
        let known = self.asked.page_names.iter().position(|n| *n == name);
        let number = known.unwrap_or_else(|| {
            self.asked.page_names.push(name);
            self.asked.page_names.len() - 1
        });
        (rest, Some((number as u32, span)))
    }

    /// Options with number values: name, value, place.
    fn numbers(&mut self, rest: &[Tok]) -> Outcome<Vec<(String, i64, Span)>> {
        let list = arguments::options(rest).map_err(|i| {
            let at = rest
                .get(i)
                .or(rest.last())
                .map_or(self.statement, |t| t.span);
            Box::new(Diagnostic::new(codes::SYNTAX, "expected `name = value`").at(at))
        })?;
        let mut out = Vec::new();
        for p in list {
            let name = self.text(&p.name).to_ascii_lowercase();
            let Some(value) = p.value else {
                return Err(Box::new(
                    Diagnostic::new(codes::SYNTAX, "expected `=` and a value").at(p.name.span),
                ));
            };
            let v = self.whole_expression(&value)?;
            let n = self.must_know(v, self.span_of(&value), "the value")?;
            out.push((name, n, p.name.span));
        }
        Ok(out)
    }

    /// `region name, start = a, size = n`.
    pub(super) fn region(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name_tok = self.name_at(t, rest, "a region")?;
        let name = self.plain_name(name_tok);
        let (space, options) = self.region_space(&rest[1..])?;
        let (mut start, mut size) = (None, None);
        for (option, n, span) in self.numbers(options)? {
            match option.as_str() {
                "start" if n >= 0 && (n as u64) < space.size => start = Some(n as u64),
                "size" if n > 0 && (n as u64) <= space.size => size = Some(n as u64),
                _ => {
                    return Err(Box::new(
                        Diagnostic::new(codes::BAD_ARGUMENT, format!("`region` takes no `{option} = {n}`"))
                            .at(span)
                            .help("it takes `start = ADDRESS` and `size = BYTES` inside the address space"),
                    ));
                }
            }
        }
        let (Some(start), Some(size)) = (start, size) else {
            return Err(Box::new(
                Diagnostic::new(
                    codes::SYNTAX,
                    "a region needs `start = ADDRESS` and `size = BYTES`",
                )
                .at(name_tok.span),
            ));
        };
        let unit = u64::from(space.unit);
        let most = space.size / unit;
        if start + size > most {
            return Err(Box::new(
                Diagnostic::new(
                    codes::OUTSIDE_MEMORY,
                    format!("the region ends at {}", start + size),
                )
                .at(name_tok.span)
                .label(format!("memory ends at {most}")),
            ));
        }
        let (start, size) = (space.base + start * unit, size * unit);
        if !self.chosen.own_regions && self.sections.iter().all(|s| s.region == NONE) {
            // A program that says where its memory lies means no other.
            self.chosen.own_regions = true;
            self.regions.clear();
        }
        match self.regions.iter().position(|r| r.name == name) {
            Some(i) => {
                let r = &mut self.regions[i];
                r.start = start;
                r.size = size;
            }
            None if self.regions.len() >= limits::REGIONS => {
                return Err(self.too_many(limits::REGIONS, "regions"));
            }
            None => self.regions.push(Region { name, start, size }),
        }
        Ok(())
    }

    /// The space behind `in` that addresses of a region belong to, and what follows.
    /// Without it they are linear ones, or words of the first space where those count.
    fn region_space<'t>(&self, rest: &'t [Tok]) -> Outcome<(Space, &'t [Tok])> {
        let counted = |s: Space| Space {
            unit: self.unit_of(s),
            ..s
        };
        if let [w, name, more @ ..] = rest
            && w.kind == Kind::Name
            && self.text(w).eq_ignore_ascii_case("in")
        {
            let wanted = self.plain_name(name);
            let found = self.memory.spaces.iter().find(|s| s.name == wanted);
            return match found {
                Some(s) => Ok((counted(*s), more)),
                None => {
                    let names: Vec<&str> = self.memory.spaces.iter().map(|s| s.name).collect();
                    let d = Diagnostic::new(
                        codes::UNKNOWN_REGION,
                        format!("there is no memory `{wanted}`"),
                    )
                    .at(name.span)
                    .note(format!("there are {}", names.join(", ")));
                    Err(Box::new(d))
                }
            };
        }
        let linear = Space {
            name: "memory",
            base: 0,
            size: self.memory.space,
            unit: 1,
            stored: true,
        };
        let words = self.counts_words();
        let first = self.memory.spaces.first().filter(|_| words);
        Ok((first.map_or(linear, |s| counted(*s)), rest))
    }

    /// `budget name <= n`.
    pub(super) fn budget(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name_tok = self.name_at(t, rest, "a section, a routine or `total`")?;
        let name = self.plain_name(name_tok);
        let [_, le, value @ ..] = rest else {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected `<=` and a number of bytes").at(t.span),
            ));
        };
        if le.kind != Kind::LessEqual || value.is_empty() {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected `<=` and a number of bytes").at(le.span),
            ));
        }
        let v = self.whole_expression(value)?;
        let n = self.must_know(v, self.span_of(value), "the budget")?;
        if n < 0 {
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no number of bytes"))
                    .at(self.span_of(value)),
            ));
        }
        if self.asked.budgets.len() >= limits::BUDGETS {
            return Err(self.too_many(limits::BUDGETS, "budgets"));
        }
        self.program.asked.budgets.push(Budget {
            name,
            limit: n as u64,
            span: Some(self.statement),
        });
        Ok(())
    }

    /// `def name = register`.
    pub(super) fn define_register(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let [name, equal, register] = rest else {
            let d = Diagnostic::new(codes::SYNTAX, "expected `name = register`").at(t.span);
            return Err(Box::new(d));
        };
        let number = self.word_of(register);
        if name.kind != Kind::Name || equal.kind != Kind::Equal || number == 0 {
            let at = match (name.kind, equal.kind) {
                (Kind::Name, Kind::Equal) => register.span,
                (Kind::Name, _) => equal.span,
                _ => name.span,
            };
            let d = Diagnostic::new(codes::SYNTAX, "expected `name = register`").at(at);
            return Err(Box::new(d));
        }
        let key = self.register_key(name);
        if !self.dialect.names.case_blind
            && let Some((_, first)) = self.naming.register_names.get(&key)
        {
            let d = Diagnostic::new(codes::REDEFINED, format!("`{key}` is defined twice"))
                .at(name.span)
                .related(*first, "first defined here")
                .help(format!("`undef {key}` frees the name"));
            return Err(Box::new(d));
        }
        if self.dialect.words.runs {
            self.again.name_register(&key, number);
        }
        self.naming.register_names.insert(key, (number, name.span));
        Ok(())
    }

    /// `undef name`.
    pub(super) fn undefine_register(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name_tok = self.name_at(t, rest, "a register")?;
        let key = self.register_key(name_tok);
        if self.naming.register_names.remove(&key).is_none() {
            let d = Diagnostic::new(
                codes::UNKNOWN_SYMBOL,
                format!("no register is called `{key}` here"),
            )
            .at(name_tok.span);
            return Err(Box::new(d));
        }
        Ok(())
    }

    /// A register's name as the tables have it.
    pub fn register_key(&self, t: &Tok) -> String {
        self.key(self.text(t)).into_owned()
    }

    /// Takes the machine of that name, as the source asks for it.
    pub(crate) fn choose_machine(&mut self, name: &str, span: Span) -> Outcome<()> {
        let Some(m) = self.job.target.machine(name) else {
            let mut d = Diagnostic::new(
                codes::UNKNOWN_DEVICE,
                format!("there is no device `{name}`"),
            )
            .at(span);
            let all = targets::all().iter().copied();
            let asked =
                all.filter(|t| self.chosen.any_target || t.name() == self.job.target.name());
            let near: Vec<&str> = asked.clone().flat_map(|t| t.near_machines(name)).collect();
            let names = asked.flat_map(|t| t.machine_names());
            if let [first, more @ ..] = near.as_slice() {
                let more: String = more.iter().map(|n| format!(", `{n}`")).collect();
                d = d.help(format!("there is `{first}`{more}"));
            } else if let Some(n) = near::nearest(name, names) {
                d = d.help(format!("did you mean `{n}`?"));
            }
            if let Some(help) = self.machine_elsewhere(name) {
                d = d.help(help);
            }
            return Err(Box::new(d));
        };
        if let Some(asked) = self.job.machine
            && !asked.name().eq_ignore_ascii_case(m.name())
        {
            let d = Diagnostic::new(
                codes::BAD_ARGUMENT,
                format!(
                    "the program is for `{name}`, but is built for `{}`",
                    asked.name()
                ),
            )
            .at(span);
            return Err(Box::new(d));
        }
        self.take_machine(m);
        self.name_part(m.title());
        Ok(())
    }

    /// The machine of that name, of the job's target or, if that is a guess, of any.
    fn machine_named(&self, name: &str) -> Option<(&'static dyn Target, &'static dyn Machine)> {
        let all = targets::all().iter().copied();
        let own = |t: &&dyn Target| t.name() == self.job.target.name();
        all.filter(|t| self.chosen.any_target || own(t))
            .find_map(|t| Some((t, t.machine(name)?)))
    }

    /// `machine name, option = value`: options for the machine's containers.
    pub(super) fn machine(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        // A name with a minus in it is several tokens.
        let comma = rest
            .iter()
            .position(|t| t.kind == Kind::Comma)
            .unwrap_or(rest.len());
        let name_span = self.span_of(&rest[..comma]);
        let name = self.sources.slice(name_span).trim_matches('"').to_string();
        if !name.is_empty() && !rest.is_empty() && comma > 0 {
            if self.job.machine.is_none()
                && let Some(found) = self.machine_named(&name)
            {
                self.chosen.named = Some(found);
                self.fatal = true;
                return Ok(());
            }
            let chosen = self.choose_machine(&name, name_span);
            // Of a source for another target nothing else is worth telling.
            self.fatal |= chosen.is_err() && self.machine_elsewhere(&name).is_some();
            chosen?;
        }
        let list = arguments::options(&rest[comma..]).map_err(|i| {
            let at = rest
                .get(comma + i)
                .or(rest.last())
                .map_or(t.span, |t| t.span);
            Box::new(Diagnostic::new(codes::SYNTAX, "expected `name = value`").at(at))
        })?;
        for p in list {
            let key = self.text(&p.name).to_string();
            let value = p.value.map_or("yes".to_string(), |v| {
                self.sources
                    .slice(self.span_of(&v))
                    .trim_matches('"')
                    .to_string()
            });
            self.asked.options.push((key, value));
        }
        Ok(())
    }

    /// `dialect name`: checked against the one in force.
    pub(super) fn dialect_directive(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name_tok = self.name_at(t, rest, "a dialect")?;
        let name = self.plain_name(name_tok);
        if name == self.dialect.name {
            return Ok(());
        }
        Err(Box::new(
            Diagnostic::new(
                codes::BAD_ARGUMENT,
                format!("this is read as the dialect `{}`", self.dialect.name),
            )
            .at(name_tok.span)
            .help(format!(
                "choose it from outside: `--dialect {name}`, or `dialect` in the program file"
            )),
        ))
    }
}
