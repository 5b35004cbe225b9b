//! Lua: scripts between `LUA` and `ENDLUA`, and in files of their own. They run where that is
//! asked for, and reach nothing but the assembler.
//!
//! sjasmplus goes over a source three times, and a script says in which of them it runs; what
//! it leaves in its variables is there the next time. So a source with scripts is read three
//! times here too, and the interpreter goes from run to run with what the dialect keeps.

pub mod blocks;
mod calls;
#[cfg(feature = "lua")]
mod engine;
#[cfg(not(feature = "lua"))]
#[path = "none.rs"]
mod engine;
#[cfg(feature = "lua")]
mod patterns;
pub mod scripts;
mod talk;
