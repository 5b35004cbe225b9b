//! SIGINT, SIGTERM, SIGHUP and SIGQUIT while files are written or the terminal is in use: what has
//! begun is ended or taken back, the terminal is put back, and then the process ends as
//! the signal wants. At other times signals do what they always do.

use std::sync::Mutex;

/// Puts something back before the process ends.
pub type Restore = fn();

/// What goes on.
struct State {
    /// Guards that are alive.
    busy: usize,
    restore: Option<Restore>,
}

static STATE: Mutex<State> = Mutex::new(State {
    busy: 0,
    restore: None,
});

/// While it lives a signal does not end the process at once; whoever holds it asks
/// [`caught`] from time to time and drops it soon.
pub struct Guard(());

/// Begins something that a signal must not cut off in the middle. `restore` is called if
/// the holder does not end in time.
pub fn hold(restore: Option<Restore>) -> Guard {
    imp::listen();
    let mut state = lock();
    state.busy += 1;
    state.restore = restore.or(state.restore);
    Guard(())
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut state = lock();
        state.busy -= 1;
        if state.busy == 0 {
            state.restore = None;
            drop(state);
            imp::end_if_caught();
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, State> {
    STATE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Whether a signal has come, so that it is time to end.
pub fn caught() -> bool {
    imp::caught()
}

#[cfg(unix)]
mod imp {
    use crate::cli::signals::{Restore, lock};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
    use std::sync::{Arc, Once};
    use std::thread;
    use std::time::{Duration, Instant};

    /// The signal that has come; 0 for none.
    static CAUGHT: AtomicI32 = AtomicI32::new(0);

    /// How long what goes on may take to end.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// How long putting the terminal back may take: it may be stopped or gone.
    const RESTORING: Duration = Duration::from_millis(300);

    pub fn caught() -> bool {
        CAUGHT.load(Ordering::SeqCst) != 0
    }

    /// Starts the thread that takes the signals, once.
    pub fn listen() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // A file that becomes too long for the caller's limit is an error like another.
            let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
            let ignored = ignored();
            let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
            // What the caller ignores, as nohup does, stays ignored.
            let wanted = wanted.into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
            if let Ok(mut signals) = Signals::new(wanted) {
                thread::spawn(move || {
                    for signal in signals.forever() {
                        if CAUGHT.swap(signal, Ordering::SeqCst) != 0 {
                            // The second one is impatient.
                            end(signal);
                        }
                        thread::spawn(move || wait_and_end(signal));
                    }
                });
            }
        });
    }

    /// The set of signals that this process ignores, where the system tells.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
        line.and_then(|l| u64::from_str_radix(l.trim(), 16).ok())
            .unwrap_or(0)
    }

    fn wait_and_end(signal: i32) {
        let end_by = Instant::now() + PATIENCE;
        while lock().busy > 0 && Instant::now() < end_by {
            thread::sleep(Duration::from_millis(2));
        }
        let restore: Option<Restore> = lock().restore.take();
        if let Some(restore) = restore {
            let restoring = thread::spawn(restore);
            let end_by = Instant::now() + RESTORING;
            while !restoring.is_finished() && Instant::now() < end_by {
                thread::sleep(Duration::from_millis(2));
            }
        }
        end(signal);
    }

    fn end(signal: i32) {
        let _ = emulate_default_handler(signal);
    }

    /// Ends the process as the signal that has come wants.
    pub fn end_if_caught() {
        let signal = CAUGHT.load(Ordering::SeqCst);
        if signal != 0 {
            end(signal);
        }
    }
}

#[cfg(not(unix))]
mod imp {
    pub fn caught() -> bool {
        false
    }
    pub fn listen() {}
    pub fn end_if_caught() {}
}
