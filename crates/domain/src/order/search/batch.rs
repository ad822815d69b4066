//! Limits how many orders of a page are in memory at the same time.

/// Maximum size of orders read together, in bytes: about two pages of a hundred usual orders.
pub const BATCH_BYTES: u64 = 1024 * 1024;

/// Orders to read together: the first, and following orders within `limit` bytes in total.
#[derive(Debug, Clone)]
pub struct Batch {
    limit: u64,
    bytes: u64,
    is_full: bool,
}

impl Batch {
    /// Creates an empty batch of at most `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            bytes: 0,
            is_full: false,
        }
    }

    /// Adds an order of `bytes` bytes; returns `false` if the batch is full. An order that does not
    /// fit makes the batch full, so that smaller orders after it are not read first.
    pub fn takes(&mut self, bytes: u64) -> bool {
        let sum = self.bytes.saturating_add(bytes);
        self.is_full |= self.bytes > 0 && sum > self.limit;
        if !self.is_full {
            self.bytes = sum;
        }
        !self.is_full
    }

    /// Returns the size of the orders in the batch, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use crate::order::search::batch::*;

    #[test]
    fn a_batch_ends_at_its_limit_but_always_has_the_first_order() {
        for (sizes, taken, bytes) in [
            (&[4, 3, 3, 1][..], 3, 10),
            (&[11, 1], 1, 11),
            (&[5, 6, 1], 1, 5),
            (&[10], 1, 10),
            (&[u64::MAX, u64::MAX], 1, u64::MAX),
            (&[], 0, 0),
        ] {
            let mut batch = Batch::new(10);
            let count = sizes.iter().filter(|size| batch.takes(**size)).count();
            assert_eq!((count, batch.bytes()), (taken, bytes), "{sizes:?}");
        }
    }
}
