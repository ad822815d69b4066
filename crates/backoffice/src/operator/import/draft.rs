//! Unchecked requests for imports, and their validation.

use super::FileImportError;
use crate::fields::valid;
use crate::import::catalog::{ImportSettings, Mode};
use crate::limits;
use crate::rows::Content;
use crate::store::StoreIdDraft;
use pressline_domain::check::field::Field;
use pressline_domain::check::report::{IssueCode, Path, Report};
use pressline_domain::check::word;
use pressline_domain::value::id::StoreId;

/// Unchecked request to import a file. Each kind of import uses only some of the fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportDraft {
    /// Content of the file, as a string.
    pub file: Field<String>,
    /// `true` to check the file and report the changes without making them.
    pub dry_run: Field<bool>,
    /// Id of the store to place orders in; order files only.
    pub store_id: Field<String>,
    /// Kind of rows in a catalog file: a name in [`ImportDraft::CONTENTS`].
    pub content: Field<String>,
    /// `true` to retire stored variants, or remove stored prices, that the catalog file lacks.
    pub replace: Field<bool>,
}

/// A file to import, or to check only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportFile<'a> {
    /// Content of the file, up to [`limits::FILE`] bytes.
    pub bytes: &'a [u8],
    /// [`Mode::DryRun`] if the file is only checked, [`Mode::Apply`] if it is imported.
    pub mode: Mode,
}

/// Checked request to import an order file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderFile<'a> {
    /// Content of the file, and whether it is only checked.
    pub file: ImportFile<'a>,
    /// Store to place the orders in.
    pub store: StoreId,
}

/// Checked request to import a catalog file.
#[derive(Debug, Clone)]
pub struct CatalogFile<'a> {
    /// Content of the file, and whether it is only checked.
    pub file: ImportFile<'a>,
    /// Kind of rows, one of [`ImportDraft::CONTENTS`].
    pub content: Content,
    /// `true` to retire stored variants, or remove stored prices, that the catalog file lacks.
    pub replace: bool,
}

impl CatalogFile<'_> {
    /// Returns the settings of the import. `list_rows` is `true`: the report lists all changed
    /// rows.
    pub fn settings(&self) -> ImportSettings {
        ImportSettings {
            mode: self.file.mode,
            replace: self.replace,
            list_rows: true,
            ..ImportSettings::default()
        }
    }
}

impl ImportDraft {
    /// Kinds of rows in a catalog file, each with its name in the request's `content`.
    pub const CONTENTS: [(&'static str, Content); 4] = [
        ("products", Content::Variants),
        ("prices", Content::Prices),
        ("shipping", Content::Shipping),
        ("fees", Content::Fees),
    ];

    /// Checks a request to import parcels, and returns its `file` and `dry_run`.
    pub fn file(&self) -> Result<ImportFile<'_>, FileImportError> {
        let mut report = Report::default();
        let file = self.read_file(&mut report);
        checked(file, report)
    }

    /// Checks a request to import orders, and returns its `file`, `dry_run` and `store_id`.
    pub fn orders(&self) -> Result<OrderFile<'_>, FileImportError> {
        let mut report = Report::default();
        let which = StoreIdDraft {
            store_id: self.store_id.clone(),
            ..StoreIdDraft::default()
        };
        let store = which.store(&mut report);
        let file = self.read_file(&mut report);
        let named = store.zip(file);
        checked(named.map(|(store, file)| OrderFile { file, store }), report)
    }

    /// Checks a request to import a catalog file, and returns its `file`, `dry_run`, `content` and
    /// `replace`.
    pub fn catalog(&self) -> Result<CatalogFile<'_>, FileImportError> {
        let mut report = Report::default();
        let path = Path::Root.key("content");
        let names = Self::CONTENTS.map(|(name, _)| name).join(", ");
        let what = format!("one of {names}");
        let content = self.content.demand(&path, &what, &mut report);
        let content = word(content, &path, Self::CONTENTS, &mut report);
        let file = self.read_file(&mut report);
        let replace = Path::Root.key("replace");
        let replace = self.replace.read(&replace, &mut report).copied();
        let named = content.zip(file).map(|(content, file)| CatalogFile {
            file,
            content,
            replace: replace.unwrap_or_default(),
        });
        checked(named, report)
    }

    fn read_file(&self, report: &mut Report) -> Option<ImportFile<'_>> {
        let path = Path::Root.key("dryRun");
        let dry_run = self.dry_run.read(&path, report).copied();
        let path = Path::Root.key("file");
        let what = "the content of a CSV file";
        let text = self.file.required(&path, what, report)?;
        if text.len() > limits::FILE {
            let limit = limits::FILE / 1024 / 1024;
            let message = format!("has more than {limit} MiB; split it");
            report.violation(&path, IssueCode::TooLong, message);
            return None;
        }
        Some(ImportFile {
            bytes: text.as_bytes(),
            mode: if dry_run == Some(true) {
                Mode::DryRun
            } else {
                Mode::Apply
            },
        })
    }
}

fn checked<T>(read: Option<T>, mut report: Report) -> Result<T, FileImportError> {
    valid(read, &mut report).map_err(FileImportError::Invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(error: FileImportError) -> Vec<String> {
        let FileImportError::Invalid(report) = error else {
            panic!("{error}");
        };
        let violations = report.violations.into_iter();
        violations.map(|violation| violation.field).collect()
    }

    #[test]
    fn all_problems_of_a_request_are_reported_at_once() {
        let draft = ImportDraft {
            dry_run: Field::Wrong(pressline_domain::check::report::WrongType {
                expected: "a boolean",
                found: "a string",
            }),
            content: "colours".into(),
            ..ImportDraft::default()
        };
        assert_eq!(fields(draft.file().unwrap_err()), ["dryRun", "file"]);
        let of_orders = draft.orders().unwrap_err();
        assert_eq!(fields(of_orders), ["storeId", "dryRun", "file"]);
        let of_catalog = draft.catalog().unwrap_err();
        assert_eq!(fields(of_catalog), ["content", "dryRun", "file"]);
    }

    #[test]
    fn a_file_has_at_most_10_mib_and_is_imported_unless_it_is_a_dry_run() {
        let of = |bytes: usize, dry_run: Field<bool>| ImportDraft {
            file: Field::Value("x".repeat(bytes)),
            dry_run,
            ..ImportDraft::default()
        };
        let largest = of(limits::FILE, Field::Absent);
        assert_eq!(largest.file().unwrap().mode, Mode::Apply);
        let dry = of(1, Field::Value(true));
        assert_eq!(dry.file().unwrap().mode, Mode::DryRun);
        let larger = of(limits::FILE + 1, Field::Absent);
        assert_eq!(fields(larger.file().unwrap_err()), ["file"]);
    }
}
