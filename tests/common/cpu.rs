//! What a test costs, whatever else the machine does.

use std::time::Duration;

/// Time that the processor gave to this thread so far; of the process where the system
/// counts no less.
#[cfg(unix)]
pub fn time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    #[cfg(target_os = "linux")]
    let who = UsageWho::RUSAGE_THREAD;
    #[cfg(not(target_os = "linux"))]
    let who = UsageWho::RUSAGE_SELF;
    let usage = getrusage(who).expect("the time used");
    let part = |t: nix::sys::time::TimeVal| {
        Duration::from_secs(t.tv_sec() as u64) + Duration::from_micros(t.tv_usec() as u64)
    };
    part(usage.user_time()) + part(usage.system_time())
}

/// The time of day, where nothing better is known.
#[cfg(not(unix))]
pub fn time() -> Duration {
    let start = std::time::UNIX_EPOCH;
    start.elapsed().unwrap_or_default()
}
