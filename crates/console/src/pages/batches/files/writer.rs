//! Writer of a ZIP file that is sent while it is written.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use jiff::civil;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// ZIP file with uncompressed entries. The size and checksum of an entry are written after its
/// content, so that the file can be sent while it is written.
pub(super) struct Zip {
    /// `None` once the file is complete.
    writer: Option<ZipWriter<StreamWriter<Buffer>>>,
    buffer: Buffer,
    options: SimpleFileOptions,
}

// Shared with the ZIP writer, which owns its output.
#[derive(Clone, Default)]
struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Zip {
    pub(super) fn new(now: Option<civil::DateTime>) -> Self {
        let buffer = Buffer::default();
        // Print files are already compressed.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .unix_permissions(0o644)
            .last_modified_time(now.and_then(entry_time).unwrap_or_default());
        Self {
            writer: Some(ZipWriter::new_stream(buffer.clone())),
            buffer,
            options,
        }
    }

    pub(super) fn start(&mut self, name: &str) -> io::Result<()> {
        let options = self.options;
        Ok(self.writer()?.start_file(name, options)?)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer()?.write_all(bytes)
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
        }
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.writer.is_none()
    }

    pub(super) fn take(&self) -> Vec<u8> {
        self.buffer.0.take()
    }

    fn writer(&mut self) -> io::Result<&mut ZipWriter<StreamWriter<Buffer>>> {
        let writer = self.writer.as_mut();
        writer.ok_or_else(|| io::Error::other("the ZIP file is complete"))
    }
}

/// Returns `None` before 1980, when ZIP times begin.
fn entry_time(now: civil::DateTime) -> Option<DateTime> {
    let part = |value: i8| u8::try_from(value).ok();
    let year = u16::try_from(now.year()).ok()?;
    let (month, day) = (part(now.month())?, part(now.day())?);
    let (hour, minute, second) = (part(now.hour())?, part(now.minute())?, part(now.second())?);
    DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use zip::ZipArchive;

    use super::*;

    #[test]
    fn what_was_taken_piece_by_piece_is_a_zip_file() {
        let mut zip = Zip::new(Some(civil::date(2026, 11, 21).at(14, 5, 0, 0)));
        let mut sent = Vec::new();
        for name in ["a.png", "b.png"] {
            zip.start(name).unwrap();
            for _ in 0..3 {
                zip.write(name.as_bytes()).unwrap();
                sent.extend(zip.take());
            }
        }
        zip.finish().unwrap();
        sent.extend(zip.take());
        assert!(zip.is_complete() && zip.start("c").is_err());
        let mut read = ZipArchive::new(Cursor::new(sent)).unwrap();
        let mut entry = read.by_name("b.png").unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert_eq!(text, "b.pngb.pngb.png");
        assert_eq!(entry.compression(), CompressionMethod::Stored);
        let modified = entry.last_modified().unwrap();
        assert_eq!((modified.year(), modified.hour()), (2026, 14));
    }
}
