//! Answer of the child process to its parent: parts of a tag, a length and content.

use std::io::{self, Write};

use pressline_backoffice::media::{Decoded, FileImage, ImageFormat};
use pressline_domain::media::FileFacts;

/// Maximum size of an answer, in bytes: both images, and facts with room to spare.
pub(crate) const ANSWER_BYTES: usize =
    FileImage::PREVIEW_BYTES + FileImage::THUMBNAIL_BYTES + 100_000;

/// Names of limits that are not in force, as JSON.
const LIMITS: u8 = b'L';
/// Facts, as JSON. Later facts replace earlier facts.
const FACTS: u8 = b'F';
const THUMBNAIL: u8 = b'T';
const PREVIEW: u8 = b'P';
/// Last part, without content. An answer without it is incomplete.
const END: u8 = b'E';

/// Writes an answer part by part, so that the parent knows the first facts of a file even if the
/// child dies.
pub(crate) struct AnswerWriter<W>(pub(crate) W);

impl<W: Write> AnswerWriter<W> {
    pub(crate) fn limits(&mut self, missing: &[String]) -> io::Result<()> {
        self.part(LIMITS, &serde_json::to_vec(missing)?)
    }

    pub(crate) fn facts(&mut self, facts: &FileFacts) -> io::Result<()> {
        self.part(FACTS, &serde_json::to_vec(facts)?)
    }

    pub(crate) fn thumbnail(&mut self, image: &FileImage) -> io::Result<()> {
        self.image(THUMBNAIL, image)
    }

    pub(crate) fn preview(&mut self, image: &FileImage) -> io::Result<()> {
        self.image(PREVIEW, image)
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.part(END, &[])?;
        self.0.flush()
    }

    fn image(&mut self, tag: u8, image: &FileImage) -> io::Result<()> {
        let format = match image.format {
            ImageFormat::Png => b'p',
            ImageFormat::Jpeg => b'j',
        };
        let content = [&[format], image.bytes.as_slice()].concat();
        self.part(tag, &content)
    }

    fn part(&mut self, tag: u8, content: &[u8]) -> io::Result<()> {
        let length = u32::try_from(content.len()).map_err(io::Error::other)?;
        self.0.write_all(&[tag])?;
        self.0.write_all(&length.to_be_bytes())?;
        self.0.write_all(content)
    }
}

/// Parts that arrived. The child has read a hostile file, so nothing of them is trusted.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) facts: Option<FileFacts>,
    pub(crate) is_complete: bool,
    missing_limits: Vec<String>,
    thumbnail: Option<FileImage>,
    preview: Option<FileImage>,
}

impl Answer {
    /// Reads as many parts of `bytes` as are whole.
    pub(crate) fn read(mut bytes: &[u8]) -> Self {
        let mut answer = Self::default();
        while let Some((tag, content, rest)) = part(bytes) {
            bytes = rest;
            match tag {
                LIMITS => {
                    answer.missing_limits = serde_json::from_slice(content).unwrap_or_default()
                }
                FACTS => answer.facts = serde_json::from_slice(content).ok(),
                THUMBNAIL => answer.thumbnail = image(content, FileImage::THUMBNAIL_BYTES),
                PREVIEW => answer.preview = image(content, FileImage::PREVIEW_BYTES),
                END => answer.is_complete = true,
                _ => break,
            }
        }
        answer
    }

    /// Returns the result with `facts` in place of the answer's facts. There are no images if the
    /// file is unreadable.
    pub(crate) fn into_decoded(self, facts: FileFacts) -> Decoded {
        let shows = facts.unreadable.is_none();
        Decoded {
            facts,
            thumbnail: self.thumbnail.filter(|_| shows),
            preview: self.preview.filter(|_| shows),
            missing_limits: self.missing_limits,
        }
    }
}

fn part(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, bytes) = bytes.split_first()?;
    let (length, bytes) = bytes.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (content, rest) = bytes.split_at_checked(length)?;
    Some((*tag, content, rest))
}

fn image(content: &[u8], limit: usize) -> Option<FileImage> {
    let (format, bytes) = content.split_first()?;
    let format = match format {
        b'p' => ImageFormat::Png,
        b'j' => ImageFormat::Jpeg,
        _ => return None,
    };
    let bytes = bytes.to_vec();
    (bytes.len() <= limit).then_some(FileImage { format, bytes })
}

#[cfg(test)]
mod tests {
    use pressline_domain::media::{FileFormat, FileHash};

    use super::*;

    #[test]
    fn an_answer_that_ends_early_keeps_its_whole_parts() {
        let facts = FileFacts::new(FileFormat::Png, 7, FileHash::new([1; 32]));
        let image = FileImage {
            format: ImageFormat::Jpeg,
            bytes: vec![1, 2, 3],
        };
        let mut writer = AnswerWriter(Vec::new());
        writer.limits(&["landlock".to_owned()]).unwrap();
        writer.facts(&facts).unwrap();
        let facts_end = writer.0.len();
        writer.preview(&image).unwrap();
        writer.end().unwrap();
        let bytes = writer.0;

        let whole = Answer::read(&bytes);
        assert!(whole.is_complete);
        let decoded = whole.into_decoded(facts.clone());
        assert_eq!(decoded.preview, Some(image));
        assert_eq!(decoded.missing_limits, ["landlock"]);
        for length in 0..bytes.len() {
            let answer = Answer::read(&bytes[..length]);
            assert!(!answer.is_complete, "{length}");
            assert_eq!(answer.facts.is_some(), length >= facts_end, "{length}");
        }
        // A length that lies.
        assert!(Answer::read(b"F\xff\xff\xff\xff{}").facts.is_none());
    }
}
