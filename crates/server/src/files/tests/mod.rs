//! Tests of files.

mod catalog;
mod csv;
mod fees;
mod prices;
mod roundtrip;
mod shipping;

use pressline_domain::id::{Prefix, StoreId};
use pressline_domain::money::Currency;
use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::time::Timestamp;

use super::*;

pub(super) const DEMO: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

/// A store in dollars, one in yen and one in Kuwaiti dinar; two SKUs; two zones.
pub(super) fn known() -> Known {
    let store = |id: &str, prefix: &str, currency: &str| Store {
        id: id.parse::<StoreId>().unwrap(),
        name: prefix.to_owned(),
        prefix: prefix.parse::<Prefix>().unwrap(),
        currency: currency.parse::<Currency>().unwrap(),
        settings: StoreSettings::default(),
        enabled: true,
        created_at: Timestamp::from_millis(0),
    };
    Known {
        stores: vec![
            store(DEMO, "DEMO", "USD"),
            store("0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4f", "TOKYO", "JPY"),
            store("0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d50", "KUWAIT", "KWD"),
        ],
        skus: ["MUG-11", "TEE-M"].map(str::to_owned).into(),
        near: [("MUG-12".to_owned(), vec!["MUG-11".to_owned()])].into(),
        zones: vec!["Zone 1".to_owned(), "Remote".to_owned()],
        former: Former::default(),
    }
}

pub(super) fn table(text: &str, shape: &'static Shape) -> Result<Table, FileError> {
    let format = if text.starts_with(['[', '{']) {
        Format::Json
    } else {
        Format::Csv
    };
    Table::parse("file", text.as_bytes(), format, shape)
}

/// The problems of a file, each as it is printed.
#[track_caller]
pub(super) fn problems<T: std::fmt::Debug>(read: Result<T, FileError>) -> Vec<String> {
    match read {
        Err(FileError::Bad { mut problems, .. }) => {
            problems.shown().iter().map(Problem::to_string).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Checks that each of these is a problem, in this order, and nothing else.
#[track_caller]
pub(super) fn assert_problems<T: std::fmt::Debug>(
    read: Result<T, FileError>,
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

/// Checks that a file is written as this text.
#[track_caller]
pub(super) fn assert_text(sheet: &Sheet, text: &str) {
    assert_eq!(
        String::from_utf8(sheet.text(Format::Csv).unwrap()).unwrap(),
        text
    );
}

/// The same as JSON.
pub(super) fn as_json(sheet: &Sheet) -> String {
    String::from_utf8(sheet.text(Format::Json).unwrap()).unwrap()
}
