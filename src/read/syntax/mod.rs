//! From tokens to expressions, operands and directive arguments.

pub mod argument;
pub mod arguments;
pub mod cursor;
pub mod expression;
pub mod literal;
mod names;
pub mod operand;
