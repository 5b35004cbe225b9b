//! The picture on the monitor: 160 pixels of four VGA columns, 480 lines.
//!
//! A pixel is what OUT holds for a clock; the first is 36 clocks after hSync falls,
//! since it is the falling edge that a monitor goes by. The lines that show are those from the 36th after vSync falls, as the official
//! ROMs count them.

/// Pixels in a line.
pub const COLUMNS: usize = 160;
/// Lines that show.
pub const LINES: usize = 480;
/// Clocks from the falling edge of hSync to the first pixel.
const FIRST_COLUMN: u64 = 36;
/// Lines from the falling edge of vSync to the first that shows.
const FIRST_LINE: usize = 36;

/// Two bits a channel, as OUT has them: red lowest.
pub type Colors = Box<[[u8; COLUMNS]; LINES]>;

fn black() -> Colors {
    let lines = vec![[0; COLUMNS]; LINES].into_boxed_slice();
    lines.try_into().expect("the length is right")
}

/// What the beam draws, and the last frame that was whole.
#[derive(Clone, Debug)]
pub struct Picture {
    drawn: Colors,
    shown: Colors,
    frames: u64,
    /// Lines since vSync fell.
    line: usize,
    /// Clock of the first pixel of the line.
    start: u64,
    /// Clock since which OUT is as it is.
    since: u64,
    /// Lines with colour where the beam must be dark.
    stained: u64,
    stain: bool,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            drawn: black(),
            shown: black(),
            frames: 0,
            line: usize::MAX,
            start: 0,
            since: 0,
            stained: 0,
            stain: false,
        }
    }
}

impl Picture {
    /// The last whole frame.
    pub fn shown(&self) -> &[[u8; COLUMNS]; LINES] {
        &self.shown
    }

    /// Frames shown since power-on.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Lines on which there was colour outside of the picture, where a monitor
    /// measures what is black.
    pub fn stained(&self) -> u64 {
        self.stained
    }

    /// OUT was `old` up to this clock.
    #[inline(always)]
    pub fn draw(&mut self, clock: u64, old: u8) {
        let color = old & 0x3f;
        let from = self.since.wrapping_sub(self.start);
        self.since = clock;
        if color != 0 {
            let to = clock.wrapping_sub(self.start);
            if to.wrapping_sub(from) == 1 && from < COLUMNS as u64 {
                // One pixel: the usual case.
                let y = self.line.wrapping_sub(FIRST_LINE);
                if let Some(line) = self.drawn.get_mut(y) {
                    line[from as usize] = color;
                }
            } else {
                self.span(from, to, color);
            }
        }
    }

    /// A span of one colour; `from` and `to` are columns, before the first as
    /// negative numbers.
    fn span(&mut self, from: u64, to: u64, color: u8) {
        let (from, to) = (from as i64, to as i64);
        if from < 0 || to > COLUMNS as i64 {
            self.stain = true;
        }
        let y = self.line.wrapping_sub(FIRST_LINE);
        let columns = from.clamp(0, COLUMNS as i64) as usize..to.clamp(0, COLUMNS as i64) as usize;
        if let Some(line) = self.drawn.get_mut(y)
            && columns.start < columns.end
        {
            line[columns].fill(color);
        }
    }

    /// hSync rises, and fell at that clock: the next line begins.
    pub fn next_line(&mut self, clock: u64, fell: u64) {
        self.stained += u64::from(std::mem::take(&mut self.stain));
        self.line = self.line.saturating_add(1);
        self.start = fell + FIRST_COLUMN;
        self.since = clock;
        let y = self.line.wrapping_sub(FIRST_LINE);
        if let Some(line) = self.drawn.get_mut(y) {
            line.fill(0);
        }
    }

    /// vSync falls: the frame is whole.
    pub fn next_frame(&mut self) {
        if self.line != usize::MAX {
            for line in self
                .drawn
                .iter_mut()
                .skip((self.line + 1).saturating_sub(FIRST_LINE))
            {
                line.fill(0);
            }
            std::mem::swap(&mut self.drawn, &mut self.shown);
            self.frames += 1;
        }
        self.line = 0;
    }
}
