//! Draws by Zipf's law: few stores have most of the orders.

use fastrand::Rng;

/// The exponent of the law, which pgbench is given too. It accepts none below 1.001.
pub(crate) const EXPONENT: f64 = 1.1;

/// Numbers from 0 on, of which number `k` is drawn in proportion to `1 / (k + 1) ^ EXPONENT`.
pub(crate) struct Zipf {
    /// The weights of all numbers up to each one.
    cumulative: Vec<f64>,
}

impl Zipf {
    /// The law for so many numbers.
    pub(crate) fn new(count: usize) -> Self {
        let mut total = 0.0;
        let mut rank = 0.0_f64;
        let weights = (0..count).map(|_| {
            rank += 1.0;
            total += rank.powf(-EXPONENT);
            total
        });
        Self {
            cumulative: weights.collect(),
        }
    }

    /// Returns one of the numbers.
    pub(crate) fn draw(&self, random: &mut Rng) -> usize {
        let total = self.cumulative.last().copied().unwrap_or_default();
        let point = random.f64() * total;
        let at = self.cumulative.partition_point(|weight| *weight <= point);
        // Rounding may put the point at the very end.
        at.min(self.cumulative.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_drawn_as_often_as_the_law_says() {
        let zipf = Zipf::new(200);
        let mut random = Rng::with_seed(5);
        let mut counts = [0_u32; 200];
        for _ in 0..100_000 {
            counts[zipf.draw(&mut random)] += 1;
        }
        // The sum of k^-1.1 for k from 1 to 200 is 4.70.
        assert!((20_300..22_300).contains(&counts[0]), "{}", counts[0]);
        assert!(counts[0] > counts[9] && counts[9] > counts[199]);
        assert_eq!(Zipf::new(1).draw(&mut random), 0);
    }
}
