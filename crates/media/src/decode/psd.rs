//! Photoshop: the header only.

use pressline_domain::media::{ColourModel, FileFacts, UnreadableReason};

use super::job::{Job, damaged, set_size};
use crate::image::Picture;

pub(super) fn decode(
    job: &Job<'_>,
    facts: &mut FileFacts,
) -> Result<Option<Picture>, UnreadableReason> {
    // Signature, version, reserved bytes, channels; height, width, bits and mode follow.
    let header = job
        .start
        .get(14..26)
        .and_then(|header| header.first_chunk());
    let header: [u8; 12] = *header.ok_or_else(|| damaged("the file ends in its header"))?;
    let [a, b, c, d, e, f, g, h, _, bits, _, mode] = header;
    facts.bits = Some(bits);
    facts.colour = match mode {
        0 | 1 => Some(ColourModel::Gray),
        2 => Some(ColourModel::Indexed),
        3 => Some(ColourModel::Rgb),
        4 => Some(ColourModel::Cmyk),
        9 => Some(ColourModel::Lab),
        _ => None,
    };
    let height = u32::from_be_bytes([a, b, c, d]);
    let width = u32::from_be_bytes([e, f, g, h]);
    set_size(facts, width, height, job.bounds)?;
    Ok(None)
}
