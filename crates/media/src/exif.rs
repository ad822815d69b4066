//! The values of EXIF metadata that matter for printing.

/// Values of the first directory of EXIF metadata.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Exif {
    /// Orientation, 1 to 8.
    pub(crate) orientation: Option<u8>,
    /// The lower one of the horizontal and vertical resolution, in pixels per inch.
    pub(crate) dpi: Option<f64>,
}

const ORIENTATION: u16 = 0x0112;
const X_RESOLUTION: u16 = 0x011a;
const Y_RESOLUTION: u16 = 0x011b;
const RESOLUTION_UNIT: u16 = 0x0128;
/// More entries than any camera writes.
const ENTRIES: u16 = 512;

impl Exif {
    /// Reads `data`, which begins with the header of a TIFF file. Values that are missing or out of
    /// range are `None`: damaged metadata does not make a file unreadable.
    pub(crate) fn read(data: &[u8]) -> Self {
        let data = data.strip_prefix(b"Exif\0\0").unwrap_or(data);
        Self::directory(data).unwrap_or_default()
    }

    fn directory(data: &[u8]) -> Option<Self> {
        let little = match data.get(..4)? {
            b"II*\0" => true,
            b"MM\0*" => false,
            _ => return None,
        };
        let data = Bytes { data, little };
        let start = usize::try_from(data.u32(4)?).ok()?;
        let count = data.u16(start)?.min(ENTRIES);
        let mut exif = Self::default();
        let (mut horizontal, mut vertical, mut unit) = (None, None, 2);
        for index in 0..usize::from(count) {
            let entry = start.checked_add(2 + index * 12)?;
            let value = entry.checked_add(8)?;
            match data.u16(entry)? {
                ORIENTATION => exif.orientation = u8::try_from(data.u16(value)?).ok(),
                X_RESOLUTION => horizontal = data.rational(value),
                Y_RESOLUTION => vertical = data.rational(value),
                RESOLUTION_UNIT => unit = data.u16(value)?,
                _ => {}
            }
        }
        exif.orientation = exif.orientation.filter(|value| (1..=8).contains(value));
        exif.dpi = dpi(horizontal, vertical, unit);
        Some(exif)
    }
}

/// Returns the lower resolution in pixels per inch; `unit` is 2 for inches and 3 for centimetres.
pub(crate) fn dpi(horizontal: Option<f64>, vertical: Option<f64>, unit: u16) -> Option<f64> {
    let factor = match unit {
        2 => 1.0,
        3 => 2.54,
        _ => return None,
    };
    let horizontal = horizontal?;
    let lower = horizontal.min(vertical.unwrap_or(horizontal)) * factor;
    // Less than 1 is what programs write that know no resolution.
    (lower.is_finite() && lower >= 1.0).then_some((lower * 100.0).round() / 100.0)
}

struct Bytes<'a> {
    data: &'a [u8],
    little: bool,
}

impl Bytes<'_> {
    fn u16(&self, at: usize) -> Option<u16> {
        let bytes = *self.data.get(at..)?.first_chunk()?;
        Some(match self.little {
            true => u16::from_le_bytes(bytes),
            false => u16::from_be_bytes(bytes),
        })
    }

    fn u32(&self, at: usize) -> Option<u32> {
        let bytes = *self.data.get(at..)?.first_chunk()?;
        Some(match self.little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        })
    }

    /// Reads the offset at `at`, and the fraction there.
    fn rational(&self, at: usize) -> Option<f64> {
        let offset = usize::try_from(self.u32(at)?).ok()?;
        let numerator = self.u32(offset)?;
        let denominator = self.u32(offset.checked_add(4)?)?;
        (denominator != 0).then(|| f64::from(numerator) / f64::from(denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orientation 6 and 300 dpi, big-endian.
    const CAMERA: &[u8] = b"Exif\0\0MM\0*\0\0\0\x08\0\x03\
        \x01\x12\0\x03\0\0\0\x01\0\x06\0\0\
        \x01\x1a\0\x05\0\0\0\x01\0\0\0\x32\
        \x01\x28\0\x03\0\0\0\x01\0\x02\0\0\
        \0\0\0\0\0\0\x01\x2c\0\0\0\x01";

    #[test]
    fn orientation_and_resolution_are_read() {
        let exif = Exif::read(CAMERA);
        assert_eq!((exif.orientation, exif.dpi), (Some(6), Some(300.0)));
    }

    #[test]
    fn damaged_metadata_has_no_values() {
        for length in 0..CAMERA.len() {
            let exif = Exif::read(&CAMERA[..length]);
            assert!(exif.dpi.is_none(), "{length}");
        }
        assert_eq!(Exif::read(b"II*\0\xff\xff\xff\xff"), Exif::default());
    }

    #[test]
    fn centimetres_become_inches_and_nonsense_becomes_nothing() {
        assert_eq!(dpi(Some(118.11), Some(200.0), 3), Some(300.0));
        assert_eq!(dpi(Some(0.5), None, 2), None);
        assert_eq!(dpi(Some(300.0), None, 1), None);
    }
}
