//! Header of a JPEG: its segments up to the frame, also of kinds that are not decoded.

use std::io::{BufRead, Read, Seek};

use pressline_domain::media::UnreadableReason;

use super::job::damaged;
use crate::profile::PROFILE_BYTES;

/// More segments than a header has: a profile of 4 MiB takes 65.
const SEGMENTS: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) components: u8,
    pub(super) bits: u8,
    pub(super) process: Process,
    pub(super) exif: Option<Vec<u8>>,
    /// Horizontal and vertical density of JFIF, and its unit: 1 for inches, 2 for centimetres.
    pub(super) density: Option<(u16, u16, u16)>,
    /// ICC profile, joined from its segments.
    pub(super) profile: Option<Vec<u8>>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Process {
    Sequential,
    Progressive,
    /// Lossless, hierarchical or with arithmetic coding.
    #[default]
    Other,
}

impl Header {
    /// Reads `file` from its start to the header of the frame.
    ///
    /// # Errors
    /// The file ends before, or has too many segments.
    pub(super) fn read(file: &mut (impl BufRead + Seek)) -> Result<Self, UnreadableReason> {
        let mut header = Self::default();
        let mut profile = Profile::default();
        file.seek_relative(2).map_err(damaged)?;
        for _ in 0..SEGMENTS {
            let marker = marker(file)?;
            let is_alone = matches!(marker, 0x01 | 0xd0..=0xd8);
            if is_alone {
                continue;
            }
            let length = u16::from_be_bytes(bytes(file)?);
            let length = length.checked_sub(2).ok_or_else(ends_early)?;
            match marker {
                // The end, or pixels without a frame.
                0xd9 | 0xda => return Err(damaged("the file has no picture")),
                // All frames; between them are the markers of tables.
                0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                    header.read_frame(marker, &segment(file, length)?)?;
                    header.profile = profile.join();
                    return Ok(header);
                }
                0xe0..=0xe2 => {
                    let content = segment(file, length)?;
                    header.read_application(&content);
                    profile.add(&content);
                }
                _ => file.seek_relative(length.into()).map_err(damaged)?,
            }
        }
        Err(damaged("the header has too many segments"))
    }

    fn read_frame(&mut self, marker: u8, content: &[u8]) -> Result<(), UnreadableReason> {
        let [bits, height @ .., components] = content.first_chunk::<6>().ok_or_else(ends_early)?;
        let [height_high, height_low, width_high, width_low] = *height;
        self.bits = *bits;
        self.height = u16::from_be_bytes([height_high, height_low]);
        self.width = u16::from_be_bytes([width_high, width_low]);
        self.components = *components;
        self.process = match marker {
            0xc0 | 0xc1 => Process::Sequential,
            0xc2 => Process::Progressive,
            _ => Process::Other,
        };
        if self.width == 0 {
            return Err(damaged("the width of the picture is 0"));
        }
        Ok(())
    }

    fn read_application(&mut self, content: &[u8]) {
        if content.starts_with(b"Exif\0\0") && self.exif.is_none() {
            self.exif = Some(content.to_vec());
        }
        // JFIF: version, unit, densities.
        if let Some([_, _, unit, x_high, x_low, y_high, y_low]) = content
            .strip_prefix(b"JFIF\0")
            .and_then(|rest| rest.first_chunk())
        {
            let density = [[*x_high, *x_low], [*y_high, *y_low]].map(u16::from_be_bytes);
            self.density = Some((density[0], density[1], (*unit).into()));
        }
    }
}

/// Parts of an ICC profile, by number.
#[derive(Default)]
struct Profile {
    parts: Vec<(u8, Vec<u8>)>,
    bytes: usize,
}

impl Profile {
    fn add(&mut self, content: &[u8]) {
        let part = content.strip_prefix(b"ICC_PROFILE\0");
        let Some([number, _count, data @ ..]) = part else {
            return;
        };
        // One byte above the limit is kept, so that the profile counts as too large.
        if self.bytes <= PROFILE_BYTES {
            self.bytes += data.len();
            self.parts.push((*number, data.to_vec()));
        }
    }

    fn join(mut self) -> Option<Vec<u8>> {
        self.parts.sort_by_key(|(number, _)| *number);
        let parts: Vec<Vec<u8>> = self.parts.into_iter().map(|(_, data)| data).collect();
        (!parts.is_empty()).then(|| parts.concat())
    }
}

/// Reads up to the next marker. Bytes between segments are skipped, as browsers do.
fn marker(file: &mut impl BufRead) -> Result<u8, UnreadableReason> {
    for _ in 0..SEGMENTS {
        let [byte] = bytes(file)?;
        if byte != 0xff {
            continue;
        }
        let mut code = 0xff;
        // 0xff may be repeated.
        while code == 0xff {
            [code] = bytes(file)?;
        }
        if code != 0 {
            return Ok(code);
        }
    }
    Err(damaged("the header has no end"))
}

fn bytes<const N: usize>(file: &mut impl Read) -> Result<[u8; N], UnreadableReason> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map_err(|_| ends_early())?;
    Ok(bytes)
}

fn segment(file: &mut impl Read, length: u16) -> Result<Vec<u8>, UnreadableReason> {
    let mut content = vec![0; length.into()];
    file.read_exact(&mut content).map_err(|_| ends_early())?;
    Ok(content)
}

fn ends_early() -> UnreadableReason {
    damaged("the file ends in its header")
}
