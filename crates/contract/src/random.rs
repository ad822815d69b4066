//! Reproducible random values.

use std::fmt;

use fastrand::Rng;

/// Default seed.
const SEED: u64 = 20_240_608;
/// Environment variable with another seed.
const VARIABLE: &str = "PRESSLINE_CONTRACT_SEED";

/// Generator of test data that can report its seed.
#[derive(Clone)]
pub(crate) struct Random {
    seed: u64,
    rng: Rng,
}

impl Random {
    pub(crate) fn new() -> Self {
        Self::of_run(0)
    }

    /// Creates a generator for run `number` of a case. Setting the seed it reports repeats the run
    /// as run 0.
    pub(crate) fn of_run(number: u64) -> Self {
        let given = std::env::var(VARIABLE).ok();
        let first = given.and_then(|text| text.parse().ok()).unwrap_or(SEED);
        let seed = number.wrapping_add(first);
        Self {
            seed,
            rng: Rng::with_seed(seed),
        }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.rng.u64(..)
    }

    /// Returns a number less than `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.rng.u64(..end) }
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        if len == 0 { 0 } else { self.rng.usize(..len) }
    }

    /// Returns `true` with probability 1/`n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Returns a random element; `None` if `from` is empty.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        self.rng.choice(from)
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.rng.u8(..))
    }

    /// Returns a value with probability 2/3.
    pub(crate) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.one_in(3) {
            None
        } else {
            Some(make(self))
        }
    }
}

/// Prints the setting of `PRESSLINE_CONTRACT_SEED` that reproduces a failure.
impl fmt::Display for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VARIABLE}={}", self.seed)
    }
}
