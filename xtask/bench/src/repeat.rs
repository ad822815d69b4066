//! Repeats windows in which the server temporarily refused requests.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use crate::error::{BenchError, say};

/// Maximum number of measurements of a window.
const ATTEMPTS: usize = 3;
/// Statuses of temporary refusals: limit of the store, and limit of the server.
const PASSING: [u16; 2] = [429, 503];

/// Result of a load with unexpected statuses, or without responses.
#[derive(Debug)]
pub(crate) struct WrongStatus {
    pub(crate) wanted: u16,
    pub(crate) got: BTreeMap<u16, usize>,
}

impl WrongStatus {
    /// Returns whether all unexpected statuses are temporary refusals, as during a disk stall.
    fn is_passing(&self) -> bool {
        let mut others = self.got.keys().filter(|status| **status != self.wanted);
        !self.got.is_empty() && others.all(|status| PASSING.contains(status))
    }
}

impl fmt::Display for WrongStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, got } = self;
        write!(f, "expected only responses of status {wanted}, got {got:?}")
    }
}

impl std::error::Error for WrongStatus {}

/// Repeats windows and counts the repetitions.
#[derive(Debug, Default)]
pub(crate) struct Repeats(Cell<usize>);

impl Repeats {
    pub(crate) fn count(&self) -> usize {
        self.0.get()
    }

    /// Measures a window, and repeats it at most twice if the server temporarily refused requests.
    /// `measure` gets a suffix for the name of its series of orders: a series can be created only
    /// once.
    pub(crate) fn measure<T>(
        &self,
        mut measure: impl FnMut(&str) -> Result<T, BenchError>,
    ) -> Result<T, BenchError> {
        for attempt in 1..ATTEMPTS {
            let measured = measure(&"X".repeat(attempt - 1));
            let Err(error) = measured else {
                return measured;
            };
            let wrong = error.downcast_ref::<WrongStatus>();
            if !wrong.is_some_and(WrongStatus::is_passing) {
                return Err(error);
            }
            say(&format!("a window is measured again: {error}"));
            self.0.set(self.0.get() + 1);
        }
        measure(&"X".repeat(ATTEMPTS - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts(status: u16) -> usize {
        let mut attempts = 0;
        let measured = Repeats::default().measure(|_| {
            attempts += 1;
            let got = BTreeMap::from([(200, 99), (status, 1)]);
            Err::<(), BenchError>(Box::new(WrongStatus { wanted: 200, got }))
        });
        assert!(measured.is_err());
        attempts
    }

    #[test]
    fn only_calls_that_were_refused_for_a_moment_are_measured_again() {
        assert_eq!([429, 503, 500].map(attempts), [3, 3, 1]);
    }
}
