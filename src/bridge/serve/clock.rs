//! How long a move may take, by the clocks that a protocol tells.

/// Moves that a game is thought to take from any position.
const AHEAD: f64 = 30.0;

/// What is known of the time, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// For this move exactly.
    pub exact: Option<f64>,
    /// That is left.
    pub left: Option<f64>,
    /// Added after each move.
    pub bonus: f64,
    /// Moves until more time comes.
    pub moves: Option<u32>,
}

impl Clock {
    /// Seconds for a move; nothing if there is no limit.
    pub fn seconds(&self) -> Option<f64> {
        if self.exact.is_some() {
            return self.exact;
        }
        let moves = self.moves.filter(|&m| m > 0).map_or(AHEAD, f64::from);
        // The last second is not planned with.
        let left = (self.left? - 1.0).max(0.0);
        Some((left / moves + self.bonus * 0.9).min(left.max(0.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_divided() {
        let clock = |left, bonus, moves| Clock {
            left: Some(left),
            bonus,
            moves,
            exact: None,
        };
        assert_eq!(Clock::default().seconds(), None);
        assert_eq!(clock(301.0, 0.0, None).seconds(), Some(10.0));
        assert_eq!(clock(301.0, 0.0, Some(10)).seconds(), Some(30.0));
        assert!(clock(0.5, 10.0, None).seconds().unwrap() <= 0.5);
    }
}
