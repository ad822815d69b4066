//! Catalog files in JSON: a list of products, each with its list of print areas.

use std::collections::HashSet;

use pressline_domain::catalog::Product;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{AreaTexts, Names, Problem, ProductTexts, Row, with_main_area};

const NAMES: Names = Names {
    area_id: "areas.id",
    area_name: "areas.name",
    width: "areas.sizeWidth",
    height: "areas.sizeHeight",
    extra_fee: "areas.extraFee",
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonProduct {
    sku: String,
    name: String,
    #[serde(default)]
    price: Option<Number>,
    #[serde(default)]
    currency: String,
    #[serde(default)]
    areas: Vec<JsonArea>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct JsonArea {
    id: String,
    name: String,
    #[serde(default)]
    size: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    size_width: Option<Number>,
    #[serde(default)]
    size_height: Option<Number>,
    #[serde(default)]
    requirement: String,
    #[serde(default)]
    require_for: Vec<String>,
    #[serde(default)]
    extra_fee: Option<Number>,
}

/// A number, or text that holds one; text keeps every digit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Text(String),
    Number(serde_json::Number),
}

impl Number {
    fn text(number: Option<&Self>) -> String {
        match number {
            None => String::new(),
            Some(Self::Text(text)) => text.clone(),
            Some(Self::Number(number)) => number.to_string(),
        }
    }
}

/// The products of a file. Every product that cannot be read is a problem of its own.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Product>, Vec<Problem>> {
    let entries: Vec<&RawValue> = serde_json::from_slice(bytes).map_err(|error| vec![at(1, &error)])?;
    let mut lines = Lines { bytes, offset: 0, line: 1 };
    let mut problems = Vec::new();
    let mut products: Vec<Product> = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        let line = lines.of(entry);
        let read: JsonProduct = match serde_json::from_str(entry.get()) {
            Ok(read) => read,
            Err(error) => {
                problems.push(at(line, &error));
                continue;
            }
        };
        let mut row = Row { line, names: &NAMES, problems: &mut problems };
        let price = Number::text(read.price.as_ref());
        let texts =
            ProductTexts { sku: &read.sku, name: &read.name, price: &price, currency: &read.currency };
        let mut product = row.product(&texts);
        if !seen.insert(product.sku.clone()) {
            row.problem("sku", format!("`{}` stands twice in the file", product.sku));
        }
        for area in &read.areas {
            let (width, height) =
                (Number::text(area.size_width.as_ref()), Number::text(area.size_height.as_ref()));
            let fee = Number::text(area.extra_fee.as_ref());
            let texts = AreaTexts {
                id: &area.id,
                name: &area.name,
                size: &area.size,
                note: &area.note,
                width: &width,
                height: &height,
                requirement: &area.requirement,
                require_for: area.require_for.clone(),
                extra_fee: &fee,
            };
            let area = row.area(texts, product.currency);
            row.add_area(&mut product, area);
        }
        products.push(with_main_area(product));
    }
    if problems.is_empty() { Ok(products) } else { Err(problems) }
}

/// The problem that serde found, `line` being where the text begins that it looked at.
fn at(line: u64, error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
    let line = line + u64::try_from(error.line()).unwrap_or(1).saturating_sub(1);
    Problem { line, column: String::new(), message }
}

/// Tells in which line an entry begins, going through the file once.
struct Lines<'b> {
    bytes: &'b [u8],
    offset: usize,
    line: u64,
}

impl Lines<'_> {
    fn of(&mut self, entry: &RawValue) -> u64 {
        let begin = (entry.get().as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        let between = self.bytes.get(self.offset..begin).unwrap_or_default();
        self.line += between.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset = begin.max(self.offset);
        self.line
    }
}
