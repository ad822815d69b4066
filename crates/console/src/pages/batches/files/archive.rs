//! Print files of a batch, fetched one after the other while the archive is sent.

use std::io;
use std::sync::Arc;
use std::vec;

use actix_web::web::Bytes;
use pressline_backoffice::file_source::{FetchError, FileReader, FileSource};
use pressline_backoffice::production::{BatchView, PrintFile};
use tokio::sync::OwnedSemaphorePermit;

use super::report::{Entry, Report};
use super::writer::Zip;

/// ZIP archive of a batch's print files, sent in pieces. At most one piece of a single file is in
/// memory.
pub(super) struct Archive {
    source: Arc<dyn FileSource>,
    waiting: vec::IntoIter<PrintFile>,
    current: Option<Current>,
    report: Report,
    zip: Zip,
    /// Permit of the limit on concurrent downloads, released when the archive is sent or dropped.
    _permit: OwnedSemaphorePermit,
}

struct Current {
    file: PrintFile,
    name: String,
    size: u64,
    reader: Box<dyn FileReader>,
}

impl Archive {
    pub(super) fn new(
        batch: &BatchView,
        zip: Zip,
        source: Arc<dyn FileSource>,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            source,
            waiting: batch.print_files().into_iter(),
            current: None,
            report: Report::of(batch),
            zip,
            _permit: permit,
        }
    }

    pub(super) async fn next(mut self) -> Option<(io::Result<Bytes>, Self)> {
        loop {
            let bytes = self.zip.take();
            if !bytes.is_empty() {
                return Some((Ok(bytes.into()), self));
            }
            if self.zip.is_complete() {
                return None;
            }
            if let Err(error) = self.step().await {
                return Some((Err(error), self));
            }
        }
    }

    async fn step(&mut self) -> io::Result<()> {
        if let Some(current) = self.current.take() {
            return self.go_on(current).await;
        }
        match self.waiting.next() {
            Some(file) => self.begin(file).await,
            None => self.finish(),
        }
    }

    /// Fetches only the first piece. If the fetch fails, only the archive's report mentions `file`.
    async fn begin(&mut self, file: PrintFile) -> io::Result<()> {
        // Fetched before the entry begins, so that a missing file leaves no entry.
        let (reader, first) = match first_piece(&*self.source, &file.url).await {
            Ok(begun) => begun,
            Err(error) => {
                self.report.note(file, (None, Some(error)));
                return Ok(());
            }
        };
        let name = file.name(reader.media_type());
        self.zip.start(&name)?;
        let current = Current {
            file,
            name,
            size: 0,
            reader,
        };
        self.write(current, &first)
    }

    /// Reports a file that fails midway as incomplete, because its beginning is already sent.
    async fn go_on(&mut self, mut current: Current) -> io::Result<()> {
        let error = match current.reader.next().await {
            Ok(Some(piece)) => return self.write(current, &piece),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        let Current {
            file, name, size, ..
        } = current;
        let entry = Entry { name, size };
        self.report.note(file, (Some(entry), error));
        Ok(())
    }

    fn write(&mut self, mut current: Current, piece: &[u8]) -> io::Result<()> {
        self.zip.write(piece)?;
        current.size += u64::try_from(piece.len()).unwrap_or_default();
        self.current = Some(current);
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        // Last, because only now it is known which files are missing or incomplete.
        self.zip.start("manifest.csv")?;
        self.zip.write(&self.report.manifest()?)?;
        self.zip.start("missing.txt")?;
        self.zip.write(self.report.missing().as_bytes())?;
        self.zip.finish()
    }
}

async fn first_piece(
    source: &dyn FileSource,
    url: &str,
) -> Result<(Box<dyn FileReader>, Vec<u8>), FetchError> {
    let mut reader = source.open(url).await?;
    let first = reader.next().await?.ok_or(FetchError::Empty)?;
    Ok((reader, first))
}
