//! How a player is written on the command line: `program:zx81-chess@2`,
//! `uci:stockfish;nodes=2000;UCI_Elo=1350`, `cecp:gnuchess --xboard;say=depth 1`.

/// Which protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Uci,
    Cecp,
}

/// Another engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Options by name.
    pub options: Vec<(String, String)>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Thousandths of a second.
    pub movetime: Option<u64>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A program of ours, and its level.
    Program(String, Option<u8>),
    /// Another engine.
    Outside(Spec),
}

impl Spec {
    /// What follows `go`.
    pub fn go(&self) -> String {
        let mut out = Vec::new();
        out.extend(self.depth.map(|n| format!("depth {n}")));
        out.extend(self.nodes.map(|n| format!("nodes {n}")));
        out.extend(self.movetime.map(|n| format!("movetime {n}")));
        out.join(" ")
    }
}

/// Words of a command line; what has spaces stands in quotes.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut out, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => out.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    quote.is_none().then_some(out)
}

/// Reads a player.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<Who, String> {
    let wrong = |why: &str| {
        format!(
            "{text}: {why}; a player is program:NAME[@LEVEL], uci:COMMAND[;NAME=VALUE…] or \
             cecp:COMMAND[;NAME=VALUE…]"
        )
    };
    let (kind, rest) = text
        .split_once(':')
        .ok_or_else(|| wrong("no kind of player"))?;
    let protocol = match kind {
        "program" => {
            let (name, level) = match rest.rsplit_once('@') {
                Some((name, level)) => {
                    let level = level.parse().ok().filter(|&l: &u8| l > 0);
                    (name, Some(level.ok_or_else(|| wrong("no such level"))?))
                }
                None => (rest, None),
            };
            if name.is_empty() {
                return Err(wrong("no program"));
            }
            return Ok(Who::Program(name.to_owned(), level));
        }
        "uci" => Protocol::Uci,
        "cecp" | "xboard" => Protocol::Cecp,
        _ => return Err(wrong(&format!("{kind} is no kind of player"))),
    };
    let mut parts = rest.split(';');
    let command = words(parts.next().unwrap_or("")).ok_or_else(|| wrong("a quote is open"))?;
    if command.is_empty() {
        return Err(wrong("no command"));
    }
    let mut spec = Spec {
        protocol,
        command,
        options: Vec::new(),
        depth: None,
        nodes: None,
        movetime: None,
    };
    for part in parts {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| wrong(&format!("{part} is no NAME=VALUE")))?;
        let number = || {
            let n = value.parse::<u64>().ok().filter(|&n| n > 0);
            n.ok_or_else(|| wrong(&format!("{part}: a number above 0 belongs there")))
        };
        match name {
            "depth" => spec.depth = Some(number()?.min(200) as u32),
            "nodes" if protocol == Protocol::Cecp => {
                return Err(wrong(
                    "CECP has no word for nodes; depth and movetime are known",
                ));
            }
            "nodes" => spec.nodes = Some(number()?),
            "movetime" => spec.movetime = Some(number()?.min(86_400_000)),
            _ if part.chars().any(char::is_control) => return Err(wrong("a control character")),
            _ => spec.options.push((name.to_owned(), value.to_owned())),
        }
    }
    let says = spec.options.iter().any(|o| o.0 == "say");
    if !says && spec.depth.is_none() && spec.nodes.is_none() && spec.movetime.is_none() {
        spec.depth = Some(1);
    }
    Ok(Who::Outside(spec))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let program = |n: &str, l| Ok(Who::Program(n.into(), l));
        assert_eq!(read("program:zx81-chess"), program("zx81-chess", None));
        assert_eq!(read("program:./a b@3"), program("./a b", Some(3)));
        let Ok(Who::Outside(spec)) = read("uci:'my engine' -x;nodes=20;UCI_Elo=1350") else {
            panic!("it is one");
        };
        assert_eq!(spec.command, ["my engine", "-x"]);
        assert_eq!(spec.options, [("UCI_Elo".to_owned(), "1350".to_owned())]);
        assert_eq!(spec.go(), "nodes 20");
        let Ok(Who::Outside(spec)) = read("cecp:gnuchess --xboard") else {
            panic!("it is one");
        };
        assert_eq!((spec.protocol, spec.depth), (Protocol::Cecp, Some(1)));
        for bad in [
            "",
            "zx81-chess",
            "program:",
            "program:a@0",
            "program:a@x",
            "uci:",
            "uci:a 'b",
            "uci:a;b",
            "uci:a;depth=0",
            "cecp:a;nodes=1",
            "tcp:a",
            "uci:a;b=\n",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
