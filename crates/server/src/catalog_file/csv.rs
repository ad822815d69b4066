//! Catalog files in CSV: a header, then one row for each print area of each product.

use std::collections::HashMap;

use pressline_domain::catalog::Product;
use pressline_domain::nearest::nearest;

use super::{AreaTexts, Names, Problem, ProductTexts, Row, with_main_area};

const COLUMNS: [&str; 13] = [
    "sku",
    "name",
    "price",
    "currency",
    "area_id",
    "area_name",
    "size",
    "note",
    "size_width",
    "size_height",
    "requirement",
    "require_for",
    "extra_fee",
];

const NAMES: Names = Names {
    area_id: "area_id",
    area_name: "area_name",
    width: "size_width",
    height: "size_height",
    extra_fee: "extra_fee",
};

/// Where each column stands in the file.
struct Header(HashMap<&'static str, usize>);

impl Header {
    fn read(record: &csv::StringRecord) -> Result<Self, Vec<Problem>> {
        let mut places = HashMap::new();
        let mut problems = Vec::new();
        let mut problem = |column: &str, message: String| {
            problems.push(Problem { line: 1, column: column.to_owned(), message });
        };
        for (place, given) in record.iter().enumerate() {
            let given = given.trim_start_matches('\u{feff}').trim();
            match COLUMNS.iter().find(|column| column.eq_ignore_ascii_case(given)) {
                Some(column) if places.insert(*column, place).is_some() => {
                    problem(column, "stands twice".into())
                }
                Some(_) => {}
                None => {
                    let near = nearest(given, COLUMNS, 1);
                    let hint =
                        near.first().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    problem(given, format!("no such column{hint}"));
                }
            }
        }
        for column in ["sku", "name"] {
            if !places.contains_key(column) {
                problem(column, "the header lacks this column".into());
            }
        }
        if problems.is_empty() { Ok(Self(places)) } else { Err(problems) }
    }

    fn cell<'r>(&self, record: &'r csv::StringRecord, column: &str) -> &'r str {
        self.0.get(column).and_then(|place| record.get(*place)).unwrap_or_default().trim()
    }
}

/// The products of a file; rows with one SKU belong to one product, wherever they stand.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Product>, Vec<Problem>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut records = reader.records();
    let header = match records.next() {
        Some(Ok(record)) => Header::read(&record)?,
        Some(Err(error)) => return Err(vec![unreadable(&error)]),
        None => {
            return Err(vec![Problem {
                line: 1,
                column: String::new(),
                message: "the file is empty".into(),
            }]);
        }
    };
    let mut problems = Vec::new();
    let mut products: Vec<Product> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                problems.push(unreadable(&error));
                continue;
            }
        };
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let mut row = Row { line, names: &NAMES, problems: &mut problems };
        let cell = |column| header.cell(&record, column);
        let texts = ProductTexts {
            sku: cell("sku"),
            name: cell("name"),
            price: cell("price"),
            currency: cell("currency"),
        };
        let read = row.product(&texts);
        let place = *places.entry(read.sku.clone()).or_insert_with(|| {
            products.push(read.clone());
            products.len() - 1
        });
        let Some(product) = products.get_mut(place) else { continue };
        if (&product.name, product.price, product.currency) != (&read.name, read.price, read.currency) {
            row.problem(
                "sku",
                format!("`{}` has another name, price or currency in an earlier row", read.sku),
            );
        }
        if !cell("area_id").is_empty() || !cell("area_name").is_empty() {
            let texts = AreaTexts {
                id: cell("area_id"),
                name: cell("area_name"),
                size: cell("size"),
                note: cell("note"),
                width: cell("size_width"),
                height: cell("size_height"),
                requirement: cell("requirement"),
                require_for: cell("require_for")
                    .split('|')
                    .map(str::trim)
                    .filter(|s| !s.is_empty())
                    .map(str::to_owned)
                    .collect(),
                extra_fee: cell("extra_fee"),
            };
            let area = row.area(texts, read.currency);
            row.add_area(product, area);
        }
    }
    if problems.is_empty() { Ok(products.into_iter().map(with_main_area).collect()) } else { Err(problems) }
}

fn unreadable(error: &csv::Error) -> Problem {
    let line = error.position().map_or(1, csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    Problem { line, column: String::new(), message }
}
