//! Orders as the service stores them: the rows of a sample. The kit makes their search words.

use pressline_domain::order::fingerprint::FORM;
use pressline_kit::words::WordSet;
use serde::Serialize;

use crate::BenchError;
use crate::life;
use crate::sample::{Item, Sample, Samples};
use fastrand::Rng;

/// The columns of an order without its words, in the order of [`Rows::order`].
pub(crate) const ORDER_COLUMNS: [&str; 17] = [
    "store_id",
    "id",
    "order_id",
    "prefix",
    "number",
    "source",
    "test",
    "currency",
    "email",
    "shipping_address",
    "billing_address",
    "customer_first_name",
    "customer_last_name",
    "art",
    "bill",
    "priced_at",
    "size",
];
/// The columns of an item, in the order of [`Rows::items`].
pub(crate) const ITEM_COLUMNS: [&str; 10] = [
    "store_id",
    "order_uuid",
    "position",
    "id",
    "name",
    "sku",
    "quantity",
    "ship_class",
    "name_given",
    "unit_cost",
];
/// How many values of a request its fingerprint has a hash of.
const LEAVES: usize = 60;

/// A store as its orders carry it.
#[derive(Debug, Clone)]
pub(crate) struct StoreRef {
    pub(crate) store_id: String,
    pub(crate) prefix: String,
}

/// The number and the time of creation of an order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderNumber {
    pub(crate) number: u64,
    /// Milliseconds since 1970.
    pub(crate) created_at: u64,
}

/// The rows of an order; every value as text.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) order: Vec<String>,
    pub(crate) words: Vec<String>,
    pub(crate) items: Vec<Vec<String>>,
    /// In hexadecimal digits.
    pub(crate) fingerprint: String,
    /// The state, see [`life::STATE_COLUMNS`].
    pub(crate) state: Vec<String>,
    /// The first event, see [`life::EVENT_COLUMNS`].
    pub(crate) event: Vec<String>,
}

impl Rows {
    /// The rows of a sample.
    pub(crate) fn of(
        samples: &Samples,
        sample: &Sample,
        store: &StoreRef,
        issued: OrderNumber,
    ) -> Result<Self, BenchError> {
        let mut random = Rng::with_seed(issued.created_at ^ (issued.number << 20));
        let id = uuid(&mut random, issued.created_at);
        let number = format!("{}-{}", store.prefix, issued.number);
        let words = words(sample, &number, &id);
        let item_ids: Vec<String> = sample
            .line_items
            .iter()
            .map(|_| uuid(&mut random, issued.created_at))
            .collect();
        let items = (0..)
            .zip(sample.line_items.iter().zip(&item_ids))
            .map(|(position, (item, item_id))| {
                item_row(samples, item, store, &id, position, item_id)
            })
            .collect::<Vec<_>>();
        let state = life::state(store, &id, item_ids.len(), issued);
        let event = life::event(store, &id, &item_ids, issued)?;
        let mut order = vec![
            store.store_id.clone(),
            id,
            sample.order_id.clone(),
            store.prefix.clone(),
            issued.number.to_string(),
            "store".to_owned(),
            // False for COPY, and for SQLite.
            "0".to_owned(),
            "USD".to_owned(),
            sample.email.clone(),
            json(&sample.shipping_address)?,
            json(&sample.billing_address)?,
            sample.customer.first_name.clone(),
            sample.customer.last_name.clone(),
            art(samples, sample)?,
            json(&bill(samples, sample))?,
            issued.created_at.to_string(),
        ];
        // About what the service estimates: it counts texts, and an allowance for the rest.
        let texts = order.iter().chain(items.iter().flatten()).map(String::len);
        order.push(texts.sum::<usize>().to_string());
        Ok(Self {
            order,
            words,
            items,
            fingerprint: fingerprint(&mut random),
            state,
            event,
        })
    }
}

/// A bill as the database has it.
#[derive(Serialize)]
struct Bill {
    lines: Vec<FeeLine>,
    /// The fees that are zero without a line.
    free: [&'static str; 1],
}

/// A line: its fee, the position of its item, the amount in cents, its rule.
type FeeLine = (&'static str, Option<usize>, u32, String);

/// The price of an item in cents; 0 where its product is unknown.
fn price(samples: &Samples, item: &Item) -> u32 {
    let product = samples.products().get(item.product);
    product.map_or(0, |product| product.price)
}

/// A line for each item, and one for the shipping of all units.
fn bill(samples: &Samples, sample: &Sample) -> Bill {
    let product = |(position, item): (usize, &Item)| {
        let (price, quantity) = (price(samples, item), item.quantity);
        let rule = format!(
            "{}: {quantity} x {}.{:02} USD by the catalog",
            item.sku,
            price / 100,
            price % 100
        );
        ("product", Some(position), price * quantity, rule)
    };
    let units: u32 = sample.line_items.iter().map(|item| item.quantity).sum();
    let rule = format!(
        "Standard to everywhere: 4.99 USD for the first unit and {units} x 1.50 USD for further ones"
    );
    let products = sample.line_items.iter().enumerate().map(product);
    Bill {
        lines: products
            .chain([("shipping", None, 499 + 150 * units, rule)])
            .collect(),
        free: ["surcharge"],
    }
}

/// File URLs, mockups and print areas of each item.
fn art(samples: &Samples, sample: &Sample) -> Result<String, BenchError> {
    let of_item = |item: &Item| {
        let (files, mockups) = (json(&item.file_urls)?, json(&item.mockup_images)?);
        let product = samples.products().get(item.product);
        let areas = product.map_or("[]", |product| &product.stored_areas);
        Ok(format!("[{files},{mockups},{areas}]"))
    };
    let items = sample.line_items.iter().map(of_item);
    let items: Vec<String> = items.collect::<Result<_, BenchError>>()?;
    Ok(format!("[{}]", items.join(",")))
}

fn item_row(
    samples: &Samples,
    item: &Item,
    store: &StoreRef,
    order: &str,
    position: u32,
    id: &str,
) -> Vec<String> {
    vec![
        store.store_id.clone(),
        order.to_owned(),
        position.to_string(),
        id.to_owned(),
        item.name.clone(),
        item.sku.clone(),
        item.quantity.to_string(),
        item.ship_class.to_owned(),
        // Every item of a sample has a name. Both databases read 1 as true.
        "1".to_owned(),
        price(samples, item).to_string(),
    ]
}

/// The words of the texts that the service finds an order by.
fn words(sample: &Sample, number: &str, id: &str) -> Vec<String> {
    let mut words = WordSet::default();
    let (customer, address) = (&sample.customer, &sample.shipping_address);
    for text in [
        &sample.order_id,
        number,
        id,
        &customer.first_name,
        &customer.last_name,
        &address.first_name,
        &address.last_name,
        &address.email,
        &sample.email,
    ] {
        words.text(text);
    }
    words.phone(&address.phone);
    for item in &sample.line_items {
        words.text(&item.sku).text(&item.name);
    }
    words.reduced().iter().map(str::to_owned).collect()
}

/// A UUID of version 7.
fn uuid(random: &mut Rng, millis: u64) -> String {
    let (a, b) = (random.u64(..), random.u64(..));
    format!(
        "{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}",
        (millis >> 16) & 0xffff_ffff,
        millis & 0xffff,
        a & 0xfff,
        0x8000 | ((a >> 12) & 0x3fff),
        b & 0xffff_ffff_ffff
    )
}

/// Bytes of the form and length of a fingerprint.
fn fingerprint(random: &mut Rng) -> String {
    // A digest of 32 bytes, and four of each value.
    let mut digits = String::with_capacity(2 + (8 + LEAVES) * 8);
    digits.push_str(&format!("{FORM:02x}"));
    for _ in 0..8 + LEAVES {
        let number = random.u32(..);
        let nibbles = (0..8).map(|digit| (number >> (4 * digit)) & 0xf);
        digits.extend(nibbles.filter_map(|nibble| char::from_digit(nibble, 16)));
    }
    digits
}

fn json<T: Serialize>(value: &T) -> Result<String, BenchError> {
    Ok(serde_json::to_string(value)?)
}

#[cfg(test)]
mod tests {
    use pressline_domain::id::OrderId;
    use pressline_domain::order::fingerprint::Fingerprint;

    use super::*;
    use crate::catalog;

    fn rows() -> Rows {
        let samples = Samples::new(catalog::products(catalog::VARIANTS));
        let store = StoreRef {
            store_id: "s".to_owned(),
            prefix: "HOT".to_owned(),
        };
        let issued = OrderNumber {
            number: 17,
            created_at: 1_760_000_000_000,
        };
        Rows::of(&samples, &samples.order("w", 3), &store, issued).unwrap()
    }

    #[test]
    fn rows_are_as_long_as_their_columns() {
        let rows = rows();
        assert_eq!(rows.order.len(), ORDER_COLUMNS.len());
        assert_eq!(rows.items.len(), crate::sample::ITEMS);
        assert!(
            rows.items
                .iter()
                .all(|item| item.len() == ITEM_COLUMNS.len())
        );
        assert_eq!(rows.state.len(), life::STATE_COLUMNS.len());
        assert_eq!(rows.event.len(), life::EVENT_COLUMNS.len());
    }

    #[test]
    fn the_domain_can_read_ids_and_fingerprints() {
        let rows = rows();
        assert!(
            rows.order[1].parse::<OrderId>().is_ok(),
            "{}",
            rows.order[1]
        );
        let digits = rows.fingerprint.as_bytes();
        let bytes: Vec<u8> = digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        assert!(Fingerprint::from_bytes(&bytes).is_ok());
    }

    #[test]
    fn words_hold_what_people_type() {
        let words = rows().words;
        for word in ["w-00000003", "hot-17", "buyer.w3@mail.example.com"] {
            assert!(words.iter().any(|known| known == word), "{word}: {words:?}");
        }
    }
}
