//! SVG: drawn in preview size, without fonts, files or network.

use std::io::Read;

use pressline_backoffice::media::FileImage;
use pressline_domain::media::{
    BoxSize, FileFacts, FileFormat, FileHash, SvgFacts, UnreadableReason,
};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, ParsingOptions};
use resvg::usvg::{Group, ImageHrefResolver, Node, Options, Tree};

use super::job::{Job, complete, damaged};
use super::svg_content::SvgContent;
use crate::image::{Canvas, Layout, Picture, to_usize};

/// Maximum size of a file, in bytes.
const BYTES: u64 = 20_000_000;
/// Maximum number of elements, texts and comments.
const NODES: u32 = 1_000_000;

pub(super) fn decode(
    mut job: Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    if facts.bytes > BYTES {
        return Err(UnreadableReason::Bytes { limit: BYTES });
    }
    let mut text = String::new();
    let read = job.file.read_to_string(&mut text);
    read.map_err(|_| damaged("the file is not encoded as UTF-8"))?;
    let options = ParsingOptions {
        // Declared entities are expanded, within the bounds of the parser; files are not read.
        allow_dtd: true,
        nodes_limit: NODES,
        ..ParsingOptions::default()
    };
    let text = text.trim_start_matches('\u{feff}');
    let document = Document::parse_with_options(text, options).map_err(damaged)?;
    let content = SvgContent::of(&document)?;
    facts.external_reference = Some(content.has_external_reference);
    facts.svg = Some(SvgFacts {
        view_box: content.view_box,
        text: content.has_text,
        lowest_image_scale: None,
    });
    let tree = Tree::from_xmltree(&document, &offline()).map_err(damaged)?;
    let size = BoxSize {
        width: tree.size().width().into(),
        height: tree.size().height().into(),
    };
    let view_box = content.view_box.or(content.has_size.then_some(size));
    // Images are measured in the picture's size; the view box may have other units.
    let units = view_box.map_or(1.0, |view_box| size.width / view_box.width);
    let lowest = lowest_image_scale(tree.root()).map(|scale| scale * units);
    // Rounded, because the transformation has the precision of 32 bits.
    let rounded = lowest.map(|scale| (scale * 10_000.0).round() / 10_000.0);
    facts.svg = Some(SvgFacts {
        view_box,
        text: content.has_text,
        lowest_image_scale: rounded.filter(|scale| scale.is_finite()),
    });
    let (picture, is_blank) = draw(&tree)?;
    // Text is not drawn, so that a file with nothing else looks blank.
    facts.blank = (!content.has_text).then_some(is_blank);
    complete(facts, picture)
}

/// Options under which only images inside of the file are drawn.
fn offline() -> Options<'static> {
    Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: ImageHrefResolver::default_data_resolver(),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
}

fn draw(tree: &Tree) -> Result<(Picture, bool), UnreadableReason> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let side: u16 = FileImage::PREVIEW.try_into().unwrap_or(u16::MAX);
    let scale = f32::from(side) / width.max(height);
    let (columns, rows) = (pixels(width * scale), pixels(height * scale));
    let pixmap = Pixmap::new(columns, rows);
    let mut pixmap = pixmap.ok_or_else(|| damaged("the size of the picture is not usable"))?;
    let scaled = Transform::from_scale(scale, scale);
    resvg::render(tree, scaled, &mut pixmap.as_mut());
    let samples = pixmap.take_demultiplied();
    let mut canvas = Canvas::new(columns, rows, Layout::Rgba, FileImage::PREVIEW);
    let row = to_usize(columns) * Layout::Rgba.channels();
    for (y, samples) in (0..rows).zip(samples.chunks(row)) {
        canvas.add_row(y, 0, 1, samples);
    }
    // Other facts about pixels do not apply to vector files.
    let mut drawn = FileFacts::new(FileFormat::Svg, 0, FileHash::new([0; 32]));
    let picture = canvas.finish(&mut drawn, None);
    Ok((picture, drawn.blank == Some(true)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the longer side is 1,600"
)]
fn pixels(length: f32) -> u32 {
    (length.round() as u32).clamp(1, FileImage::PREVIEW)
}

/// Returns the pixels of the coarsest embedded image for each unit of the drawn size.
fn lowest_image_scale(group: &Group) -> Option<f64> {
    let mut lowest: Option<f64> = None;
    let mut groups = vec![group];
    while let Some(group) = groups.pop() {
        for node in group.children() {
            match node {
                Node::Group(group) => groups.push(group),
                Node::Image(image) => {
                    let transform = image.abs_transform();
                    // Size of one pixel along both of its sides.
                    let across = transform.sx.hypot(transform.ky);
                    let down = transform.kx.hypot(transform.sy);
                    let scale = 1.0 / f64::from(across.max(down));
                    if scale.is_finite() && lowest.is_none_or(|lowest| scale < lowest) {
                        lowest = Some(scale);
                    }
                }
                Node::Path(_) | Node::Text(_) => {}
            }
        }
    }
    lowest
}
