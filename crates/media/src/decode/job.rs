//! The file that a decoder reads, and what all decoders do with facts.

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;

use pressline_domain::media::{Depth, FileFacts, UnreadableReason};

use crate::bounds::Bounds;
use crate::image::Picture;
use crate::profile::Profile;

/// Maximum length of a decoder's message, in characters.
const DETAIL: usize = 200;

/// A file to read.
pub(crate) struct Job<'a> {
    pub(crate) file: BufReader<File>,
    /// First bytes of the file.
    pub(crate) start: &'a [u8],
    pub(crate) bounds: &'a Bounds,
}

/// Returns the reason for a file whose content is wrong, with the message of its decoder.
pub(super) fn damaged(error: impl Display) -> UnreadableReason {
    let detail = error.to_string().chars().take(DETAIL).collect();
    UnreadableReason::Damaged { detail }
}

/// Records the size of the stored pixels as it is after they were turned upright. Refuses too many
/// pixels, so call it before any are read.
pub(super) fn set_size(
    facts: &mut FileFacts,
    width: u32,
    height: u32,
    bounds: &Bounds,
) -> Result<(), UnreadableReason> {
    let is_turned = matches!(facts.orientation, Some(5..=8));
    let (upright_width, upright_height) = match is_turned {
        true => (height, width),
        false => (width, height),
    };
    facts.width = Some(upright_width);
    facts.height = Some(upright_height);
    if bounds.permit(width, height) {
        return Ok(());
    }
    let limit = bounds.megapixels;
    Err(UnreadableReason::Megapixels { limit })
}

/// Records the name of the profile in `data`, and returns the profile; `None` if it is damaged.
pub(super) fn set_profile(facts: &mut FileFacts, data: Option<&[u8]>) -> Option<Profile> {
    let profile = data.and_then(Profile::read);
    let name = profile.as_ref().map(Profile::name);
    facts.icc_profile = data.map(|_| name.unwrap_or_default());
    profile
}

/// Returns `picture` of a file whose pixels were all read.
pub(super) fn complete(
    facts: &mut FileFacts,
    picture: Picture,
) -> Result<Option<Picture>, UnreadableReason> {
    facts.depth = Depth::Full;
    Ok(Some(picture))
}
