//! Line numbers in a file.

/// The lines of a text. A line ends with LF, with CR LF as Excel writes, or with CR alone.
pub(crate) struct Lines {
    /// The offset of the last byte of each line end, in bytes.
    ends: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let is_end = |at: usize, byte: u8| {
            // The CR of a CR LF is not the last byte of its line end.
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let ends = bytes
            .iter()
            .enumerate()
            .filter(|(at, byte)| is_end(*at, **byte))
            .map(|(at, _)| at);
        Self {
            ends: ends.collect(),
        }
    }

    /// Returns the line of the byte at an offset, from 1.
    pub(crate) fn of(&self, offset: usize) -> u64 {
        self.ends.partition_point(|end| *end < offset) as u64 + 1
    }
}
