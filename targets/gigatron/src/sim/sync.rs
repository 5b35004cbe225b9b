//! Checks the sync pulses as a monitor that is critical would.
//!
//! Falling edges of hSync are measured against falling edges, since programs let the
//! rising edge move where it helps them; the width of the pulse is a finding of its
//! own. Nothing counts before the first vSync, when programs blink the LEDs.

/// What a monitor expects, in clocks and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Clocks from one falling edge of hSync to the next.
    pub period: u64,
    /// Clocks that hSync is low.
    pub width: u64,
    /// By how much that may be off: the rising edge is less critical.
    pub slack: u64,
    /// Lines of a frame; 0 for as many as the first frame has.
    pub lines: u64,
    /// Lines that vSync is low; 0 likewise.
    pub pulse: u64,
}

impl Timing {
    /// What monitors take: the official ROMs have 521 lines and a vSync pulse of 8,
    /// others 525 and 2.
    pub const VGA: Self = Self {
        period: 200,
        width: 24,
        slack: 2,
        lines: 0,
        pulse: 0,
    };
    /// As the official ROMs do it, to the clock.
    pub const OFFICIAL: Self = Self {
        period: 200,
        width: 24,
        slack: 0,
        lines: 521,
        pulse: 8,
    };
}

/// What is wrong with an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadKind {
    /// A line is too long or short.
    Period,
    /// The pulse of hSync is.
    Width,
    /// A frame has too many or too few lines.
    Lines,
    /// The pulse of vSync has.
    Pulse,
}

impl BadKind {
    /// Its name: "line", "hSync pulse".
    pub fn name(self) -> &'static str {
        match self {
            Self::Period => "line",
            Self::Width => "hSync pulse",
            Self::Lines => "frame",
            Self::Pulse => "vSync pulse",
        }
    }

    /// What it is counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Period | Self::Width => "clocks",
            Self::Lines | Self::Pulse => "lines",
        }
    }
}

/// A bad edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The clock of the edge.
    pub clock: u64,
    /// What is wrong.
    pub kind: BadKind,
    /// How long it was.
    pub found: u64,
    /// How long it should be.
    pub wanted: u64,
}

/// Bad edges that are kept; more are only counted.
const MOST: usize = 1000;

/// The checker.
#[derive(Clone, Debug)]
pub struct Sync {
    timing: Timing,
    /// Clock of the last falling edge of hSync, once there is one to count from.
    fall: Option<u64>,
    /// Lines since vSync fell, once it has.
    line: Option<u64>,
    /// Lines since vSync fell at the edge that ended it.
    pulse: Option<u64>,
    lines: u64,
    frames: u64,
    counts: [u64; 4],
    bad: Vec<Bad>,
}

impl Default for Sync {
    fn default() -> Self {
        Self::new(Timing::VGA)
    }
}

impl Sync {
    /// A checker for that timing.
    pub fn new(timing: Timing) -> Self {
        Self {
            timing,
            fall: None,
            line: None,
            pulse: None,
            lines: 0,
            frames: 0,
            counts: [0; 4],
            bad: Vec::new(),
        }
    }

    /// Clock of the last falling edge of hSync.
    pub fn fell(&self) -> Option<u64> {
        self.fall
    }

    /// Lines that were checked.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Lines since the last vSync, once there was one.
    pub fn since_vsync(&self) -> Option<u64> {
        self.line
    }

    /// Whole frames that were checked.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How many edges were bad in that way.
    pub fn count(&self, kind: BadKind) -> u64 {
        self.counts[kind as usize]
    }

    /// The first bad edges.
    pub fn bad(&self) -> &[Bad] {
        &self.bad
    }

    #[cold]
    fn note(&mut self, clock: u64, kind: BadKind, found: u64, wanted: u64) {
        self.counts[kind as usize] += 1;
        if self.bad.len() < MOST {
            self.bad.push(Bad {
                clock,
                kind,
                found,
                wanted,
            });
        }
    }

    /// hSync falls.
    #[inline]
    pub fn hsync_falls(&mut self, clock: u64) {
        if self.line.is_some()
            && let Some(last) = self.fall
        {
            self.lines += 1;
            let period = clock - last;
            if period != self.timing.period {
                self.note(clock, BadKind::Period, period, self.timing.period);
            }
        }
        self.fall = Some(clock);
    }

    /// hSync rises: a new line.
    #[inline]
    pub fn hsync_rises(&mut self, clock: u64) {
        if let (Some(line), Some(fall)) = (&mut self.line, self.fall) {
            *line += 1;
            let width = clock - fall;
            if width.abs_diff(self.timing.width) > self.timing.slack {
                self.note(clock, BadKind::Width, width, self.timing.width);
            }
        }
    }

    /// vSync falls: a new frame.
    pub fn vsync_falls(&mut self, clock: u64) {
        if let Some(lines) = self.line {
            self.frames += 1;
            if self.timing.lines == 0 {
                self.timing.lines = lines;
            }
            if lines != self.timing.lines {
                self.note(clock, BadKind::Lines, lines, self.timing.lines);
            }
            let pulse = self.pulse.take().unwrap_or(lines);
            if self.timing.pulse == 0 {
                self.timing.pulse = pulse;
            }
            if pulse != self.timing.pulse {
                self.note(clock, BadKind::Pulse, pulse, self.timing.pulse);
            }
        }
        self.line = Some(0);
    }

    /// vSync rises.
    pub fn vsync_rises(&mut self) {
        self.pulse = self.line;
    }
}
