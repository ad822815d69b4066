//! Files are read, validated by the domain and written again.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be, also in the functions that its cases share"
)]

mod areas;
mod catalog;
mod csv;
mod fees;
mod imports;
mod prices;
mod roundtrip;
mod shipments;
mod shipping;
mod spreadsheet;

use pressline_backoffice::import::catalog::{
    Content, Finding, Findings, FormerReferences, References, Rows, Sheet,
};
use pressline_domain::memory::MemoryStores;
use pressline_domain::store::{Store, StoreDirectory, StoreRecord};
use pressline_domain::value::{Currency, Timestamp};
use pressline_tabular::{Format, read, write};

pub(crate) const DEMO: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

/// A store each with USD, JPY and KWD; two SKUs; two zones.
pub(crate) fn references() -> References {
    let store = |id: &str, prefix: &str, currency: &str| {
        let (id, prefix) = (id.parse().unwrap(), prefix.parse().unwrap());
        Store::new(
            id,
            prefix,
            currency.parse().unwrap(),
            Timestamp::from_millis(0),
        )
    };
    References {
        stores: vec![
            store(DEMO, "DEMO", "USD"),
            store("0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4f", "TOKYO", "JPY"),
            store("0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d50", "KUWAIT", "KWD"),
        ],
        skus: ["MUG-11", "TEE-M"].map(str::to_owned).into(),
        similar: [("MUG-12".to_owned(), vec!["MUG-11".to_owned()])].into(),
        zones: vec!["Zone 1".to_owned(), "Remote".to_owned()],
        former: FormerReferences::default(),
    }
}

/// Parses `text`, which is CSV or JSON.
pub(crate) fn rows(text: &str, content: Content) -> Result<Rows, Findings> {
    let format = if text.starts_with(['[', '{']) {
        Format::Json
    } else {
        Format::Csv
    };
    read(text.as_bytes(), format, content)
}

/// Returns the findings of a rejected file, as printed.
#[track_caller]
pub(crate) fn problems<T: std::fmt::Debug>(read: Result<T, Findings>) -> Vec<String> {
    let mut findings = read.unwrap_err();
    findings.shown().iter().map(Finding::to_string).collect()
}

/// Asserts that the problems are exactly `expected`, in this order: pairs of a place and words of
/// the message.
#[track_caller]
pub(crate) fn assert_problems<T: std::fmt::Debug>(
    read: Result<T, Findings>,
    expected: &[(&str, &str)],
) {
    let found = problems(read);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (problem, (place, words)) in found.iter().zip(expected) {
        assert!(
            problem.starts_with(&format!("{place}: ")) && problem.contains(words),
            "{problem}: {words}"
        );
    }
}

/// Asserts that `sheet` is written as the CSV `text`.
#[track_caller]
pub(crate) fn assert_text(sheet: &Sheet, text: &str) {
    assert_eq!(
        String::from_utf8(write(sheet, Format::Csv).unwrap()).unwrap(),
        text
    );
}

/// Asserts that `whole` is written by `sheet` as the CSV `text`, and that `parse` reads it back from
/// JSON.
#[track_caller]
pub(crate) fn assert_read_back<T: PartialEq + std::fmt::Debug>(
    whole: &T,
    text: &str,
    sheet: impl Fn(&T) -> Sheet,
    parse: impl Fn(&str) -> Result<T, Findings>,
) {
    assert_text(&sheet(whole), text);
    let json = as_json(&sheet(whole));
    assert_eq!(parse(&json).unwrap(), *whole, "{json}");
}

/// Adds the stores of [`references`].
pub(crate) async fn add_stores(stores: &MemoryStores) {
    for store in references().stores {
        let record = StoreRecord::new(store, Vec::new());
        stores.add(&record).await.unwrap();
    }
}

/// Writes `sheet` as JSON.
pub(crate) fn as_json(sheet: &Sheet) -> String {
    String::from_utf8(write(sheet, Format::Json).unwrap()).unwrap()
}
