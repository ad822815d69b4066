//! Values of print files: formats, colour models and the digest of a file's bytes.

use std::fmt;
use std::str::FromStr;

pressline_kit::named! {
    /// Format of a file, recognised by its first bytes, never by its name or media type.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum FileFormat {
        /// Portable Network Graphics, animated ones included.
        Png = "png",
        /// JPEG, with or without JFIF or EXIF.
        Jpeg = "jpeg",
        /// TIFF and BigTIFF.
        Tiff = "tiff",
        /// WebP: lossy, lossless or animated.
        Webp = "webp",
        /// Scalable Vector Graphics, as plain UTF-8.
        Svg = "svg",
        /// PDF. Files of Adobe Illustrator usually contain a PDF and have this format.
        Pdf = "pdf",
        /// Adobe Photoshop, PSD and PSB.
        Psd = "psd",
        /// Adobe Illustrator without a PDF inside.
        Ai = "ai",
        /// Encapsulated PostScript.
        Eps = "eps",
        /// GIF.
        Gif = "gif",
        /// HEIC and HEIF, the photos of phones.
        Heic = "heic",
        /// AVIF.
        Avif = "avif",
        /// CorelDRAW.
        Cdr = "cdr",
        /// A format that is not recognised.
        Other = "other",
    }
}

impl FileFormat {
    /// Returns `true` for formats whose content is a grid of pixels. Only their files have pixels,
    /// bits, alpha and bounds of content.
    pub fn is_raster(self) -> bool {
        matches!(
            self,
            Self::Png
                | Self::Jpeg
                | Self::Tiff
                | Self::Webp
                | Self::Psd
                | Self::Gif
                | Self::Heic
                | Self::Avif
        )
    }
}

pressline_kit::named! {
    /// Colour model of a file's pixels. A palette is a model of its own in the facts of a file.
    #[derive(PartialOrd, Ord)]
    pub enum ColourModel {
        /// Red, green and blue.
        Rgb = "rgb",
        /// Cyan, magenta, yellow and black inks; also YCCK.
        Cmyk = "cmyk",
        /// Shades of gray; also bilevel.
        Gray = "gray",
        /// Indexes into a palette of RGB colours.
        Indexed = "indexed",
        /// CIE L*a*b*.
        Lab = "lab",
    }
}

/// SHA-256 digest of a file's bytes, which names the file. Its text is lower-case hexadecimal.
///
/// ```
/// use pressline_domain::value::FileHash;
///
/// let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// let hash: FileHash = text.parse()?;
/// assert_eq!(hash.to_string(), text);
/// # Ok::<(), pressline_domain::value::InvalidFileHash>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileHash([u8; 32]);

/// Error for a text that is not a SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 digest of 64 hexadecimal digits")]
pub struct InvalidFileHash;

impl FileHash {
    /// Wraps the bytes of a digest.
    pub const fn new(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Returns the bytes of the digest.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

impl FromStr for FileHash {
    type Err = InvalidFileHash;

    fn from_str(text: &str) -> Result<Self, InvalidFileHash> {
        // `from_str_radix` also accepts a sign, which is not a digit.
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(InvalidFileHash);
        }
        let mut digest = [0; 32];
        for (byte, start) in digest.iter_mut().zip((0..).step_by(2)) {
            let pair = text.get(start..start + 2).ok_or(InvalidFileHash)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| InvalidFileHash)?;
        }
        Ok(Self(digest))
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_hexadecimal_digits_are_a_digest() {
        let digits = "0123456789abcdef".repeat(4);
        assert_eq!(digits.parse::<FileHash>().unwrap().to_string(), digits);
        let upper = digits.to_uppercase().parse::<FileHash>().unwrap();
        assert_eq!(upper.to_string(), digits);
        let signed = format!("+{}", &digits[1..]);
        let wide = format!("é{}", &digits[2..]);
        for wrong in ["", &digits[1..], &format!("{digits}0"), &signed, &wide] {
            assert_eq!(wrong.parse::<FileHash>(), Err(InvalidFileHash), "{wrong}");
        }
    }
}
