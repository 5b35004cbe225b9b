//! What a source says: chunks of items, symbols, expressions, promises, limits; and what
//! the stages behind the reading find out.

mod changes;
pub mod eval;
pub mod exact;
mod fault;
pub mod fit;
mod forms;
pub mod fractions;
pub mod item;
pub mod lifted;
pub mod limits;
mod memory;
pub mod plan;
pub mod problems;
pub mod promise;
pub mod rewrite;
pub mod symbol;
mod value;
mod whole;

pub use changes::{Changes, Rewrite};
pub use fault::{Fault, Outcome};
pub use memory::{ByteRange, Memory};
pub use value::{Field, Value};
pub use whole::Section;
pub use whole::{
    Asked, Choices, Chunk, Columns, Decided, Later, MAX_IMAGE, Needed, Part, Program, Script,
};
