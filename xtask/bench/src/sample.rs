//! Orders as stores send them: distinct, about 2.5 KB, and identical in every run.

use fastrand::Rng;
use serde_json::{Value, json};

use crate::catalog::Product;

pub(crate) const FIRST: [&str; 24] = [
    "Ana", "Liam", "Noah", "Olivia", "Emma", "Mateo", "Sofia", "Lucas", "Mia", "Ethan", "Chloé",
    "Zoë", "José", "Nguyen", "Yuki", "Priya", "Omar", "Fatima", "Ivan", "Elena", "Grace", "Henry",
    "Isla", "Jack",
];
pub(crate) const LAST: [&str; 24] = [
    "Souza", "Smith", "Johnson", "Garcia", "Müller", "Rossi", "Dubois", "Tran", "Đỗ", "Kim",
    "Patel", "Khan", "Ivanov", "Silva", "Lopez", "Nowak", "Jensen", "Virtanen", "O'Neil", "Brown",
    "Wilson", "Moore", "Taylor", "Clark",
];
/// Rarer second last names.
pub(crate) const SECOND: [&str; 20] = [
    "Abbott", "Barlow", "Carver", "Dalton", "Easton", "Fowler", "Granger", "Hobart", "Irwin",
    "Jarvis", "Keller", "Landry", "Mercer", "Norwood", "Osborn", "Parrish", "Quigley", "Radford",
    "Sawyer", "Thorne",
];
const STREETS: [&str; 4] = [
    "Market Street",
    "Oak Avenue",
    "Lake Shore Drive",
    "Hill Terrace",
];
/// City, state, state code, and prefix of its postal codes.
const PLACES: [[&str; 4]; 5] = [
    ["San Francisco", "California", "US-CA", "941"],
    ["New York", "New York", "US-NY", "100"],
    ["Chicago", "Illinois", "US-IL", "606"],
    ["Seattle", "Washington", "US-WA", "981"],
    ["Denver", "Colorado", "US-CO", "802"],
];
pub(crate) const ITEMS: usize = 3;
/// Maximum number of items per order.
pub(crate) const MOST_ITEMS: usize = 100;

/// An order. All other values are drawn when the body is written.
pub(crate) struct Sample {
    pub(crate) order_id: String,
    pub(crate) first: String,
    pub(crate) last: String,
    pub(crate) phone: String,
    /// Local part of the customer's email address.
    pub(crate) mailbox: String,
    pub(crate) items: Vec<Item>,
    random: Rng,
}

pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) sku: String,
    pub(crate) file_urls: Vec<String>,
    pub(crate) mockups: Vec<String>,
    quantity: u32,
    ship_class: &'static str,
}

impl Sample {
    pub(crate) fn email(&self) -> String {
        format!("{}@mail.example.com", self.mailbox)
    }

    pub(crate) fn body(&self) -> String {
        let item = |item: &Item| {
            json!({
                "name": item.name,
                "sku": item.sku,
                "quantity": item.quantity,
                "shipClass": item.ship_class,
                "fileUrls": item.file_urls,
                "mockupImages": item.mockups,
            })
        };
        let items = self.items.iter().map(item).collect();
        // A clone of the generator, so that the same sample always gives the same body.
        let shop = self.random.clone().u64(..40);
        let email = format!("shop.{shop}@orders.example.com");
        let mut body = self.with_items(&self.order_id, items);
        if let Some(body) = body.as_object_mut() {
            body.insert("email".to_owned(), email.into());
        }
        body.to_string()
    }

    /// Body of an update that replaces addresses and customer of the stored order `order_id`.
    pub(crate) fn update_of(&self, order_id: &str) -> String {
        self.with_items(order_id, Vec::new()).to_string()
    }

    fn with_items(&self, order_id: &str, items: Vec<Value>) -> Value {
        let mut random = self.random.clone();
        json!({
            "order_id": order_id,
            "shipping_address": self.address(&mut random),
            "billing_address": self.address(&mut random),
            "customer": { "first_name": self.first, "last_name": self.last },
            "line_items": items,
        })
    }

    fn address(&self, random: &mut Rng) -> Value {
        let place = random.choice(&PLACES).copied().unwrap_or_default();
        let [city, province, code, zip] = place;
        json!({
            "first_name": self.first,
            "last_name": self.last,
            "company": format!("{} Goods {}", pick(random, &SECOND), random.u64(..1000)),
            "address1": format!("{} {}", 1 + random.u64(..9999), pick(random, &STREETS)),
            "address2": format!("Apartment {}", 1 + random.u64(..400)),
            "city": city,
            "zip": format!("{zip}{:02}", random.u64(..100)),
            "province": province,
            "province_code": code,
            "country": "United States",
            "country_code": "US",
            "phone": self.phone,
            "email": self.email(),
            "latitude": 37.77,
            "longitude": -122.42,
        })
    }
}

pub(crate) struct Samples {
    products: Vec<Product>,
}

impl Samples {
    pub(crate) fn new(products: Vec<Product>) -> Self {
        Self { products }
    }

    pub(crate) fn products(&self) -> &[Product] {
        &self.products
    }

    /// Returns order `number` of a series. Order ids of different series differ.
    pub(crate) fn order(&self, series: &str, number: u64, items: usize) -> Sample {
        // A different seed per series, so that equal numbers give different orders.
        let seed = series.bytes().fold(17, |seed: u64, byte| {
            seed.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let mut random = Rng::with_seed(number ^ (seed << 32));
        let (last, second) = (pick(&mut random, &LAST), pick(&mut random, &SECOND));
        let order_id = order_id(series, number);
        let items = (0..items).map(|_| self.item(&mut random, &order_id));
        Sample {
            items: items.collect(),
            first: pick(&mut random, &FIRST).to_owned(),
            last: format!("{last} {second}"),
            phone: format!(
                "+1 {:03} {:03} {:04}",
                201 + random.u64(..780),
                random.u64(..1000),
                random.u64(..10_000)
            ),
            mailbox: format!("buyer.{series}{number}").to_lowercase(),
            order_id,
            random,
        }
    }

    fn item(&self, random: &mut Rng, order_id: &str) -> Item {
        let product = random.choice(&self.products);
        let (name, sku) = product.map_or(("", ""), |product| (&product.name, &product.sku));
        let areas = product.map_or(1, |product| product.areas.len());
        let mut url = |kind: &str| {
            let (a, b) = (random.u64(..), random.u64(..));
            let folder = "https://files.prints.example.com/stores/main/orders";
            format!("{folder}/{order_id}/{kind}-{a:016x}{b:016x}.png")
        };
        Item {
            name: name.to_owned(),
            sku: sku.to_owned(),
            file_urls: (0..areas).map(|_| url("print")).collect(),
            mockups: vec![url("mockup"), url("mockup")],
            quantity: random.u32(1..=3),
            // Three of four items are standard.
            ship_class: pick(random, &["Express", "Standard", "Standard", "Standard"]),
        }
    }
}

/// Returns the order id that [`Samples::order`] assigns.
pub(crate) fn order_id(series: &str, number: u64) -> String {
    format!("{series}-{number:08}")
}

fn pick<'a>(random: &mut Rng, list: &[&'a str]) -> &'a str {
    random.choice(list).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn orders_are_of_the_size_that_stores_send_and_the_same_in_every_run() {
        let samples = Samples::new(catalog::products(catalog::VARIANTS));
        let body = |series, number| samples.order(series, number, ITEMS).body();
        for number in 0..50 {
            let size = body("a", number).len();
            assert!((2200..2900).contains(&size), "{size} bytes");
        }
        assert_eq!(body("a", 3), body("a", 3));
        assert_ne!(body("a", 3), body("a", 4));
        assert_ne!(body("a", 3), body("b", 3));
    }
}
