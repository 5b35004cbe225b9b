//! What is kept from line to line: scopes, macros, what is open, where bytes go.

use crate::program::Value;
use crate::program::symbol::{Anchor, SymbolId};
use crate::read::expand::Body;
use crate::text::lex::Tok;
use crate::text::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Number of the scope that all others lie in.
pub const ROOT: u32 = 0;

/// What is kept from line to line.
pub struct State {
    pub names: Names,
    pub macros: FxHashMap<Arc<str>, (Rc<Macro>, u32)>,
    /// Macros of the run before.
    pub known_macros: FxHashMap<Arc<str>, Rc<Macro>>,
    /// The last parts of the names of all of them.
    pub macro_words: FxHashSet<Arc<str>>,
    /// Words that were none so far.
    pub missed: FxHashSet<Arc<str>>,
    /// Blocks and calls that are open, innermost last.
    pub frames: Vec<Frame>,
    /// Number of the next scope without a name.
    pub number: u32,
    /// Tokens of the statement that came out of arguments.
    pub foreign: Vec<Foreign>,
    /// Labels that stand alone above the statement, and where.
    pub pending: Vec<Tok>,
    pub pending_at: Option<Anchor>,
    pub places: Places,
    /// Constants that need names from below.
    pub constants: Vec<SymbolId>,
    /// Files that were read.
    pub once: FxHashSet<SourceId>,
    /// Macros that are being measured at their definition.
    pub measuring: u32,
    /// Another run knows more.
    pub again: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            names: Names::default(),
            macros: FxHashMap::default(),
            known_macros: FxHashMap::default(),
            macro_words: FxHashSet::default(),
            missed: FxHashSet::default(),
            frames: Vec::new(),
            number: 0,
            foreign: Vec::new(),
            pending: Vec::new(),
            pending_at: None,
            places: Places {
                lists: vec![vec![Piece::Chunk(0)]],
                ..Places::default()
            },
            constants: Vec::new(),
            once: FxHashSet::default(),
            measuring: 0,
            again: false,
        }
    }
}

impl State {
    /// Takes over what the run before found.
    pub fn carry(&mut self, before: Self) {
        self.known_macros = before.known_macros;
        let new = before.macros.into_iter().map(|(n, m)| (n, m.0));
        self.known_macros.extend(new);
        self.macro_words = before.macro_words;
        self.names.known_texts = before.names.known_texts;
        self.names.text_words = before.names.text_words;
        self.names.hidden = before.names.hidden;
        self.places.wanted = before.places.wanted;
        self.places.known = before.places.known;
    }
}

/// The scopes and what is known in them beside symbols.
pub struct Names {
    pub scopes: Vec<Scope>,
    /// Names that stand for texts, and in which scopes: there are far more scopes than
    /// such names.
    pub texts: FxHashMap<Arc<str>, FxHashMap<u32, Rc<Text>>>,
    /// The one in force.
    pub scope: u32,
    /// Scopes by their name with a dot behind, in a run that is not the first.
    pub by_path: FxHashMap<Arc<str>, u32>,
    /// Names whose inner names are those of another: by full name its name, seen from a
    /// scope.
    pub aliases: FxHashMap<Arc<str>, (Arc<str>, u32)>,
    /// All names that stand for texts somewhere.
    pub text_words: TextWords,
    /// Texts of the run before, by full name.
    pub known_texts: FxHashMap<Arc<str>, Rc<Text>>,
    /// Full names that hide one of a scope around it that was meant above.
    pub hidden: FxHashSet<Arc<str>>,
    /// Tokens in all texts.
    pub kept: usize,
    /// A full name is put together here.
    pub buffer: String,
}

impl Default for Names {
    fn default() -> Self {
        let root = Scope {
            parent: ROOT,
            path: "".into(),
            may_define: None,
        };
        Self {
            scopes: vec![root],
            texts: FxHashMap::default(),
            scope: ROOT,
            by_path: FxHashMap::default(),
            aliases: FxHashMap::default(),
            text_words: TextWords::default(),
            known_texts: FxHashMap::default(),
            hidden: FxHashSet::default(),
            kept: 0,
            buffer: String::new(),
        }
    }
}

/// A set of names of which most words are none.
#[derive(Default)]
pub struct TextWords {
    words: FxHashSet<Arc<str>>,
    /// A bit for each shape that one of them has.
    shapes: u64,
}

impl TextWords {
    /// A bit that words have in common with those of the same length, start and end.
    fn shape(word: &str) -> u64 {
        let b = word.as_bytes();
        let ends = b.first().zip(b.last());
        let n = ends.map_or(0, |(a, z)| {
            b.len() + 5 * usize::from(*a) + 11 * usize::from(*z)
        });
        1 << (n % 64)
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.shapes == 0
    }

    /// Whether a word is one of them.
    #[inline]
    pub fn contains(&self, word: &str) -> bool {
        self.shapes & Self::shape(word) != 0 && self.words.contains(word)
    }

    /// Takes another one.
    pub fn insert(&mut self, word: Arc<str>) {
        self.shapes |= Self::shape(&word);
        self.words.insert(word);
    }
}

impl Names {
    /// Gives a name a text in a scope; what it was before there.
    pub fn text_in(&mut self, scope: u32, name: Arc<str>, text: Rc<Text>) -> Option<Rc<Text>> {
        self.texts.entry(name).or_default().insert(scope, text)
    }
}

/// A scope.
pub struct Scope {
    /// The one around it.
    pub parent: u32,
    /// Its name with a dot behind; nothing for the outermost.
    pub path: Arc<str>,
    /// The labels that its lines have, if those are known.
    pub may_define: Option<Rc<FxHashSet<Arc<str>>>>,
}

/// What a name stands for that is no number: a register, operand, text or list.
#[derive(Debug)]
pub struct Text {
    pub toks: Vec<Tok>,
    /// Where its names are looked for.
    pub scope: u32,
    /// What `$` in it is.
    pub here: Anchor,
}

/// A token of the statement that came out of a text.
pub struct Foreign {
    pub span: Span,
    pub text: Rc<Text>,
    /// Where its names are looked for.
    pub scope: u32,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub name: Arc<str>,
    pub parameters: Vec<Parameter>,
    /// Its lines, with a mark behind the last.
    pub body: Rc<Body>,
    /// The labels in them, if they are known.
    pub labels: Option<Rc<FxHashSet<Arc<str>>>>,
    /// Where its name stands.
    pub span: Span,
}

/// A parameter with what it is unless it is given.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Arc<str>,
    pub default: Option<Rc<Text>>,
}

/// What is open.
pub struct Frame {
    pub kind: FrameKind,
    /// The scope around it.
    pub scope: u32,
    /// Sources of lines that are open in it.
    pub depth: usize,
    pub span: Span,
}

/// Kinds of it.
pub enum FrameKind {
    Proc,
    Section(Section),
    Call,
    Rounds(Rounds),
    Measure(Measure),
}

/// An open section.
pub struct Section {
    /// The room that its bytes go to.
    pub room: usize,
    /// What to go back to.
    pub chunk: u32,
    pub list: usize,
    pub nowhere: bool,
}

/// A repeat that is under way.
pub struct Rounds {
    pub body: Rc<Body>,
    pub labels: Option<Rc<FxHashSet<Arc<str>>>>,
    /// Its name with a dot behind, and whether it is one of the source's.
    pub path: Arc<str>,
    pub named: bool,
    /// Rounds still to come behind the one in force, and its number.
    pub left: u64,
    pub round: u64,
    /// The counter, its next value and step.
    pub counter: Option<(Tok, i64, i64)>,
    /// A parameter and what it is in each round.
    pub items: Option<(Arc<str>, Vec<Rc<Text>>)>,
}

/// What was there before a macro was measured.
pub struct Measure {
    pub chunk: u32,
    pub chunks: usize,
    pub values: usize,
    pub rooms: usize,
    pub list: usize,
    pub nowhere: bool,
}

/// Where bytes go.
#[derive(Default)]
pub struct Places {
    /// Pieces in the order of the output: the first list is the program's, the others are
    /// those of rooms.
    pub lists: Vec<Vec<Piece>>,
    /// The list in force.
    pub list: usize,
    /// What is written has no bytes in the output.
    pub nowhere: bool,
    pub rooms: Vec<Room>,
    /// Rooms by their labels.
    pub named: FxHashMap<SymbolId, usize>,
    /// Full names of labels of room that sections fill.
    pub wanted: FxHashSet<Arc<str>>,
    /// Address of rooms in the run before, and whether they have bytes.
    pub known: FxHashMap<Arc<str>, (i64, bool)>,
}

/// A piece of the output.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    Chunk(u32),
    Room(usize),
}

/// Room that sections may fill.
#[derive(Debug)]
pub struct Room {
    pub name: Arc<str>,
    pub start: i64,
    /// Where the next section goes on.
    pub at: i64,
    pub size: i64,
    pub fill: (Value, Span),
    pub nowhere: bool,
    pub list: usize,
    /// Its `ds` was met.
    pub met: bool,
    pub span: Span,
}
