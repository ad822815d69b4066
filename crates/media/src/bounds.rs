//! Bounds of decoding.

/// Resources that decoding one file may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Memory, in megabytes of 2^20 bytes.
    pub memory_mb: u32,
    /// Processor time, in seconds.
    pub seconds: u32,
    /// Maximum of width x height, in millions of pixels.
    pub megapixels: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            // A progressive JPEG of 120 megapixels takes 412 MB, a WebP of 64 megapixels 440 MB.
            memory_mb: 1024,
            seconds: 30,
            megapixels: 400,
        }
    }
}

impl Bounds {
    /// Returns whether `width` x `height` pixels are permitted.
    pub(crate) fn permit(&self, width: u32, height: u32) -> bool {
        u64::from(width) * u64::from(height) <= u64::from(self.megapixels) * 1_000_000
    }

    /// Arguments of a process, which [`Bounds::from_arguments`] reads.
    pub(crate) fn arguments(&self) -> [String; 3] {
        [self.memory_mb, self.seconds, self.megapixels].map(|bound| bound.to_string())
    }

    pub(crate) fn from_arguments(arguments: &[String]) -> Option<Self> {
        let [memory_mb, seconds, megapixels] = arguments else {
            return None;
        };
        Some(Self {
            memory_mb: memory_mb.parse().ok()?,
            seconds: seconds.parse().ok()?,
            megapixels: megapixels.parse().ok()?,
        })
    }
}
