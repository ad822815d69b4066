//! Print files of all formats, good and hostile ones, made by this code.

mod bits;
mod case;

mod png;

mod jpeg;
mod others;
mod pdf;
mod svg;
mod webp;

mod tiff;

pub(crate) use case::Case;
use case::joined;
pub(crate) use webp::claim as claim_webp;

pub(crate) fn cases() -> Vec<Case> {
    joined([
        png::cases(),
        jpeg::cases(),
        tiff::cases(),
        webp::cases(),
        svg::cases(),
        pdf::cases(),
        others::cases(),
    ])
}
