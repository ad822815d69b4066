//! PDF: the facts of its first page, and with the feature `pdf` a picture of it.

use std::io::Read;

use hayro_syntax::object::Rect;
use hayro_syntax::page::{Page, Rotation};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfVersion};
use pressline_domain::media::{BoxSize, FileFacts, PdfFacts, UnreadableReason};

use super::job::{Job, damaged};
use super::pdf_content::PageContent;
use crate::image::Picture;

/// Maximum size of a file, in bytes; it is in memory as a whole.
const BYTES: u64 = 100_000_000;
const POINTS_PER_INCH: f64 = 72.0;
const MM_PER_INCH: f64 = 25.4;

pub(super) fn decode(
    mut job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    if facts.bytes > BYTES {
        return Err(UnreadableReason::Bytes { limit: BYTES });
    }
    let mut data = Vec::new();
    job.file.read_to_end(&mut data).map_err(damaged)?;
    let encrypted = is_encrypted(&data);
    // A file without a password opens also if it is encrypted.
    let pdf = Pdf::new(data).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            UnreadableReason::PasswordRequired
        }
        LoadPdfError::Decryption(_) => damaged("the encryption is not supported"),
        LoadPdfError::Invalid => damaged("the structure of the PDF is invalid"),
    })?;
    facts.pages = u32::try_from(pdf.pages().len()).ok();
    let Some(page) = pdf.pages().first() else {
        return Err(damaged("the PDF has no pages"));
    };
    let unit = user_unit(page);
    let content = PageContent::of(page, unit * POINTS_PER_INCH.recip());
    facts.external_reference = Some(super::pdf_content::names_files(&pdf));
    let size = |area: Rect| box_size(area, page, unit);
    let stated = |key: &str| page.raw().get::<Rect>(key).map(size);
    facts.pdf = Some(PdfFacts {
        media_box: size(page.media_box()),
        trim_box: stated("TrimBox").filter(is_usable),
        bleed_box: stated("BleedBox").filter(is_usable),
        fonts_embedded: content.fonts_embedded,
        lowest_image_dpi: content.lowest_image_dpi,
        encrypted,
        version: Some(version(pdf.version()).to_owned()),
    });
    picture(page, content.fonts_embedded, facts)
}

#[cfg(not(feature = "pdf"))]
fn picture(
    _page: &Page<'_>,
    _fonts_embedded: Option<bool>,
    _facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    Ok(None)
}

#[cfg(feature = "pdf")]
fn picture<'a>(
    page: &'a Page<'a>,
    fonts_embedded: Option<bool>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    let (picture, is_blank) = super::pdf_picture::draw(page)?;
    // Text in fonts that are not embedded is not drawn, so that the page can look blank.
    facts.blank = (fonts_embedded == Some(true)).then_some(is_blank);
    super::job::complete(facts, picture)
}

/// Looks for the key `Encrypt` of a trailer, which is never compressed.
fn is_encrypted(data: &[u8]) -> bool {
    let key = b"/Encrypt";
    let mut places = data.windows(key.len() + 1);
    places.any(|bytes| {
        let end = bytes.last().copied().unwrap_or_default();
        bytes.starts_with(key) && (end.is_ascii_whitespace() || end == b'<')
    })
}

/// Size of the page's unit, in points.
fn user_unit(page: &Page<'_>) -> f64 {
    let unit = page.raw().get::<f64>("UserUnit");
    unit.filter(|unit| unit.is_finite() && *unit > 0.0)
        .unwrap_or(1.0)
}

/// Returns the size of `area` in millimetres, as the page is shown.
fn box_size(area: Rect, page: &Page<'_>, unit: f64) -> BoxSize {
    let millimetres = |length: f64| {
        let exact = length.abs() * unit / POINTS_PER_INCH * MM_PER_INCH;
        (exact * 1000.0).round() / 1000.0
    };
    let (width, height) = (millimetres(area.width()), millimetres(area.height()));
    match page.rotation() {
        Rotation::None | Rotation::Flipped => BoxSize { width, height },
        Rotation::Horizontal | Rotation::FlippedHorizontal => BoxSize {
            width: height,
            height: width,
        },
    }
}

fn is_usable(size: &BoxSize) -> bool {
    size.width > 0.0 && size.height > 0.0
}

fn version(version: PdfVersion) -> &'static str {
    match version {
        PdfVersion::Pdf10 => "1.0",
        PdfVersion::Pdf11 => "1.1",
        PdfVersion::Pdf12 => "1.2",
        PdfVersion::Pdf13 => "1.3",
        PdfVersion::Pdf14 => "1.4",
        PdfVersion::Pdf15 => "1.5",
        PdfVersion::Pdf16 => "1.6",
        PdfVersion::Pdf17 => "1.7",
        PdfVersion::Pdf20 => "2.0",
    }
}
