//! How a value that may be an address of code is used.

/// Where memory is touched by an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// Nowhere.
    #[default]
    No,
    /// Right there.
    Exact,
    /// Something is counted or computed with it: it stays within its piece.
    Near,
    /// A block is moved from there on upwards, or searched: nothing before it is touched.
    Ahead,
    /// A block is moved from there or searched, or it is not known.
    Far,
}

/// What is done with the bytes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing.
    No,
    /// They are put elsewhere, to be there what they are here.
    Copied,
    /// Anything.
    Looked,
}

/// How an address, or a number that may be one, is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Memory is touched.
    pub touch: Touch,
    /// It is gone to.
    pub goes: bool,
    /// Something that is computed from it is gone to or kept.
    pub counted: bool,
    /// Memory is touched at a distance that an instruction says, or around what a block goes on
    /// upwards from.
    pub beside: bool,
    /// What is read there is more than put elsewhere.
    pub looked: bool,
    /// Bytes of the longest block from there on; `u32::MAX` where that is not known.
    pub extent: u32,
    /// Bytes of the longest block from there down, likewise; 0 where none is seen.
    pub down: u32,
}

impl Taken {
    /// In any way.
    pub const FAR: Self = Self {
        touch: Touch::Far,
        goes: true,
        counted: true,
        beside: true,
        looked: true,
        extent: u32::MAX,
        down: 0,
    };

    /// Whether a number that is used so is an address.
    pub fn is_address(self) -> bool {
        self.touch != Touch::No || self.goes
    }

    /// Whether control goes there, as far as that is seen, and nothing is read around it.
    pub fn enters(self) -> bool {
        self.goes && self.touch <= Touch::Exact
    }

    /// What is done with the bytes there.
    pub fn seen(self) -> Seen {
        match (self.touch, self.looked) {
            (Touch::No, _) => Seen::No,
            (_, false) => Seen::Copied,
            (_, true) => Seen::Looked,
        }
    }

    /// Whether nothing is done with it but to keep it, to pass it on and to go there.
    pub fn is_whole(self) -> bool {
        self.touch == Touch::No && !self.counted
    }

    /// A node may use the value as an address, or one that was counted with it; maybe it touches
    /// a block of memory upwards, or what is at a distance from it.
    pub fn touches_at(&mut self, used: bool, counted: bool, (block, displaced): (bool, bool)) {
        let touch = match (used, counted || used && displaced) {
            _ if block => Touch::Ahead,
            (true, false) => Touch::Exact,
            (_, true) => Touch::Near,
            (false, _) => Touch::No,
        };
        let both = [self.touch, touch];
        self.beside |= both.contains(&Touch::Near) && both.contains(&Touch::Ahead);
        self.touch = self.touch.max(touch);
        self.beside |= used && displaced;
    }

    /// A node may touch a block there, of so many bytes if that is known, or use what was counted;
    /// some go down from there.
    pub fn reaches(&mut self, block: Option<Option<u32>>, down: bool, counted: bool) {
        let bytes = block.map_or(0, |b| b.unwrap_or(u32::MAX));
        let bytes = if counted { u32::MAX } else { bytes };
        self.extent = self.extent.max(bytes);
        if down {
            self.down = self.down.max(bytes);
            self.touch = Touch::Far;
        }
    }

    /// How many bytes from there down are touched and none elsewhere, where that is known of blocks.
    pub fn below(self) -> Option<u64> {
        let bounded = self.touch == Touch::Far && !self.counted && !self.beside;
        let known = self.down > 0 && self.extent < u32::MAX;
        (bounded && known).then_some(self.down.into())
    }

    /// How many bytes from there on are touched, where that is known of blocks.
    pub fn reach(self) -> Option<u64> {
        let bounded = self.touch == Touch::Ahead && !self.counted && !self.beside;
        (bounded && self.extent < u32::MAX).then_some(self.extent.into())
    }

    /// Memory is touched, and no more.
    pub fn touches(touch: Touch) -> Self {
        Self {
            touch,
            looked: true,
            ..Self::default()
        }
    }
}
