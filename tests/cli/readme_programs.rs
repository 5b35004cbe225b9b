//! The README's table of the chess programs: bytes, stack and clocks are those that the
//! tool prints; machine, rules and strength are written by hand.

use serde_json::Value;

/// How a program comes to its first answer, and the labels between which it thinks. A
/// program without labels has its time written by hand.
struct Script {
    program: &'static str,
    /// Sections that are pictures and no code, whatever their cells are on the machine.
    pictures: &'static [&'static str],
    frames: &'static str,
    keys: &'static str,
    serial: &'static str,
    labels: Option<(&'static str, &'static str)>,
    stack: bool,
}

const SCRIPTS: &[Script] = &[
    Script {
        program: "zx81-chess",
        pictures: &[],
        frames: "150",
        keys: "E,2,E,4,w400",
        serial: "",
        labels: Some(("think", "thought")),
        stack: true,
    },
    Script {
        program: "zx81-chess-seed",
        pictures: &[],
        frames: "150",
        keys: "E,2,E,4,w100",
        serial: "",
        labels: None,
        stack: true,
    },
    Script {
        program: "ee476",
        pictures: &[],
        frames: "50",
        keys: "2,3,2,4,4,4,w600",
        serial: "",
        labels: Some(("think", "show")),
        stack: true,
    },
    Script {
        program: "tiny-chess960",
        pictures: &[],
        frames: "100",
        // To WHITE in the menu, level 3, begin.
        keys: "S,S,S,S,RIGHT,RIGHT,RIGHT,UP,w6000",
        serial: "",
        labels: Some(("think", "late")),
        stack: true,
    },
    Script {
        program: "tinyhouse",
        pictures: &[],
        frames: "50",
        keys: "w100",
        serial: "3\\r",
        labels: None,
        stack: true,
    },
    Script {
        program: "tinyhouse-zx81",
        pictures: &[],
        frames: "150",
        keys: "A,2,A,3,w1500",
        serial: "",
        labels: Some(("think", "enough")),
        stack: true,
    },
    Script {
        program: "gigatron-chess",
        pictures: &["sprites", "letters"],
        frames: "50",
        keys: "w10",
        serial: "",
        labels: None,
        stack: false,
    },
];

/// A number with commas.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl Script {
    fn json(&self, tool: &dyn Fn(&[&str]) -> String, args: &[&str]) -> Value {
        let said = tool(args);
        serde_json::from_str(&said).unwrap_or_else(|e| panic!("{}: {e}\n{said}", self.program))
    }

    fn run(&self, tool: &dyn Fn(&[&str]) -> String, until: Option<&str>) -> Value {
        let mut args = vec!["run", self.program, "--json"];
        args.extend(["--frames", self.frames, "--keys", self.keys]);
        if !self.serial.is_empty() {
            args.extend(["--serial-in", self.serial]);
        }
        args.extend(until.into_iter().flat_map(|label| ["--until", label]));
        self.json(tool, &args)
    }

    /// Code and tables in bytes.
    fn bytes(&self, tool: &dyn Fn(&[&str]) -> String) -> (u64, u64) {
        let size = self.json(tool, &["size", self.program, "--json"]);
        let sections = size["sections"].as_array().expect("sections");
        let own = sections.iter().filter(|s| {
            let name = s["name"].as_str().expect("a name");
            s["room"] != true && !self.pictures.contains(&name)
        });
        let own: Vec<&Value> = own.collect();
        let sum = |part: &str| own.iter().map(|s| s[part].as_u64().unwrap_or(0)).sum();
        (sum("code"), sum("total"))
    }

    /// Fills in what the tool knows: bytes of code, of all, the stack, the first answer.
    fn fill(&self, cells: &mut [String], tool: &dyn Fn(&[&str]) -> String) {
        let (code, all) = self.bytes(tool);
        cells[2] = number(code);
        cells[3] = number(all);
        let end = self.run(tool, self.labels.map(|l| l.1));
        cells[4] = match end["file_bytes"].as_u64() {
            Some(bytes) => number(bytes),
            None => number(end["image_bytes"].as_u64().expect("bytes")),
        };
        if self.stack {
            cells[5] = format!("${:X}", end["lowest_stack"].as_u64().expect("a stack"));
        }
        if let Some((from, _)) = self.labels {
            let clocks = |v: &Value| v["cycles"].as_u64().expect("cycles");
            let start = self.run(tool, Some(from));
            let seconds = |v: &Value| v["seconds"].as_f64().expect("seconds");
            cells[6] = format!(
                "{} ({:.1} s)",
                number(clocks(&end) - clocks(&start)),
                seconds(&end) - seconds(&start)
            );
        }
    }
}

/// A line of the README, with the tool's figures if it is a row of the table.
pub fn row(line: &str, tool: &dyn Fn(&[&str]) -> String) -> Option<String> {
    let script = SCRIPTS
        .iter()
        .find(|s| line.starts_with(&format!("| [`{}`]", s.program)))?;
    let mut cells: Vec<String> = line
        .trim_matches('|')
        .split('|')
        .map(|c| c.trim().into())
        .collect();
    assert_eq!(cells.len(), 9, "{line}");
    script.fill(&mut cells, tool);
    Some(format!("| {} |", cells.join(" | ")))
}

/// How many rows there have to be.
pub fn rows() -> usize {
    SCRIPTS.len()
}
