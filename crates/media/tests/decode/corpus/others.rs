//! Formats with recognised first bytes, and other files.

use super::case::{Case, RED};

pub(super) fn cases() -> Vec<Case> {
    let polyglot = [
        super::png::plain(8, 8, png::ColorType::Rgb, &[&RED[..3]]),
        b"<html><script>".to_vec(),
    ];
    vec![
        Case::header(
            "empty",
            Vec::new(),
            r#"{"format": "other", "bytes": 0, "depth": "header"}"#,
        ),
        Case::header(
            "page.html",
            b"<!doctype html><html><body><svg></svg></body></html>".to_vec(),
            r#"{"format": "other", "unreadable": null}"#,
        ),
        Case::shown(
            "polyglot.png",
            polyglot.concat(),
            r#"{"format": "png", "depth": "full"}"#,
            [RED, RED],
        ),
        Case::header(
            "poster.psd",
            b"8BPS\0\x01\0\0\0\0\0\0\0\x04\0\0\0\x20\0\0\0\x40\0\x08\0\x04".to_vec(),
            r#"{"format": "psd", "width": 64, "height": 32, "bits": 8, "colour": "cmyk", "unreadable": null}"#,
        ),
        Case::unreadable(
            "short.psd",
            b"8BPS\0\x01\0\0".to_vec(),
            r#"{"format": "psd", "unreadable": {"reason": "damaged"}}"#,
        ),
        Case::header(
            "photo.heic",
            b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(),
            r#"{"format": "heic", "depth": "header", "unreadable": null}"#,
        ),
        Case::header(
            "photo.avif",
            b"\0\0\0\x1cftypavif\0\0\0\0".to_vec(),
            r#"{"format": "avif"}"#,
        ),
        Case::header(
            "moving.gif",
            b"GIF89a\x01\0\x01\0".to_vec(),
            r#"{"format": "gif"}"#,
        ),
        Case::header(
            "logo.eps",
            b"%!PS-Adobe-3.0 EPSF-3.0\n".to_vec(),
            r#"{"format": "eps"}"#,
        ),
    ]
}
