//! Positions of orders in segments.

use super::segment::Segment;
use crate::arrays::{Kind, Values, array};

/// Entries at the same index name an order: its segment, the segment's build, its position.
#[derive(Default)]
pub(crate) struct Positions {
    pub(crate) segments: Vec<i32>,
    pub(crate) builds: Vec<i32>,
    pub(crate) positions: Vec<i32>,
}

impl Positions {
    /// Returns the number of added orders.
    pub(super) fn add(
        &mut self,
        segment: &Segment,
        positions: impl Iterator<Item = usize>,
    ) -> usize {
        let before = self.positions.len();
        self.positions
            .extend(positions.filter_map(|position| i32::try_from(position).ok()));
        let count = self.positions.len();
        self.segments.resize(count, segment.segment);
        self.builds.resize(count, segment.build);
        count - before
    }

    /// Returns the positions as parameters of a statement.
    pub(super) fn values(&self) -> Values<'_> {
        vec![
            ("segments", array(Kind::Integer, &self.segments)),
            ("builds", array(Kind::Integer, &self.builds)),
            ("positions", array(Kind::Integer, &self.positions)),
        ]
    }
}
