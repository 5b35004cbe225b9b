//! Any bytes as a source in each dialect: what must hold for every source. Each target
//! has a binary of its own; the first byte chooses dialect and machine.

#[path = "../../tests/common/cpu.rs"]
mod cpu;
#[path = "../../tests/common/invariants.rs"]
mod invariants;

use invariants::{Pair, check};
use scrimp::dialect;
use std::time::Duration;

/// What an input may take of the processor: two seconds of a release build, which is some seven
/// times as fast as one with counters and all checks.
const LONG: Duration = Duration::from_secs(14);

/// Checks one input.
pub fn one(target: &'static str, data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let names = dialect::names();
    let choice = usize::from(choice);
    let dialect = names[choice % names.len()];
    let pair = Pair { dialect, target };
    let target = pair.target();
    let machines = target.machine_names();
    let machine = (choice / names.len()).checked_sub(1);
    let machine = machine.and_then(|m| target.machine(machines[m % machines.len()]));
    check(pair, machine, text, LONG);
}
