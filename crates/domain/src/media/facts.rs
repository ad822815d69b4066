//! Facts of a file: properties of its bytes.

use crate::value::{ColourModel, FileFormat, FileHash};

/// Properties of a file's bytes, independent of print areas.
///
/// A decoder fills in the facts that it can determine. A fact that does not apply to the format, or
/// that the decoder did not determine, is `None`, and is absent in the serialised form. Numbers
/// must be finite: JSON has no other.
///
/// ```
/// use pressline_domain::media::{Depth, FileFacts, FileFormat, FileHash};
///
/// let mut facts = FileFacts::new(FileFormat::Png, 812_345, FileHash::new([7; 32]));
/// facts.width = Some(1200);
/// facts.height = Some(1400);
/// assert_eq!(facts.depth, Depth::Header);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct FileFacts {
    /// Version of the facts, [`FileFacts::VERSION`] if they are new. Facts of a lower version can
    /// lack values that a later decoder determines.
    pub facts_version: u32,
    /// Format, by the file's content.
    pub format: FileFormat,
    /// Size of the file, in bytes.
    pub bytes: u64,
    /// Digest of the file's bytes.
    pub sha256: FileHash,
    /// How much of the file was read.
    pub depth: Depth,
    /// Reason why the file cannot be used; `None` if it can. Other facts may then be missing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub unreadable: Option<UnreadableReason>,
    /// Width in pixels after `orientation` was applied. Raster formats only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width: Option<u32>,
    /// Height in pixels after `orientation` was applied. Raster formats only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub height: Option<u32>,
    /// Orientation of EXIF, 1 to 8.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub orientation: Option<u8>,
    /// Number of pages or, if `animated`, of frames.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub pages: Option<u32>,
    /// Whether the file is an animation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub animated: Option<bool>,
    /// Colour model of the pixels.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub colour: Option<ColourModel>,
    /// Description in the embedded ICC profile, up to [`FileFacts::PROFILE_NAME`] characters; empty
    /// if the profile has none, `None` if the file has no profile.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub icc_profile: Option<String>,
    /// Bits of each channel of a pixel.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bits: Option<u8>,
    /// Transparency of the pixels.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub alpha: Option<Alpha>,
    /// Smallest rectangle with all pixels that are not transparent; `None` if there are none, or if
    /// the pixels were not read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub content: Option<PixelBounds>,
    /// Whether all pixels are transparent, or have one colour (with a tolerance of 2 of 255);
    /// `None` if the pixels were not read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub blank: Option<bool>,
    /// Resolution that the file states, in pixels per inch; the lower one if width and height have
    /// different ones.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub embedded_dpi: Option<f64>,
    /// Whether the file names files elsewhere, which are never loaded. SVG and PDF only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub external_reference: Option<bool>,
    /// Facts that only a PDF has.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub pdf: Option<PdfFacts>,
    /// Facts that only an SVG has.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub svg: Option<SvgFacts>,
}

impl FileFacts {
    /// Version of facts that are determined today.
    pub const VERSION: u32 = 1;
    /// Maximum length of `icc_profile`, in characters.
    pub const PROFILE_NAME: usize = 80;

    /// Returns facts with only these values: `depth` is
    /// [`Depth::Header`], the optional facts are `None`.
    pub fn new(format: FileFormat, bytes: u64, sha256: FileHash) -> Self {
        Self {
            facts_version: Self::VERSION,
            format,
            bytes,
            sha256,
            depth: Depth::Header,
            unreadable: None,
            width: None,
            height: None,
            orientation: None,
            pages: None,
            animated: None,
            colour: None,
            icc_profile: None,
            bits: None,
            alpha: None,
            content: None,
            blank: None,
            embedded_dpi: None,
            external_reference: None,
            pdf: None,
            svg: None,
        }
    }
}

pressline_kit::named! {
    /// How much of a file was read.
    pub enum Depth {
        /// Pixels, or all objects of the first page.
        Full = "full",
        /// Only the header or the first bytes. Facts about pixels are `None`.
        Header = "header",
    }
}

pressline_kit::named! {
    /// Transparency of a file's pixels.
    pub enum Alpha {
        /// The file has no alpha channel and no transparent colour.
        None = "none",
        /// The file has an alpha channel, and all pixels are opaque.
        Unused = "unused",
        /// At least one pixel is transparent.
        Used = "used",
    }
}

/// Reason why a decoder cannot read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "reason", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum UnreadableReason {
    /// The decoder refused the content.
    Damaged {
        /// The decoder's description of the problem, such as `line 3: invalid attribute`.
        detail: String,
    },
    /// The file can only be opened with a password.
    PasswordRequired,
    /// The file has more pixels than are decoded.
    Megapixels {
        /// Maximum of width x height, in megapixels.
        limit: u32,
    },
    /// A file of this format is larger than is decoded.
    Bytes {
        /// Maximum size of a file of this format, in bytes.
        limit: u64,
    },
    /// Decoding needs more memory than it may use.
    Memory {
        /// Maximum memory, in megabytes.
        limit: u32,
    },
    /// Decoding takes longer than it may.
    Time {
        /// Maximum time, in seconds.
        limit: u32,
    },
    /// The decoder ended without an answer.
    Crashed,
}

/// Rectangle of pixels in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PixelBounds {
    /// Distance from the left edge, in pixels.
    pub x: u32,
    /// Distance from the upper edge, in pixels.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Size of a box. A PDF's is in millimetres, an SVG's in its user units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxSize {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Facts of a PDF. Its boxes are measured on the first page as shown, after its rotation and with
/// its user unit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct PdfFacts {
    /// Size of the media box, in millimetres.
    pub media_box: BoxSize,
    /// Size of the trim box, in millimetres; `None` if the page has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub trim_box: Option<BoxSize>,
    /// Size of the bleed box, in millimetres; `None` if the page has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bleed_box: Option<BoxSize>,
    /// Whether all fonts that text of the first page is shown with are embedded; also true without
    /// text. `None` if the page's text was not read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub fonts_embedded: Option<bool>,
    /// Lowest resolution of an image on the first page in the size in which the page shows it, in
    /// pixels per inch; `None` without images.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lowest_image_dpi: Option<f64>,
    /// Whether the file is encrypted, and opens without a password.
    pub encrypted: bool,
    /// Version of the PDF format, such as `1.7`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub version: Option<String>,
}

/// Facts of an SVG.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct SvgFacts {
    /// Size of the view box, else `width` and `height` of the picture, in user units; `None` if it
    /// states neither.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub view_box: Option<BoxSize>,
    /// Whether the picture contains text that is not converted to outlines.
    pub text: bool,
    /// Lowest resolution of an embedded image in the size in which the picture shows it, in pixels
    /// per user unit; `None` without images.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lowest_image_scale: Option<f64>,
}
