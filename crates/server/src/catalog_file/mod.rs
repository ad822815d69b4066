//! Reading catalog files: CSV or JSON in, products out, or every bad row with its line and column.

mod csv;
mod json;

use std::fmt;
use std::path::Path;

use pressline_domain::catalog::{PrintArea, Product};
use pressline_domain::limits;
use pressline_domain::money::{Amount, Currency};

/// The highest price and extra fee in minor units, so that the largest order still has an exact total.
///
/// 100 items of 1000 units each leave 2^53 / 10^5 for a unit; a tenth of it leaves room for fees of several areas.
const MAX_PRICE: i64 = pressline_domain::money::MAX_MINOR_UNITS / 1_000_000;
/// Most print areas of a product.
const MAX_AREAS: usize = 20;

/// A problem at one place of a catalog file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// From 1.
    pub(crate) line: u64,
    /// The column's name (CSV) or the key (JSON).
    pub(crate) column: String,
    /// What is wrong and what would be right.
    pub(crate) message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(f, ", {}", self.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Why a file gave no products.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CatalogFileError {
    /// The file cannot be read.
    #[error("{path}: cannot be read")]
    Read {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The name ends neither in .csv nor in .json.
    #[error("{0}: the name of a catalog file ends in .csv or .json")]
    Kind(String),
    /// Rows that are wrong; nothing was imported.
    #[error("{path}: {} problems; nothing was imported", problems.len())]
    Bad { path: String, problems: Vec<Problem> },
}

/// The format of a catalog file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Json,
}

/// Reads a catalog file; its format follows from its name.
pub(crate) fn read(path: &Path) -> Result<Vec<Product>, CatalogFileError> {
    let name = path.display().to_string();
    let format =
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            _ => return Err(CatalogFileError::Kind(name)),
        };
    let bytes =
        std::fs::read(path).map_err(|source| CatalogFileError::Read { path: name.clone(), source })?;
    parse(&bytes, format).map_err(|problems| CatalogFileError::Bad { path: name, problems })
}

/// Reads the text of a catalog file.
pub(crate) fn parse(bytes: &[u8], format: Format) -> Result<Vec<Product>, Vec<Problem>> {
    match format {
        Format::Csv => csv::parse(bytes),
        Format::Json => json::parse(bytes),
    }
}

/// The texts of a product without its areas, as a file has them.
#[derive(Debug, Default)]
struct ProductTexts<'a> {
    sku: &'a str,
    name: &'a str,
    price: &'a str,
    currency: &'a str,
}

/// The texts of a print area, as a file has them.
#[derive(Debug, Default)]
struct AreaTexts<'a> {
    id: &'a str,
    name: &'a str,
    size: &'a str,
    note: &'a str,
    width: &'a str,
    height: &'a str,
    requirement: &'a str,
    require_for: Vec<String>,
    extra_fee: &'a str,
}

/// How a format names the columns.
struct Names {
    area_id: &'static str,
    area_name: &'static str,
    width: &'static str,
    height: &'static str,
    extra_fee: &'static str,
}

/// Notes problems at one line.
struct Row<'p> {
    line: u64,
    names: &'static Names,
    problems: &'p mut Vec<Problem>,
}

impl Row<'_> {
    fn problem(&mut self, column: &str, message: impl Into<String>) {
        self.problems.push(Problem { line: self.line, column: column.to_owned(), message: message.into() });
    }

    fn text(&mut self, column: &str, text: &str, required: bool) -> String {
        let text = text.trim();
        if text.is_empty() && required {
            self.problem(column, "required");
        }
        if text.chars().count() > limits::TEXT {
            self.problem(column, format!("at most {} characters", limits::TEXT));
        }
        if text.contains('\0') {
            self.problem(column, "holds a NUL character");
        }
        text.to_owned()
    }

    fn amount(&mut self, column: &str, text: &str, currency: Currency) -> Amount {
        match Amount::parse(text, currency) {
            Ok(amount) if amount.minor_units() <= MAX_PRICE => return amount,
            Ok(_) => {
                let most =
                    Amount::from_minor(MAX_PRICE).map(|most| most.to_decimal(currency)).unwrap_or_default();
                self.problem(column, format!("more than {most} {currency}"));
            }
            Err(error) => self.problem(column, error.to_string()),
        }
        Amount::ZERO
    }

    fn pixels(&mut self, column: &str, text: &str) -> u32 {
        match text.trim() {
            "" => 0,
            text => text.parse().unwrap_or_else(|_| {
                self.problem(column, format!("`{text}` is not a whole number of pixels"));
                0
            }),
        }
    }

    fn product(&mut self, texts: &ProductTexts<'_>) -> Product {
        let currency = match texts.currency.trim() {
            "" => Currency::USD,
            code => code.parse().unwrap_or_else(|error: pressline_domain::money::MoneyError| {
                self.problem("currency", error.to_string());
                Currency::USD
            }),
        };
        let price = Some(texts.price.trim()).filter(|text| !text.is_empty());
        Product {
            sku: self.text("sku", texts.sku, true),
            name: self.text("name", texts.name, true),
            price: price.map(|text| self.amount("price", text, currency)),
            currency,
            areas: Vec::new(),
        }
    }

    fn area(&mut self, texts: AreaTexts<'_>, currency: Currency) -> PrintArea {
        let names = self.names;
        let fee = texts.extra_fee.trim();
        let requirement = self.text("requirement", texts.requirement, false);
        PrintArea {
            id: self.text(names.area_id, texts.id, true),
            name: self.text(names.area_name, texts.name, true),
            size: self.text("size", texts.size, false),
            note: self.text("note", texts.note, false),
            width: self.pixels(names.width, texts.width),
            height: self.pixels(names.height, texts.height),
            requirement: if requirement.is_empty() {
                PrintArea::BASE_BELONGS.to_owned()
            } else {
                requirement
            },
            require_for: texts.require_for,
            extra_fee: if fee.is_empty() {
                Amount::ZERO
            } else {
                self.amount(names.extra_fee, fee, currency)
            },
        }
    }

    /// Adds an area to a product that has room for it and no other of this id.
    fn add_area(&mut self, product: &mut Product, area: PrintArea) {
        let column = self.names.area_id;
        if product.areas.iter().any(|other| other.id == area.id) {
            self.problem(column, format!("`{}` stands twice for SKU `{}`", area.id, product.sku));
        } else if product.areas.len() == MAX_AREAS {
            self.problem(column, format!("SKU `{}` has more than {MAX_AREAS} print areas", product.sku));
        } else {
            product.areas.push(area);
        }
    }
}

/// A product without any area gets the one that unknown products have.
fn with_main_area(mut product: Product) -> Product {
    if product.areas.is_empty() {
        product.areas.push(PrintArea::main());
    }
    product
}

#[cfg(test)]
mod tests;
