//! What a reading keeps, in parts with an owner each. None knows the reader.

pub mod account;
pub mod again;
pub mod cells;
pub mod feeds;
pub mod files;
pub mod listed;
pub mod memo;
pub mod naming;
pub mod part;
