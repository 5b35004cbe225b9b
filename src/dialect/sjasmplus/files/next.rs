//! Files for the Spectrum Next: a header of 512 bytes, a picture, banks of 16 KB.

use super::common::{Found, error, given, remark};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::Memory;
use crate::read::hooks::Asked;

/// Banks that a file can have.
const BANKS: i64 = 112;
/// Pages of 8 KB.
const PAGES: i64 = 2 * BANKS;
/// The first banks of a file; the others follow in their order.
const ORDER: [i64; 8] = [5, 2, 0, 1, 3, 4, 6, 7];
/// The picture has no colours of its own.
const NO_COLOURS: u8 = 0x80;
/// The picture is of a kind that another field says.
const OTHER_PICTURE: u8 = 0x40;

/// Fields of the header by their offset.
mod at {
    pub const RAM: usize = 8;
    pub const COUNT: usize = 9;
    pub const PICTURE: usize = 10;
    pub const BORDER: usize = 11;
    pub const SP: usize = 12;
    pub const PC: usize = 14;
    pub const BANKS: usize = 18;
    pub const BAR: usize = 130;
    pub const BAR_COLOUR: usize = 131;
    pub const BANK_DELAY: usize = 132;
    pub const START_DELAY: usize = 133;
    pub const KEEP: usize = 134;
    pub const CORE: usize = 135;
    pub const COLOUR: usize = 138;
    pub const ENTRY_BANK: usize = 139;
    pub const HANDLE: usize = 140;
    pub const BUS: usize = 142;
    pub const SUMMED: usize = 143;
    pub const OFFSET: usize = 144;
    pub const BUFFER: usize = 148;
    pub const BUFFER_SIZE: usize = 150;
    pub const PICTURE_KIND: usize = 152;
    pub const COPPER: usize = 153;
    pub const TILES: usize = 154;
    pub const BAR_ROW: usize = 158;
    pub const SUM: usize = 508;
}

/// A file that is open.
pub struct Open {
    name: String,
    header: Vec<u8>,
    /// The header as it was when the file was opened: the sum is that of this one.
    first: Vec<u8>,
    body: Vec<u8>,
    /// The version that the source asks for: 2, 3, or 0.
    version: i64,
    /// It uses what version 3 has.
    third: bool,
    /// The place in the order of the last bank.
    last: i64,
    copper: Option<Vec<u8>>,
    /// Colours that were said; `None` in it for none.
    colours: Option<Option<Vec<u8>>>,
}

/// A picture file with 256 colours.
struct Picture<'p> {
    bytes: &'p [u8],
    width: usize,
    height: usize,
    /// Its last row comes first.
    turned: bool,
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

impl<'p> Picture<'p> {
    fn new(bytes: &'p [u8]) -> Result<Self, Box<Diagnostic>> {
        let field = |at| number(bytes, at).unwrap_or(0);
        let plain = bytes.starts_with(b"BM")
            && bytes.len() >= 54 + 1024
            && field(14) == 40
            && field(26) == 0x8_0001
            && field(30) == 0;
        if !plain {
            let d = error("the picture is no BMP file of 8 bits a pixel that is not packed");
            return Err(d);
        }
        let height = field(22) as i32;
        Ok(Self {
            bytes,
            width: field(18) as usize,
            height: height.unsigned_abs() as usize,
            turned: height > 0,
        })
    }

    /// Its colours as the Next has them.
    fn colours(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(512);
        for c in self.bytes[54..54 + 1024].chunks(4) {
            let [b, g, r] = [c[0] >> 5, c[1] >> 5, c[2] >> 5];
            out.extend_from_slice(&[b >> 1 | g << 2 | r << 5, b & 1]);
        }
        out
    }

    /// A row from the top.
    fn row(&self, y: usize) -> Result<&[u8], Box<Diagnostic>> {
        let y = if self.turned { self.height - y - 1 } else { y };
        let start = number(self.bytes, 10).unwrap_or(0) as usize + y * self.width;
        let row = self.bytes.get(start..start + self.width);
        row.ok_or_else(|| error("the picture ends before its last row"))
    }
}

/// The place of a bank in the order of a file.
fn place(bank: i64) -> Option<i64> {
    match ORDER.iter().position(|&b| b == bank) {
        Some(i) => Some(i as i64),
        None => (8..BANKS).contains(&bank).then_some(bank),
    }
}

/// The bank at a place.
fn bank_at(place: i64) -> i64 {
    ORDER.get(place as usize).copied().unwrap_or(place)
}

/// A value in a range, or a remark and the value.
fn within(v: i64, most: i64, what: &str, found: &mut Found) -> i64 {
    if !(0..=most).contains(&v) {
        found.push(remark(format!("{what} is from 0 to {most}, not {v}")));
    }
    v
}

impl Open {
    /// `OPEN`: start, stack, bank at the top of memory, version.
    pub fn new(asked: &Asked<'_>, memory: &Memory) -> Result<(Self, Found), Box<Diagnostic>> {
        let mut found = Found::new();
        let said = given(asked.values, 0);
        if said.is_some() && asked.entry.is_some() && said != asked.entry {
            found.push(remark("the start that `END` says is not taken"));
        }
        let start = said.or(asked.entry).unwrap_or(0);
        let stack = given(asked.values, 1).unwrap_or(0xfffe);
        let bank = given(asked.values, 2).unwrap_or(0);
        let version = given(asked.values, 3).unwrap_or(0);
        if !(0..BANKS).contains(&bank) {
            return Err(error(format!("the bank is from 0 to 111, not {bank}")));
        }
        if ![0, 2, 3].contains(&version) {
            return Err(error("the version of the file is 2 or 3"));
        }
        let mut header = b"NextV1.2".to_vec();
        header.resize(512, 0);
        header[at::CORE..at::CORE + 3].copy_from_slice(&[2, 0, 28]);
        let mut open = Self {
            name: asked.save.texts[1].clone(),
            header,
            first: Vec::new(),
            body: Vec::new(),
            version,
            third: version == 3,
            last: -1,
            copper: None,
            colours: None,
        };
        open.word(at::PC, start);
        open.word(at::SP, stack);
        open.header[at::ENTRY_BANK] = bank as u8;
        open.first.clone_from(&open.header);
        if let Some(d) = near_stack(asked, memory, stack & 0xffff, bank as u32) {
            found.push(d);
        }
        Ok((open, found))
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.header.len() + self.body.len()
    }

    fn word(&mut self, at: usize, v: i64) {
        self.header[at..at + 2].copy_from_slice(&(v as u16).to_le_bytes());
    }

    /// What only version 3 has.
    fn needs_third(&mut self, what: &str) -> Result<(), Box<Diagnostic>> {
        if self.version == 2 {
            return Err(error(format!("{what} needs version 3 of the file")));
        }
        self.third = true;
        Ok(())
    }

    /// Does a command.
    pub fn command(
        &mut self,
        asked: &Asked<'_>,
        memory: &Memory,
    ) -> Result<Found, Box<Diagnostic>> {
        let mut found = Found::new();
        let v = asked.values;
        let text = asked.save.texts[0].as_str();
        match text.split_once(' ') {
            Some(("screen", kind)) => self.picture(kind, asked, memory, &mut found)?,
            Some((_, kind)) => self.palette(kind, asked, memory)?,
            None => match text {
                "core" => {
                    for (i, most) in [15, 15, 255].into_iter().enumerate() {
                        let n = within(v[i], most, "a part of the core's version", &mut found);
                        self.header[at::CORE + i] = n as u8;
                    }
                }
                "cfg" => self.settings(v, &mut found),
                "cfg3" => self.settings3(v, &mut found)?,
                "bar" => self.bar(v, &mut found),
                "copper" => self.copper(asked, memory)?,
                "bank" => {
                    self.before_banks(&mut found);
                    for &bank in v {
                        self.bank(bank, memory, asked, false)?;
                    }
                }
                "auto" => self.banks(asked, memory, &mut found)?,
                _ => {
                    self.before_banks(&mut found);
                    for content in &asked.save.contents {
                        self.body.extend_from_slice(content);
                    }
                }
            },
        }
        Ok(found)
    }

    fn settings(&mut self, v: &[i64], found: &mut Found) {
        let value = |i| given(v, i).unwrap_or(0);
        self.header[at::BORDER] = within(value(0), 7, "the border", found) as u8 & 7;
        let handle = within(value(1), 0xfffe, "what is done with the file", found);
        self.word(at::HANDLE, handle);
        self.header[at::KEEP] = within(value(2), 1, "whether registers are kept", found) as u8;
        self.header[at::RAM] = within(value(3), 1, "whether 2 MB are needed", found) as u8;
    }

    fn settings3(&mut self, v: &[i64], found: &mut Found) -> Result<(), Box<Diagnostic>> {
        self.needs_third("`CFG3`")?;
        let value = |i| given(v, i).unwrap_or(0);
        if given(v, 2).is_some() && given(v, 3).is_none() {
            return Err(error("a buffer has an address and a size"));
        }
        let (sum, bus) = (value(0), value(1));
        let (buffer, size) = (value(2), value(3));
        let fits = buffer >= 0x4000 && buffer + size <= 0x10000 && (1..=0x800).contains(&size);
        if !(0..2).contains(&sum) || !(0..2).contains(&bus) {
            found.push(remark("the first two values are 0 or 1"));
        }
        if (buffer != 0 || size != 0) && !fits {
            found.push(remark("the buffer has at most 2,048 bytes, from $4000 on"));
        }
        self.header[at::SUMMED] = u8::from(sum != 0);
        self.header[at::BUS] = u8::from(bus != 0);
        self.word(at::BUFFER, buffer);
        self.word(at::BUFFER_SIZE, size);
        Ok(())
    }

    fn bar(&mut self, v: &[i64], found: &mut Found) {
        let value = |i, other| given(v, i).unwrap_or(other);
        let fields = [
            (at::BAR, value(0, 0), 1),
            (at::BAR_COLOUR, value(1, 0), 255),
            (at::START_DELAY, value(2, 0), 255),
            (at::BANK_DELAY, value(3, 0), 255),
            (at::BAR_ROW, value(4, 254), 255),
        ];
        for (at, v, most) in fields {
            self.header[at] = within(v, most, "a value of the bar", found) as u8;
        }
    }

    /// Bytes of the device from an offset in a page of 8 KB on.
    fn bytes(
        asked: &Asked<'_>,
        memory: &Memory,
        page: i64,
        offset: i64,
        len: usize,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        let start = page * 0x2000 + offset;
        let fits = (0..PAGES).contains(&page) && start >= 0;
        if !fits || offset > PAGES * 0x2000 || start + len as i64 > PAGES * 0x2000 {
            let message = format!("{len} bytes from page {page} on are not in memory");
            return Err(Box::new(Diagnostic::new(codes::OUT_OF_RANGE, message)));
        }
        Ok(memory.linear(asked.window.bank, start as u64, len))
    }

    fn palette(
        &mut self,
        kind: &str,
        asked: &Asked<'_>,
        memory: &Memory,
    ) -> Result<(), Box<Diagnostic>> {
        if self.colours.is_some() || self.header[at::PICTURE] != 0 {
            return Err(error("colours are said once, before the picture"));
        }
        if self.last != -1 {
            return Err(error("colours come before the banks"));
        }
        let v = asked.values;
        self.colours = Some(match kind {
            "none" => None,
            "default" => Some(
                (0..=255u8)
                    .flat_map(|i| [i, u8::from(i & 3 != 0)])
                    .collect(),
            ),
            "mem" => Some(Self::bytes(asked, memory, v[0], v[1], 512)?),
            _ => Some(Picture::new(&asked.save.contents[0])?.colours()),
        });
        Ok(())
    }

    /// Puts the colours before the picture, or says that there are none.
    fn put_colours(&mut self) {
        match &self.colours {
            Some(Some(bytes)) => self.body.extend_from_slice(bytes),
            _ => self.header[at::PICTURE] = NO_COLOURS,
        }
    }

    fn picture(
        &mut self,
        kind: &str,
        asked: &Asked<'_>,
        memory: &Memory,
        found: &mut Found,
    ) -> Result<(), Box<Diagnostic>> {
        if self.header[at::PICTURE] != 0 {
            return Err(error("the file has a picture"));
        }
        if self.last != -1 {
            return Err(error("the picture comes before the banks"));
        }
        match kind {
            "bmp" => self.picture_file(asked, found),
            "tile" => self.tiles(asked, memory, found),
            "scr" | "shc" | "shr" => self.small_picture(kind, asked, memory, found),
            _ => self.large_picture(kind, asked, memory),
        }
    }

    /// A picture in the memory of the first Spectrum.
    fn small_picture(
        &mut self,
        kind: &str,
        asked: &Asked<'_>,
        memory: &Memory,
        found: &mut Found,
    ) -> Result<(), Box<Diagnostic>> {
        if kind == "shr"
            && let Some(n) = given(asked.values, 0)
        {
            let n = within(n, 7, "the colour", found);
            self.header[at::COLOUR] = (n as u8 & 7) << 3;
        }
        self.header[at::PICTURE] = match kind {
            "scr" => 2,
            "shc" => 16,
            _ => 8,
        };
        let parts: &[(i64, usize)] = match kind {
            "scr" => &[(10, 0x1b00)],
            _ => &[(10, 0x1800), (11, 0x1800)],
        };
        for &(page, len) in parts {
            let bytes = Self::bytes(asked, memory, page, 0, len)?;
            self.body.extend_from_slice(&bytes);
        }
        Ok(())
    }

    /// A picture in pages: page, offset, and the same of its colours.
    fn large_picture(
        &mut self,
        kind: &str,
        asked: &Asked<'_>,
        memory: &Memory,
    ) -> Result<(), Box<Diagnostic>> {
        let v = asked.values;
        if given(v, 0).is_some() != given(v, 1).is_some()
            || given(v, 2).is_some() != given(v, 3).is_some()
        {
            return Err(error("expected a page and an offset, or four values"));
        }
        if kind.len() > 2 {
            self.needs_third("this picture")?;
            self.header[at::COLOUR] = 0;
        }
        let len = match kind {
            "l2" => 0xc000,
            "lr" => 0x3000,
            _ => 0x14000,
        };
        let page = given(v, 0).unwrap_or(-1);
        let parts: Vec<(i64, i64, usize)> = match (page, kind) {
            (-1, "lr") => vec![(10, 0, 0x1800), (11, 0, 0x1800)],
            (-1, _) => vec![(18, 0, len)],
            _ => vec![(page, given(v, 1).unwrap_or(0), len)],
        };
        let mut bytes = Vec::with_capacity(len);
        for (page, offset, len) in parts {
            bytes.extend(Self::bytes(asked, memory, page, offset, len)?);
        }
        if self.colours.is_none() {
            let page = given(v, 2).unwrap_or(-1);
            let offset = given(v, 3).unwrap_or(0);
            self.colours = Some(match page {
                -1 => None,
                _ => Some(Self::bytes(asked, memory, page, offset, 512)?),
            });
        }
        self.put_colours();
        let (flag, other) = match kind {
            "l2" => (1, 0),
            "lr" => (4, 0),
            "l2_320" => (OTHER_PICTURE, 1),
            _ => (OTHER_PICTURE, 2),
        };
        self.header[at::PICTURE] |= flag;
        self.header[at::PICTURE_KIND] = other;
        self.body.extend_from_slice(&bytes);
        Ok(())
    }

    /// A picture from a file: whether its colours count, an offset in them.
    fn picture_file(
        &mut self,
        asked: &Asked<'_>,
        found: &mut Found,
    ) -> Result<(), Box<Diagnostic>> {
        let picture = Picture::new(&asked.save.contents[0])?;
        let mut colours = given(asked.values, 0).unwrap_or(1);
        let mut offset = given(asked.values, 1);
        if !(0..2).contains(&colours) {
            found.push(remark("whether colours are saved is 0 or 1"));
            colours = 1;
        }
        if offset.is_some_and(|n| !(-1..16).contains(&n)) {
            found.push(remark("the offset in the colours is from 0 to 15"));
        }
        let (flag, other) = match (picture.width, picture.height) {
            (256, 192) => (1, 0),
            (128, 96) => (4, 0),
            (320, 256) => (OTHER_PICTURE, 1),
            (640, 256) => (OTHER_PICTURE, 2),
            _ => {
                return Err(error(
                    "the picture has none of the sizes 256x192, 128x96, 320x256, 640x256",
                ));
            }
        };
        if other == 0 && offset.is_some_and(|n| n != -1) {
            found.push(remark(
                "pictures of this size have no offset in the colours",
            ));
            offset = None;
        }
        if other != 0 {
            self.needs_third("this picture")?;
        }
        if colours == 1 && self.colours.is_none() {
            self.colours = Some(Some(picture.colours()));
        }
        let mut pixels = Vec::new();
        for y in 0..picture.height {
            pixels.extend_from_slice(picture.row(y)?);
        }
        self.put_colours();
        self.header[at::PICTURE] |= flag;
        if other == 0 {
            self.body.extend_from_slice(&pixels);
            return Ok(());
        }
        self.header[at::PICTURE_KIND] = other;
        self.header[at::COLOUR] = offset.filter(|&n| n != -1).unwrap_or(0) as u8;
        // Column by column; of the wide ones two in one.
        let wide = picture.width == 640;
        for x in 0..320 {
            for y in 0..256 {
                let row = &pixels[y * picture.width..];
                self.body.push(match wide {
                    true => row[2 * x] << 4 | row[2 * x + 1] & 15,
                    false => row[x],
                });
            }
        }
        Ok(())
    }

    /// A picture of tiles: four registers, whether bank 5 is stored.
    fn tiles(
        &mut self,
        asked: &Asked<'_>,
        memory: &Memory,
        found: &mut Found,
    ) -> Result<(), Box<Diagnostic>> {
        let v = asked.values;
        let stored = given(v, 4).unwrap_or(1);
        if v[..4].iter().any(|n| !(0..256).contains(n)) || !(0..2).contains(&stored) {
            return Err(error("registers are bytes, and the last value is 0 or 1"));
        }
        self.needs_third("a picture of tiles")?;
        self.put_colours();
        self.header[at::PICTURE] |= OTHER_PICTURE;
        self.header[at::PICTURE_KIND] = 3;
        for (i, &n) in v[..4].iter().enumerate() {
            self.header[at::TILES + i] = n as u8;
        }
        if stored == 1 {
            self.before_banks(found);
            self.bank(5, memory, asked, false)?;
        }
        Ok(())
    }

    fn copper(&mut self, asked: &Asked<'_>, memory: &Memory) -> Result<(), Box<Diagnostic>> {
        if self.version == 2 {
            self.needs_third("`COPPER`")?;
        }
        if self.last != -1 {
            return Err(error("`COPPER` comes before the banks"));
        }
        self.third = true;
        let v = asked.values;
        let bytes = Self::bytes(asked, memory, v[0], v[1], 0x800)?;
        self.header[at::COPPER] = 1;
        self.copper = Some(bytes);
        Ok(())
    }

    /// Before the first bank: what lies before it is whole.
    fn before_banks(&mut self, found: &mut Found) {
        if self.header[at::OFFSET..at::OFFSET + 4] != [0; 4] {
            return;
        }
        if self.colours.is_some() && self.header[at::PICTURE] == 0 {
            found.push(remark("colours without a picture are not stored"));
        }
        if let Some(copper) = &self.copper {
            self.body.extend_from_slice(copper);
        }
        let offset = (512 + self.body.len()) as u32;
        self.header[at::OFFSET..at::OFFSET + 4].copy_from_slice(&offset.to_le_bytes());
    }

    fn bank(
        &mut self,
        bank: i64,
        memory: &Memory,
        asked: &Asked<'_>,
        used: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(place) = place(bank) else {
            return Err(error(format!("the banks are 0 to 111, not {bank}")));
        };
        if place <= self.last {
            let d = error(format!("bank {bank} must be stored before those that are"));
            return Err(Box::new(
                d.note("the order is 5, 2, 0, 1, 3, 4, 6, 7, 8 and so on"),
            ));
        }
        self.last = place;
        let pages = [2 * bank as u32, 2 * bank as u32 + 1];
        let shown = pages.map(|p| memory.written(asked.window.bank, p));
        if used && shown.iter().flatten().all(|p| p.iter().all(|&b| b == 0)) {
            return Ok(());
        }
        for page in pages {
            let bytes = memory.page(asked.window.bank, page);
            self.body.extend_from_slice(&bytes);
        }
        self.header[at::BANKS + bank as usize] = 1;
        self.header[at::COUNT] += 1;
        Ok(())
    }

    /// `AUTO`: all banks from one to another that have something in them.
    fn banks(
        &mut self,
        asked: &Asked<'_>,
        memory: &Memory,
        found: &mut Found,
    ) -> Result<(), Box<Diagnostic>> {
        if self.last == BANKS - 1 {
            return Err(error("all banks are stored"));
        }
        let from = given(asked.values, 0).unwrap_or_else(|| bank_at(self.last + 1));
        let to = given(asked.values, 1).unwrap_or(BANKS - 1);
        let (Some(from), Some(to)) = (place(from), place(to)) else {
            return Err(error("the banks are 0 to 111"));
        };
        if to < from {
            return Err(error("the last bank is stored before the first"));
        }
        self.before_banks(found);
        for place in from..=to {
            self.bank(bank_at(place), memory, asked, true)?;
        }
        Ok(())
    }

    /// The file and its name.
    pub fn finish(mut self, found: &mut Found) -> (String, Vec<u8>) {
        self.before_banks(found);
        if self.third {
            self.header[7] = b'3';
            if self.header[at::SUMMED] != 0 {
                let sum = !crc(crc(!0, &self.body), &self.first[..at::SUM]);
                self.header[at::SUM..].copy_from_slice(&sum.to_le_bytes());
            }
        } else {
            self.header[at::OFFSET..at::OFFSET + 4].fill(0);
            self.header[at::BAR_ROW] = 0;
        }
        let high = &self.header[at::BANKS + 48..at::BANKS + 112];
        if self.header[at::RAM] == 0 && high.iter().any(|&b| b != 0) {
            found.push(*error("banks from 48 on need 2 MB: `SAVENEX CFG 0,0,0,1`"));
        }
        self.header.extend_from_slice(&self.body);
        (self.name, self.header)
    }
}

/// CRC-32C of more bytes.
fn crc(sum: u32, bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256u32)
        .map(|n| (0..8).fold(n, |c, _| (c >> 1) ^ ((c & 1) * 0x82f6_3b78)))
        .collect();
    bytes.iter().fold(sum, |c, &b| {
        (c >> 8) ^ table[((c ^ u32::from(b)) & 0xff) as usize]
    })
}

/// Whether the stack would overwrite what is loaded.
fn near_stack(asked: &Asked<'_>, memory: &Memory, stack: i64, bank: u32) -> Option<Diagnostic> {
    if (1..0x400a).contains(&stack) {
        return Some(remark("the stack is near the ROM"));
    }
    let pages = [0, 0, 10, 11, 4, 5, 2 * bank, 2 * bank + 1];
    let taken = (1..=10).any(|i| {
        let address = (stack - i) & 0xffff;
        let page = memory.written(asked.window.bank, pages[(address >> 13) as usize]);
        page.is_some_and(|p| p[address as usize & 0x1fff] != 0)
    });
    taken.then(|| remark("the stack lies in what is loaded"))
}
