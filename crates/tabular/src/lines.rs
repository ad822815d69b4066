//! Line numbers in a file.

use pressline_backoffice::import::catalog::Finding;

/// Converts offsets to lines, which end with LF, CR LF or CR alone. Counts from the last requested
/// offset, so reading a file in order costs a single pass and no memory.
pub(crate) struct Lines<'b> {
    bytes: &'b [u8],
    /// Last requested offset, in bytes.
    at: usize,
    /// Number of lines that end before `at`.
    ended: u64,
}

impl<'b> Lines<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            ended: 0,
        }
    }

    /// Returns the line of the byte at `offset`, from 1.
    pub(crate) fn of(&mut self, offset: usize) -> u64 {
        let offset = offset.min(self.bytes.len());
        if self.at <= offset {
            self.ended += self.ends(self.at, offset);
        } else {
            self.ended -= self.ends(offset, self.at);
        }
        self.at = offset;
        self.ended + 1
    }

    fn ends(&self, from: usize, to: usize) -> u64 {
        let is_end = |at: &usize| match self.bytes.get(*at) {
            Some(b'\n') => true,
            // The CR of a CR LF is not the last byte of its line.
            Some(b'\r') => self.bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        (from..to).filter(is_end).count() as u64
    }
}

/// Returns the finding for a file with too many rows. `line` is the line of the first surplus row.
pub(crate) fn too_many_rows(line: u64, limit: usize) -> Finding {
    Finding::of_row(line, format!("more than {limit} rows; split the file"))
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_counted_forwards_and_backwards() {
        let text = b"a\nbc\r\n\rd\r\n\n";
        let expected = [1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6];
        let offsets = 0..expected.len();
        let mut lines = Lines::new(text);
        let forwards: Vec<u64> = offsets.clone().map(|offset| lines.of(offset)).collect();
        assert_eq!(forwards, expected);
        for from in offsets.clone() {
            for to in offsets.clone() {
                lines.of(from);
                assert_eq!(lines.of(to), expected[to], "{from} {to}");
            }
        }
    }
}
