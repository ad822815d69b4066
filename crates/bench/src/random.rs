//! Numbers that look random and are the same in every run.

/// A sequence that its seed decides (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where the bound is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// One of a list, which is not empty.
    pub(crate) fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let length = list.len().max(1);
        let at = usize::try_from(self.next() % (length as u64)).unwrap_or(0);
        list.get(at).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_sequence() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            [random.next(), random.next(), random.below(10)]
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(7)[2] < 10);
    }

    #[test]
    fn every_entry_of_a_list_comes_up() {
        let mut random = Random::new(1);
        let mut seen: Vec<_> = (0..100).map(|_| random.pick(&["a", "b", "c"])).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, ["a", "b", "c"]);
    }
}
