//! A file of the corpus.

/// A file, and what the decoder must say about it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Facts as JSON. Facts that are not named are not compared; `null` is an absent one.
    pub(crate) facts: &'static str,
    /// Colours of the preview in the middle of its left and right half, as red, green, blue and
    /// alpha; `None` if there are no images.
    pub(crate) colours: Option<[[u8; 4]; 2]>,
}

impl Case {
    pub(super) fn unreadable(name: &'static str, bytes: Vec<u8>, facts: &'static str) -> Self {
        Self::header(name, bytes, facts)
    }

    pub(super) fn header(name: &'static str, bytes: Vec<u8>, facts: &'static str) -> Self {
        Self {
            name,
            bytes,
            facts,
            colours: None,
        }
    }

    pub(super) fn shown(
        name: &'static str,
        bytes: Vec<u8>,
        facts: &'static str,
        colours: [[u8; 4]; 2],
    ) -> Self {
        Self {
            name,
            bytes,
            facts,
            colours: Some(colours),
        }
    }
}

pub(super) const RED: [u8; 4] = [255, 0, 0, 255];
pub(super) const BLUE: [u8; 4] = [0, 0, 255, 255];
pub(super) const WHITE: [u8; 4] = [255, 255, 255, 255];
pub(super) const CLEAR: [u8; 4] = [0, 0, 0, 0];

pub(super) fn joined<const N: usize>(parts: [Vec<Case>; N]) -> Vec<Case> {
    parts.into_iter().flatten().collect()
}
