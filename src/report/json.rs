//! The size report with budgets and changes as JSON. What
//! [`Sizes::from_json`](super::Sizes::from_json) reads is its upper level, so a
//! report can be compared with later.

use super::Sizes;
use super::budget::Check;
use super::diff::Changes;
use serde_json::Value;

/// The text, indented, with an end of line.
pub fn report(sizes: &Sizes, budgets: &[Check], since: Option<&Changes>) -> String {
    let mut v = serde_json::to_value(sizes).expect("plain data");
    if let Value::Object(o) = &mut v {
        let list = serde_json::to_value(budgets).expect("plain data");
        o.insert("budgets".into(), list);
        if let Some(c) = since {
            o.insert("changes".into(), c.to_value());
        }
    }
    format!("{v:#}\n")
}
