//! Picture of a PDF page, on white paper.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_syntax::page::Page;
use pressline_backoffice::media::FileImage;
use pressline_domain::media::{FileFacts, FileFormat, FileHash, UnreadableReason};

use super::job::damaged;
use crate::image::{Canvas, Layout, Picture, to_usize};

/// Draws `page` in preview size. Also returns whether it shows one colour only.
pub(super) fn draw<'a>(page: &'a Page<'a>) -> Result<(Picture, bool), UnreadableReason> {
    let (width, height) = page.render_dimensions();
    let side: u16 = FileImage::PREVIEW.try_into().unwrap_or(u16::MAX);
    let scale = f32::from(side) / width.max(height);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(damaged("the size of the page is not usable"));
    }
    // A narrow side has one pixel at least.
    let scale_of = |length: f32| scale.max(1.0 / length);
    let settings = PixmapSettings {
        x_scale: scale_of(width),
        y_scale: scale_of(height),
        bg_color: WHITE,
    };
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &settings,
    );
    let (columns, rows) = (pixmap.width().into(), pixmap.height().into());
    let samples = pixmap.data_as_u8_slice();
    let mut canvas = Canvas::new(columns, rows, Layout::Rgba, FileImage::PREVIEW);
    let row = to_usize(columns) * Layout::Rgba.channels();
    for (y, samples) in (0..rows).zip(samples.chunks(row.max(1))) {
        canvas.add_row(y, 0, 1, samples);
    }
    let mut drawn = FileFacts::new(FileFormat::Pdf, 0, FileHash::new([0; 32]));
    let picture = canvas.finish(&mut drawn, None);
    Ok((picture, drawn.blank == Some(true)))
}
