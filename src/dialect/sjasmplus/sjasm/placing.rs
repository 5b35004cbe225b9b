//! Where sjasm puts code parts: into pages, those with an address first, then those with a
//! range, then all others, the largest first; each where there is room for it.
//!
//! In: pages, and what each part wants. Out: address, page and place in the file of each.
//! Nothing is read or reported here.

/// An address above all others.
pub const BIG: i64 = 0x7fff_ffff;

/// A page that the source defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its first address; nothing where it begins behind the page before.
    pub start: Option<i64>,
    /// Its bytes; nothing where it has those of its parts.
    pub size: Option<i64>,
}

/// Which addresses a part may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    At,
    Range,
    Any,
}

/// What a part wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    pub mode: Mode,
    pub least: i64,
    pub most: i64,
    pub align: i64,
    /// It lies in one block of 256 bytes.
    pub together: bool,
    /// It lies over others.
    pub over: bool,
    /// Pages it may be in, in order.
    pub pages: Vec<u32>,
    /// It may go on in the page behind.
    pub goes_on: bool,
    pub len: i64,
}

/// Where a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub address: i64,
    pub page: u32,
    /// Place in the file.
    pub offset: i64,
}

/// Where all parts are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Of each part, unless it is empty or fits nowhere.
    pub placed: Vec<Option<Placed>>,
    /// Bytes from the start of each page to the end of its last part.
    pub used: Vec<i64>,
    /// First address of each page.
    pub starts: Vec<i64>,
    /// Bytes of the file.
    pub size: i64,
    /// Parts that fit nowhere.
    pub homeless: Vec<usize>,
}

/// A piece of a part in a page.
#[derive(Clone, Copy)]
struct Piece {
    part: usize,
    address: i64,
    len: i64,
    /// Bytes of the part before it.
    from: i64,
}

/// A page that is being filled.
struct Room {
    start: i64,
    size: Option<i64>,
    pieces: Vec<Piece>,
    over: Vec<Piece>,
    highest: i64,
}

/// The first address from `at` on that a part may have.
fn aligned(at: i64, w: &Wish) -> i64 {
    if w.together && w.mode == Mode::Any {
        return match (at + w.len) / 256 == at / 256 {
            true => at,
            false => (at + w.len) & -256,
        };
    }
    match at % w.align {
        0 => at,
        n => at + w.align - n,
    }
}

impl Room {
    /// Puts a part where there is room; false if there is none.
    fn add(&mut self, part: usize, w: &Wish) -> bool {
        let least = w.least.max(self.start);
        if self.start > w.most
            || self
                .size
                .is_some_and(|s| s > 0 && self.start + s < least + w.len)
        {
            return false;
        }
        let list = if w.over {
            &mut self.over
        } else {
            &mut self.pieces
        };
        let (mut at, mut index) = (least, 0);
        for p in &*list {
            if aligned(at, w) + w.len <= p.address {
                break;
            }
            at = at.max(p.address + p.len);
            index += 1;
        }
        let at = aligned(at, w);
        let full = self
            .size
            .is_some_and(|s| s > 0 && at + w.len > self.start + s);
        if at > w.most || full && !list.is_empty() {
            return false;
        }
        let piece = Piece {
            part,
            address: at,
            len: w.len,
            from: 0,
        };
        list.insert(index, piece);
        self.highest = self.highest.max(at + w.len);
        true
    }

    /// Bytes before its first part.
    fn free_at_start(&self) -> i64 {
        match self.pieces.first() {
            Some(p) => p.address - self.start,
            None => self.size.unwrap_or(BIG),
        }
    }
}

/// The parts in the order in which they are put into pages; those over others are the last.
fn order(wishes: &[Wish]) -> Vec<usize> {
    let mut list: Vec<usize> = (0..wishes.len()).filter(|&i| wishes[i].len > 0).collect();
    // As stable sorts one behind the other leave it, the last one first.
    list.sort_by_cached_key(|&i| {
        let w = &wishes[i];
        let align = match w.together && w.mode == Mode::Any {
            true => w.len,
            false => w.align,
        };
        let mode = match w.mode {
            Mode::Any if w.goes_on => 3,
            m => m as i64,
        };
        let key = match w.mode {
            Mode::At => (w.least, 0, 0),
            Mode::Range => (-align, w.most - w.least, -w.len),
            Mode::Any => (-align, -w.len, 0),
        };
        let several = w.pages.len() > 1;
        match w.over {
            true => (true, 0, false, 0, (w.least, 0, 0)),
            false => (false, mode, several, w.pages.len(), key),
        }
    });
    list
}

/// Puts a part that no page takes whole into two.
fn split(rooms: &mut [Option<Room>], page: usize, part: usize, w: &Wish) -> bool {
    let [Some(first), Some(second), ..] = &mut rooms[page..] else {
        return false;
    };
    let at = aligned(first.highest.max(0), w);
    let size = first.size.unwrap_or((first.highest - first.start).max(0));
    let here = size + first.start - at;
    if here <= 0 || w.len - here > second.free_at_start() {
        return false;
    }
    let piece = |address, len, from| Piece {
        part,
        address,
        len,
        from,
    };
    first.pieces.push(piece(at, here, 0));
    first.highest = first.highest.max(at + here);
    second
        .pieces
        .insert(0, piece(second.start, w.len - here, here));
    second.highest = second.highest.max(second.start + w.len - here);
    true
}

/// One round, with the pages at these addresses.
fn round(
    pages: &[Option<Page>],
    starts: &[i64],
    wishes: &[Wish],
) -> (Vec<Option<Room>>, Vec<usize>) {
    let room = |(i, p): (usize, &Option<Page>)| {
        p.map(|p| Room {
            start: starts[i],
            size: p.size,
            pieces: Vec::new(),
            over: Vec::new(),
            highest: 0,
        })
    };
    let mut rooms: Vec<Option<Room>> = pages.iter().enumerate().map(room).collect();
    let mut homeless = Vec::new();
    for part in order(wishes) {
        let w = &wishes[part];
        let mut done = false;
        for &page in &w.pages {
            let page = page as usize;
            let Some(Some(room)) = rooms.get_mut(page) else {
                continue;
            };
            done = room.add(part, w) || w.goes_on && split(&mut rooms, page, part, w);
            if done || w.over {
                break;
            }
        }
        if !done {
            homeless.push(part);
        }
    }
    (rooms, homeless)
}

/// Where everything goes.
pub fn plan(pages: &[Option<Page>], wishes: &[Wish]) -> Plan {
    let mut starts: Vec<i64> = pages
        .iter()
        .map(|p| p.and_then(|p| p.start).unwrap_or(0))
        .collect();
    // A page behind another moves as that grows.
    for _ in 0..=pages.len() {
        let (rooms, _) = round(pages, &starts, wishes);
        let before = starts.clone();
        let mut end = 0;
        for (i, room) in rooms.iter().enumerate() {
            let (Some(room), Some(page)) = (room, pages[i]) else {
                continue;
            };
            if page.start.is_none() {
                starts[i] = end;
            }
            let used = (room.highest - room.start).max(0);
            end = starts[i] + page.size.unwrap_or(used);
        }
        if starts == before {
            break;
        }
    }
    let (rooms, homeless) = round(pages, &starts, wishes);
    let mut out = Plan {
        placed: vec![None; wishes.len()],
        used: vec![0; pages.len()],
        starts,
        size: 0,
        homeless,
    };
    let mut over = 0;
    for (i, room) in rooms.iter().enumerate() {
        let Some(room) = room else { continue };
        out.used[i] = (room.highest - room.start).max(0);
        let page = i as u32;
        for (list, from) in [(&room.pieces, &mut out.size), (&room.over, &mut over)] {
            let (base, mut end) = (*from, 0);
            for p in list {
                end = p.address + p.len - room.start;
                if p.from == 0 {
                    out.placed[p.part] = Some(Placed {
                        address: p.address,
                        page,
                        offset: base + p.address - room.start,
                    });
                }
            }
            *from = base + end.max(room.size.unwrap_or(0));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(mode: Mode, least: i64, len: i64, pages: &[u32]) -> Wish {
        Wish {
            mode,
            least,
            most: if mode == Mode::At { least } else { BIG },
            align: 1,
            together: false,
            over: false,
            pages: pages.to_vec(),
            goes_on: false,
            len,
        }
    }

    #[test]
    fn the_largest_first_behind_those_with_an_address() {
        let page = |start, size| Some(Page { start, size });
        let pages = [page(Some(0x4000), Some(16)), None, page(None, None)];
        let wishes = [
            wish(Mode::Any, 0, 2, &[0]),
            wish(Mode::Any, 0, 5, &[0]),
            wish(Mode::At, 0x4004, 3, &[0]),
            wish(Mode::Any, 0, 9, &[0, 2]),
            wish(Mode::Any, 0, 7, &[0, 2]),
            wish(Mode::Any, 0, 0, &[0]),
        ];
        let plan = plan(&pages, &wishes);
        let at = |i: usize| plan.placed[i].map(|p| (p.address, p.page, p.offset));
        assert_eq!(at(2), Some((0x4004, 0, 4)));
        assert_eq!(at(1), Some((0x4007, 0, 7)));
        assert_eq!(at(0), Some((0x4000, 0, 0)));
        assert_eq!(at(3), Some((0x4010, 2, 16)));
        assert_eq!(at(4), Some((0x4019, 2, 25)));
        assert_eq!(at(5), None);
        assert_eq!((plan.size, &plan.used[..]), (32, &[12, 0, 16][..]));
        assert!(plan.homeless.is_empty());
    }
}
