//! From tokens to expressions, operands and directive arguments.

pub mod arguments;
pub mod expression;
pub mod literal;
mod names;
pub mod operand;
