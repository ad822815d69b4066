//! Writer of bits, for entropy-coded data.

#[derive(Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    current: u32,
    count: u32,
}

impl Bits {
    /// Writes the lowest `length` bits of `value`, highest first. A byte of ones is followed by a
    /// zero, as JPEG demands.
    pub(super) fn write(&mut self, value: u32, length: u32) {
        for place in (0..length).rev() {
            self.current = self.current << 1 | (value >> place & 1);
            self.count += 1;
            if self.count == 8 {
                let byte = u8::try_from(self.current).unwrap();
                self.bytes.push(byte);
                if byte == 0xff {
                    self.bytes.push(0);
                }
                (self.current, self.count) = (0, 0);
            }
        }
    }

    /// Fills the last byte with ones.
    pub(super) fn finish(mut self) -> Vec<u8> {
        while self.count > 0 {
            self.write(1, 1);
        }
        self.bytes
    }
}
