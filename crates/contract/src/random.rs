//! Random values that are the same in every run.

use std::fmt;

use fastrand::Rng;

/// The default seed.
const SEED: u64 = 20_240_608;
/// The variable that asks for another seed.
const VARIABLE: &str = "PRESSLINE_CONTRACT_SEED";

/// A generator of test data that knows its seed.
#[derive(Clone)]
pub(crate) struct Random {
    seed: u64,
    rng: Rng,
}

impl Random {
    /// A generator at its beginning.
    pub(crate) fn new() -> Self {
        Self::of_run(0)
    }

    /// A generator for one of several runs of a case. Its seed alone repeats the run as the first one.
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

    /// A number below `end`; 0 where `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.rng.u64(..end) }
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        if len == 0 { 0 } else { self.rng.usize(..len) }
    }

    /// True in one of `n` cases.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of these; `None` where there is none.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        self.rng.choice(from)
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.rng.u8(..))
    }

    /// A value in two of three cases.
    pub(crate) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.one_in(3) {
            None
        } else {
            Some(make(self))
        }
    }
}

/// What makes a failure repeatable.
impl fmt::Display for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VARIABLE}={}", self.seed)
    }
}
