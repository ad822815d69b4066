//! SVG: shapes, text and images; references, entities and effects without end.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use png::ColorType;

use super::case::{BLUE, CLEAR, Case, RED, joined};
use super::png::plain;

pub(super) fn cases() -> Vec<Case> {
    joined([pictures(), refused()])
}

/// Shapes, text and images.
fn pictures() -> Vec<Case> {
    let shapes = "<rect width='50' height='50' fill='#f00'/><rect x='50' width='50' height='50' fill='#00f'/>";
    vec![
        Case::shown(
            "shapes.svg",
            svg(shapes),
            r#"{"format": "svg", "depth": "full", "width": null, "alpha": null, "blank": false,
                "externalReference": false,
                "svg": {"viewBox": {"width": 100.0, "height": 50.0}, "text": false, "lowestImageScale": null}}"#,
            [RED, BLUE],
        ),
        Case::shown("empty.svg", svg(""), r#"{"blank": true}"#, [CLEAR, CLEAR]),
        Case::shown(
            "text.svg",
            svg("<text x='10' y='20'>Text</text>"),
            r#"{"blank": null, "svg": {"text": true}}"#,
            [CLEAR, CLEAR],
        ),
        Case::shown(
            "image.svg",
            image(),
            r#"{"externalReference": false, "svg": {"lowestImageScale": 0.64, "viewBox": {"width": 100.0}}}"#,
            [RED, BLUE],
        ),
        Case::shown(
            "references.svg",
            svg(&format!(
                "<image href='http://169.254.169.254/latest' width='9' height='9'/>\
                 <image href='file:///etc/passwd' width='9' height='9'/>\
                 <use href='other.svg#a'/>{shapes}"
            )),
            r#"{"depth": "full", "externalReference": true}"#,
            [RED, BLUE],
        ),
    ]
}

/// Entities, nesting and effects without end.
fn refused() -> Vec<Case> {
    vec![
        Case::unreadable(
            "external-entity.svg",
            b"<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>\
              <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><desc>&a;</desc></svg>"
                .to_vec(),
            r#"{"format": "svg", "unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "entities.svg",
            entities(),
            r#"{"format": "svg", "unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "deep.svg",
            svg(&format!(
                "{}{}",
                "<g>".repeat(20_000),
                "</g>".repeat(20_000)
            )),
            r#"{"unreadable": {"reason": "damaged", "detail": "elements are nested more than 128 deep"}}"#,
        ),
        Case::unreadable(
            "turbulence.svg",
            svg(&format!(
                "<filter id='a' x='0' y='0' width='1' height='1'>{}</filter>\
                 <rect width='100' height='50' filter='url(#a)'/>",
                "<feTurbulence baseFrequency='0.1' numOctaves='20'/>".repeat(500)
            )),
            r#"{"unreadable": {"reason": "time", "limit": 2}}"#,
        ),
        Case::unreadable(
            "latin.svg",
            [svg("<desc>")[..].to_vec(), vec![0xe4, 0xf6]].concat(),
            r#"{"unreadable": {"reason": "damaged", "detail": "the file is not encoded as UTF-8"}}"#,
        ),
        Case::unreadable(
            "large.svg",
            [svg(""), vec![b' '; 20_000_000]].concat(),
            r#"{"unreadable": {"reason": "bytes", "limit": 20000000}}"#,
        ),
    ]
}

fn svg(content: &str) -> Vec<u8> {
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100' viewBox='0 0 100 50'>\
         {content}</svg>"
    );
    text.into_bytes()
}

/// A picture of 64 x 32 pixels over all of the view box.
fn image() -> Vec<u8> {
    let png = plain(64, 32, ColorType::Rgb, &[&RED[..3], &BLUE[..3]]);
    let data = STANDARD.encode(png);
    svg(&format!(
        "<image width='100' height='50' href='data:image/png;base64,{data}'/>"
    ))
}

/// Ten entities that name the previous entity ten times.
fn entities() -> Vec<u8> {
    let mut text = String::from("<!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaa'>");
    for level in 1..10 {
        let content = format!("&a{};", level - 1).repeat(10);
        text.push_str(&format!("<!ENTITY a{level} '{content}'>"));
    }
    text.push_str("]><svg xmlns='http://www.w3.org/2000/svg'><desc>&a9;</desc></svg>");
    text.into_bytes()
}
