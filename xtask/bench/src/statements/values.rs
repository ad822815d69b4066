//! SQL expressions for the values of an order, as varied as those of the samples: customers,
//! products, ids and words.
//!
//! Texts that never change are variables, which pgbench sends with each call. The others are put
//! together in the database, because pgbench draws only numbers. A colon directly before a letter
//! would be a variable of pgbench, and is avoided in literals.

use std::collections::BTreeMap;

use pressline_kit::words::WordSet;

use crate::BenchError;
use crate::catalog::{KIND_VARIANTS, Product, VARIANTS};
use crate::pgbench::Draw;
use crate::sample::{FIRST, LAST, SECOND, Sample, Samples};

/// Texts in a sample that stand for values which are drawn, each with the expression of the value.
const MARKS: [(&str, &str); 4] = [
    ("{first}", "who.first"),
    ("{last}", "who.last"),
    (
        "{phone}",
        "'+1 ' || :a::text || ' ' || :b::text || ' ' || :c::text",
    ),
    ("{mailbox}", "'buyer.p-' || n"),
];

/// What a statement draws for a customer: the indexes of names, and the parts of a phone number.
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

/// Puts the marks into a sample where drawn values belong.
pub(super) fn mark(sample: &mut Sample) {
    let Sample {
        shipping_address,
        billing_address,
        customer,
        ..
    } = sample;
    for address in [shipping_address, billing_address] {
        address.first_name = "{first}".to_owned();
        address.last_name = "{last}".to_owned();
        address.phone = "{phone}".to_owned();
        address.email = "{mailbox}@mail.example.com".to_owned();
    }
    customer.first_name = "{first}".to_owned();
    customer.last_name = "{last}".to_owned();
}

/// Returns an expression for a text with marks; what is between them becomes variables, whose names
/// begin with `name`.
pub(super) fn expression(
    text: &str,
    name: &str,
    constants: &mut BTreeMap<String, String>,
) -> String {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let found = MARKS
            .iter()
            .filter_map(|(mark, sql)| Some((rest.find(mark)?, mark, sql)))
            .min_by_key(|(at, ..)| *at);
        let end = found.map_or(rest.len(), |(at, ..)| at);
        let (constant, after) = rest.split_at(end);
        if !constant.is_empty() {
            let variable = format!("{name}_{}", parts.len());
            parts.push(format!(":{variable}::text"));
            constants.insert(variable, constant.to_owned());
        }
        let Some((_, mark, sql)) = found else { break };
        parts.push((*sql).to_owned());
        rest = after.get(mark.len()..).unwrap_or_default();
    }
    parts.join(" || ")
}

/// The names of a customer and their words, as a relation.
pub(super) fn customer() -> String {
    let words = |names: &[&str]| literals(names.iter().map(|name| words_of(&[name])));
    format!(
        "SELECT {}[:first::int] AS first, {}[:last::int] || ' ' || {}[:second::int] AS last, \
         {}[:first::int] || ' ' || {}[:last::int] || ' ' || {}[:second::int] || ' shop.' || :shop::text || \
         '@orders.example.com orders.example.com ' || :shop::text AS words",
        literals(FIRST),
        literals(LAST),
        literals(SECOND),
        words(&FIRST),
        words(&LAST),
        words(&SECOND),
    )
}

/// The items of an order with their words, as a relation. Each item's product is drawn by itself, as
/// in the samples: an order may have two items of one product, which then share their words.
pub(super) fn items(products: &[Product], count: usize, urls: &[(String, String)]) -> String {
    let base = products.get(..VARIANTS).unwrap_or(products);
    let texts = |text: fn(&Product) -> String| literals(base.iter().map(text));
    let kinds = |text: fn(&(String, String)) -> &String| literals(urls.iter().map(text));
    // Spaces keep the digits after colons from looking like variables of pgbench.
    let areas = base
        .chunks(KIND_VARIANTS)
        .filter_map(|kind| Some(kind.first()?.stored_areas.replace("\":", "\": ")));
    let prices: Vec<String> = base
        .chunks(KIND_VARIANTS)
        .filter_map(|kind| Some(kind.first()?.price.to_string()))
        .collect();
    format!(
        "SELECT i AS position, {names}[v] || CASE WHEN d > 0 THEN ', design ' || d ELSE '' END AS name, \
         {skus}[v] || CASE WHEN d > 0 THEN '-D' || d ELSE '' END AS sku, 1 + (d + v + i) % 3 AS quantity, \
         CASE WHEN (d + v + i) % 5 = 0 THEN 'Express' ELSE 'Standard' END AS ship_class, \
         {prices}[k] AS unit_cost, '[' || {files}[k] || ',' || {mockups}[k] || ',' || {areas}[k] || ']' AS art, \
         lower({skus}[v]) || CASE WHEN d > 0 THEN '-d' || d || ' d' || d || ' design ' || d ELSE '' END || ' ' || \
         {words}[v] AS words \
         FROM (SELECT i, 1 + p % {variants} AS v, p / {variants} AS d, 1 + p % {variants} * {kinds} / {variants} AS k \
         FROM (SELECT i, floor(random() * {products})::int AS p \
         FROM generate_series(0, {last}) AS i OFFSET 0) AS numbers OFFSET 0) AS chosen",
        names = texts(|product| product.name.clone()),
        skus = texts(|product| product.sku.clone()),
        words = texts(own_words),
        files = kinds(|(files, _)| files),
        mockups = kinds(|(_, mockups)| mockups),
        prices = format_args!("(ARRAY[{}])", prices.join(", ")),
        areas = literals(areas),
        variants = base.len(),
        kinds = urls.len(),
        products = products.len(),
        last = count.saturating_sub(1),
    )
}

/// File URLs and mockups of an item of each kind of product, as the service stores them.
pub(super) fn urls(samples: &Samples) -> Result<Vec<(String, String)>, BenchError> {
    let sample = samples.order_of("P", 1, 100);
    let of_kind = |kind: usize| {
        let mut items = sample.line_items.iter();
        let item = items.find(|item| item.product % VARIANTS / KIND_VARIANTS == kind);
        let item = item.ok_or("a sample lacks a kind of product")?;
        Ok((
            serde_json::to_string(&item.file_urls)?,
            serde_json::to_string(&item.mockup_images)?,
        ))
    };
    (0..VARIANTS / KIND_VARIANTS).map(of_kind).collect()
}

/// What the words of a chunk of a store's orders begin with.
pub(super) fn word_prefix(store: &str, chunk: &str) -> String {
    format!("left(encode(sha256(({store} || {chunk})::bytea), 'base64'), 4)")
}

/// The search words of an order, each with the prefix of its chunk. Like the service it leaves out words
/// that begin another one: `1` of the country code begins the whole phone number, and the parts of
/// the mailbox begin the order id and the number.
pub(super) fn words(
    order_id: &str,
    number: &str,
    id: &str,
    prefix: &str,
    word_prefix: &str,
) -> String {
    let (a, b, c) = (":a::text", ":b::text", ":c::text");
    let all = [
        format!("lower({order_id})"),
        format!("split_part({order_id}, '-', 2)"),
        format!("lower({prefix}) || '-' || {number}"),
        number.to_owned(),
        id.to_owned(),
        format!("'buyer.p-' || {number} || '@mail.example.com'"),
        "'mail.example.com'".to_owned(),
        c.to_owned(),
        format!("{b} || {c}"),
        format!("{a} || {b} || {c}"),
        format!("'1' || {a} || {b} || {c}"),
        "who.words".to_owned(),
        "(SELECT string_agg(given.words, ' ') FROM given)".to_owned(),
    ]
    .join(" || ' ' || ");
    format!(
        "array_to_tsvector(string_to_array({word_prefix} || replace({all}, ' ', ' ' || {word_prefix}), ' '))"
    )
}

/// Words that every order has, from its email addresses.
const OF_ALL: [&str; 2] = ["mail.example.com", "shop."];

/// The words of a product without its SKU, which a design changes, and without words that begin one
/// of every order, such as the size `M`.
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

/// An array of texts.
fn literals<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let quoted: Vec<String> = texts
        .into_iter()
        .map(|text| format!("'{}'", text.as_ref().replace('\'', "''")))
        .collect();
    format!("(ARRAY[{}])", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let mut constants = BTreeMap::new();
        let sql = expression("a {first}, {mailbox}", "x", &mut constants);
        assert_eq!(
            sql,
            ":x_0::text || who.first || :x_2::text || 'buyer.p-' || n"
        );
        assert_eq!(constants["x_0"], "a ");
        assert_eq!(constants["x_2"], ", ");
    }
}
