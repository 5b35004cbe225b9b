//! A line on standard error while something takes long.

use super::terminal::{Terminal, fit};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work under half a second is not worth a word.
const QUIET: Duration = Duration::from_millis(500);

/// Shows what is going on and for how long, until dropped. Does nothing unless
/// standard error is a terminal.
pub struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    /// Starts; `what` is a word or two such as "assembling".
    pub fn start(what: String) -> Self {
        if !Terminal::watched() {
            return Self(None);
        }
        let what = fit(&what).replace(['\n', '\t'], " ");
        let (stop, stopped) = channel();
        let start = Instant::now();
        let ticker = std::thread::Builder::new().spawn(move || {
            let mut shown = false;
            let mut wait = QUIET;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                eprint!("\r{what} {:.1} s", start.elapsed().as_secs_f32());
                shown = true;
                wait = Duration::from_millis(100);
            }
            if shown {
                eprint!("\r\x1b[K");
            }
        });
        Self(ticker.ok().map(|t| (stop, t)))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, ticker)) = self.0.take() {
            drop(stop);
            let _ = ticker.join();
        }
    }
}
