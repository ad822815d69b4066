//! SQL expressions for the values of an order. Customers, products, ids and words vary as much as
//! in the samples.
//!
//! Constant strings are variables, which pgbench sends with each call. Other strings are composed
//! in the database, because pgbench draws only numbers. pgbench reads a colon directly before a
//! letter as a variable, so literals avoid it.

use std::collections::BTreeMap;

use pressline_kit::words::WordSet;

use super::template::filled_in;
use crate::catalog::{KIND_VARIANTS, Product, VARIANTS};
use crate::error::BenchError;
use crate::pgbench::Draw;
use crate::sample::{FIRST, LAST, MOST_ITEMS, SECOND, Sample, Samples};

/// Marks in a sample, each with the SQL expression of the drawn value that replaces it.
const MARKS: [(&str, &str); 4] = [
    (FIRST_NAME, "who.first"),
    (LAST_NAME, "who.last"),
    (
        PHONE,
        "'+1 ' || :a::text || ' ' || :b::text || ' ' || :c::text",
    ),
    (MAILBOX, "'buyer.p-' || n"),
];
const FIRST_NAME: &str = "Markedfirst";
const LAST_NAME: &str = "Markedlast";
const PHONE: &str = "+1 999 888 7777";
const MAILBOX: &str = "marked.mailbox";

/// Variables drawn per customer: indexes of names, and parts of a phone number.
pub(super) fn drawn() -> BTreeMap<&'static str, Draw> {
    let index = |list: &[&str]| Draw::Uniform(1, list.len() as u64);
    BTreeMap::from([
        ("first", index(&FIRST)),
        ("last", index(&LAST)),
        ("second", index(&SECOND)),
        ("shop", Draw::Uniform(0, 39)),
        ("a", Draw::Uniform(201, 980)),
        ("b", Draw::Uniform(100, 999)),
        ("c", Draw::Uniform(1000, 9999)),
    ])
}

/// Replaces variable values of `sample` by marks.
pub(super) fn mark(sample: &mut Sample) {
    sample.first = FIRST_NAME.to_owned();
    sample.last = LAST_NAME.to_owned();
    sample.phone = PHONE.to_owned();
    sample.mailbox = MAILBOX.to_owned();
}

/// Returns whether the stored `row` contains all marks.
pub(super) fn is_marked(row: &str) -> bool {
    MARKS.iter().all(|(mark, _)| row.contains(mark))
}

/// Converts `text` with [`MARKS`] into an expression. The parts between marks become variables,
/// with `name` as the prefix of their names.
pub(super) fn expression(
    text: &str,
    name: &str,
    constants: &mut BTreeMap<String, String>,
) -> String {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let first_mark = MARKS
            .iter()
            .filter_map(|(mark, sql)| Some((rest.find(mark)?, mark, sql)))
            .min_by_key(|(at, ..)| *at);
        let end = first_mark.map_or(rest.len(), |(at, ..)| at);
        let (constant, after) = rest.split_at(end);
        if !constant.is_empty() {
            let variable = format!("{name}_{}", parts.len());
            parts.push(format!(":{variable}::text"));
            constants.insert(variable, constant.to_owned());
        }
        let Some((_, mark, sql)) = first_mark else {
            break;
        };
        parts.push((*sql).to_owned());
        rest = after.get(mark.len()..).unwrap_or_default();
    }
    parts.join(" || ")
}

/// Relation with a customer's names and their words.
pub(super) fn customer() -> String {
    let words = |names: &[&str]| literals(names.iter().map(|name| words_of(&[name])));
    filled_in(
        include_str!("customer.sql"),
        &[
            ("first", &literals(FIRST)),
            ("last", &literals(LAST)),
            ("second", &literals(SECOND)),
            ("first_words", &words(&FIRST)),
            ("last_words", &words(&LAST)),
            ("second_words", &words(&SECOND)),
        ],
    )
}

/// Relation with an order's items and their words.
pub(super) fn items(samples: &Samples) -> Result<String, BenchError> {
    let (products, urls) = (samples.products(), urls(samples)?);
    let base = products.get(..VARIANTS).unwrap_or(products);
    let texts = |text: fn(&Product) -> String| literals(base.iter().map(text));
    let kinds = base.chunks(KIND_VARIANTS).filter_map(<[Product]>::first);
    // Spaces after colons, because pgbench would read a colon before a digit as a variable.
    let areas = kinds
        .clone()
        .map(|kind| kind.stored_areas.replace("\":", "\": "));
    let prices: Vec<String> = kinds.map(|kind| kind.price.to_string()).collect();
    let urls_of = |text: fn(&(String, String)) -> &String| literals(urls.iter().map(text));
    Ok(filled_in(
        include_str!("items.sql"),
        &[
            ("names", &texts(|product| product.name.clone())),
            ("skus", &texts(|product| product.sku.clone())),
            ("words", &texts(own_words)),
            ("files", &urls_of(|(files, _)| files)),
            ("mockups", &urls_of(|(_, mockups)| mockups)),
            ("prices", &format!("(ARRAY[{}])", prices.join(", "))),
            ("areas", &literals(areas)),
            ("variants", &base.len().to_string()),
            ("kinds", &urls.len().to_string()),
            ("products", &products.len().to_string()),
        ],
    ))
}

/// File URLs and mock-ups of an item of each product kind, as the service stores them.
fn urls(samples: &Samples) -> Result<Vec<(String, String)>, BenchError> {
    let sample = samples.order("P", 1, MOST_ITEMS);
    let of_kind = |kind: &Product| {
        let code = kind.sku.split('-').next().unwrap_or_default();
        let mut items = sample.items.iter();
        let item = items
            .find(|item| item.sku.starts_with(code))
            .ok_or("a sample lacks a kind of product")?;
        Ok((
            serde_json::to_string(&item.file_urls)?,
            serde_json::to_string(&item.mockups)?,
        ))
    };
    let kinds = samples
        .products()
        .chunks(KIND_VARIANTS)
        .take(VARIANTS / KIND_VARIANTS);
    kinds.filter_map(<[Product]>::first).map(of_kind).collect()
}

/// SQL expression for the prefix of words in the chunk `chunk` of the orders of `store`.
pub(super) fn word_prefix(store: &str, chunk: &str) -> String {
    format!("left(encode(sha256(({store} || {chunk})::bytea), 'base64'), 4)")
}

/// Search words of an order.
pub(super) fn words(order_id: &str, number: &str, id: &str, prefix: &str, chunk: &str) -> String {
    let values = [
        ("order_id", order_id),
        ("number", number),
        ("id", id),
        ("prefix", prefix),
        ("chunk", chunk),
    ];
    filled_in(include_str!("words.sql"), &values)
}

/// Words of every order, from its email addresses.
const OF_ALL: [&str; 2] = ["mail.example.com", "shop."];

/// Words of a product without its SKU, because a design changes the SKU, and without prefixes of
/// words in every order, such as the size `M`.
fn own_words(product: &Product) -> String {
    let sku = product.sku.to_lowercase();
    let words = words_of(&[&product.sku, &product.name]);
    let left_out = |word: &str| word == sku || OF_ALL.iter().any(|longer| longer.starts_with(word));
    let others: Vec<&str> = words.split(' ').filter(|word| !left_out(word)).collect();
    others.join(" ")
}

fn words_of(texts: &[&str]) -> String {
    let mut words = WordSet::default();
    for text in texts {
        words.text(text);
    }
    let words = words.reduced();
    words.iter().collect::<Vec<_>>().join(" ")
}

fn literals<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let quoted: Vec<String> = texts
        .into_iter()
        .map(|text| format!("'{}'", text.as_ref().replace('\'', "''")))
        .collect();
    format!("(ARRAY[{}])", quoted.join(", "))
}
