//! From tokens to expressions, operands and directive arguments.

pub mod arguments;
pub mod expression;
pub mod literal;
pub mod operand;
