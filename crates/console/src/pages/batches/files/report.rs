//! Result of each file of a batch: `manifest.csv` for programs, `missing.txt` for people.

use std::io;

use pressline_backoffice::file_source::FetchError;
use pressline_backoffice::production::{BatchView, PrintFile};

pub(super) struct Report {
    files: Vec<(PrintFile, State)>,
    /// Codes of the batch's items that have no print file.
    without: Vec<String>,
}

pub(super) struct Entry {
    pub(super) name: String,
    /// Size of the file's content in the archive, in bytes.
    pub(super) size: u64,
}

/// State of a print file: its entry in the archive, and the error of its download. The entry is
/// `None` if the archive has no part of the file. The error is `None` if the file is complete.
pub(super) type State = (Option<Entry>, Option<FetchError>);

impl Report {
    pub(super) fn of(batch: &BatchView) -> Self {
        Self {
            files: Vec::new(),
            without: batch.without_files().map(|item| item.code()).collect(),
        }
    }

    pub(super) fn note(&mut self, file: PrintFile, state: State) {
        self.files.push((file, state));
    }

    pub(super) fn manifest(&self) -> io::Result<Vec<u8>> {
        let header = [
            "file", "itemCode", "sku", "product", "area", "units", "bytes", "state", "problem",
            "url",
        ];
        let rows = self.files.iter().map(|(file, (entry, error))| {
            let state = match (entry, error) {
                (Some(_), None) => "complete",
                (Some(_), Some(_)) => "incomplete",
                (None, _) => "missing",
            };
            let (entry, error) = (entry.as_ref(), error.map(|error| error.to_string()));
            vec![
                entry.map(|entry| entry.name.clone()).unwrap_or_default(),
                file.item_code.clone(),
                file.sku.clone(),
                file.product.clone().unwrap_or_default(),
                file.area.clone(),
                file.units.to_string(),
                entry.map_or(0, |entry| entry.size).to_string(),
                state.to_owned(),
                error.unwrap_or_default(),
                file.url.clone(),
            ]
        });
        pressline_tabular::table(&header, rows).map(pressline_tabular::for_spreadsheets)
    }

    pub(super) fn missing(&self) -> String {
        let of_files = self.files.iter().filter_map(|(file, (entry, error))| {
            let error = (*error)?;
            let (code, area, url) = (&file.item_code, &file.area, &file.url);
            Some(match entry {
                Some(Entry { name, size }) => {
                    format!(
                        "{name} is not complete, do not print it: {error} after {size} bytes. {url}"
                    )
                }
                None => format!("{code}, {area}: {error}. {url}"),
            })
        });
        let without = self
            .without
            .iter()
            .map(|code| format!("{code} has no print file."));
        let lines: Vec<String> = of_files.chain(without).collect();
        let count = self.files.len();
        if lines.is_empty() {
            return format!("Nothing is missing. Files: {count}.\r\n");
        }
        // CRLF, so that Windows editors also show each line by itself.
        format!("{}\r\n", lines.join("\r\n"))
    }
}
