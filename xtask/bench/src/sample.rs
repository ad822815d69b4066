//! Orders as stores send them: distinct, about 2.5 KB, and the same in every run.

use serde::Serialize;
use serde_json::json;

use crate::catalog::Product;
use fastrand::Rng;

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
/// Names that are rarer, one of which follows the last name.
pub(crate) const SECOND: [&str; 20] = [
    "Abbott", "Barlow", "Carver", "Dalton", "Easton", "Fowler", "Granger", "Hobart", "Irwin",
    "Jarvis", "Keller", "Landry", "Mercer", "Norwood", "Osborn", "Parrish", "Quigley", "Radford",
    "Sawyer", "Thorne",
];
const STREETS: [&str; 10] = [
    "Market Street",
    "Mission Street",
    "Oak Avenue",
    "Pine Road",
    "Lake Shore Drive",
    "Main Street",
    "Sunset Boulevard",
    "Elm Court",
    "River Lane",
    "Hill Terrace",
];
/// City, state, code of the state, beginning of its postal codes, latitude, longitude.
const PLACES: [(&str, &str, &str, &str, f64, f64); 8] = [
    (
        "San Francisco",
        "California",
        "US-CA",
        "941",
        37.77,
        -122.42,
    ),
    ("Los Angeles", "California", "US-CA", "900", 34.05, -118.24),
    ("New York", "New York", "US-NY", "100", 40.71, -74.01),
    ("Chicago", "Illinois", "US-IL", "606", 41.88, -87.63),
    ("Houston", "Texas", "US-TX", "770", 29.76, -95.37),
    ("Seattle", "Washington", "US-WA", "981", 47.61, -122.33),
    ("Denver", "Colorado", "US-CO", "802", 39.74, -104.99),
    ("Miami", "Florida", "US-FL", "331", 25.76, -80.19),
];

/// An address, in the request's spelling; the service keeps it so too.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Address {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) company: String,
    pub(crate) address1: String,
    pub(crate) address2: String,
    pub(crate) city: String,
    pub(crate) zip: String,
    pub(crate) province: String,
    pub(crate) province_code: String,
    pub(crate) country: String,
    pub(crate) country_code: String,
    pub(crate) phone: String,
    pub(crate) email: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
}

/// Who ordered.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Customer {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
}

/// A line item.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) sku: String,
    pub(crate) quantity: u32,
    #[serde(rename = "shipClass")]
    pub(crate) ship_class: &'static str,
    #[serde(rename = "fileUrls")]
    pub(crate) file_urls: Vec<String>,
    #[serde(rename = "mockupImages")]
    pub(crate) mockup_images: Vec<String>,
    /// Which product of the catalog it is.
    #[serde(skip)]
    pub(crate) product: usize,
}

/// An order, as the body of a create request.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Sample {
    pub(crate) order_id: String,
    pub(crate) email: String,
    pub(crate) shipping_address: Address,
    pub(crate) billing_address: Address,
    pub(crate) customer: Customer,
    pub(crate) line_items: Vec<Item>,
}

impl Sample {
    /// Returns the body of an update that replaces addresses and customer of a stored order by these.
    pub(crate) fn update_of(&self, order_id: &str) -> String {
        json!({
            "order_id": order_id,
            "shipping_address": self.shipping_address,
            "billing_address": self.billing_address,
            "customer": self.customer,
            "line_items": [],
        })
        .to_string()
    }
}

/// Makes orders for the products of a catalog.
pub(crate) struct Samples {
    products: Vec<Product>,
}

/// Items of an order, unless said otherwise.
pub(crate) const ITEMS: usize = 3;

impl Samples {
    /// Orders for these products.
    pub(crate) fn new(products: Vec<Product>) -> Self {
        Self { products }
    }

    /// The products.
    pub(crate) fn products(&self) -> &[Product] {
        &self.products
    }

    /// The order of this number in a series. Order ids of different series differ.
    pub(crate) fn order(&self, series: &str, number: u64) -> Sample {
        self.order_of(series, number, ITEMS)
    }

    /// The same with so many items.
    pub(crate) fn order_of(&self, series: &str, number: u64, items: usize) -> Sample {
        let mut random = Rng::with_seed(number ^ (seed_of(series) << 32));
        let first = pick(&mut random, &FIRST);
        let last = format!(
            "{} {}",
            pick(&mut random, &LAST),
            pick(&mut random, &SECOND)
        );
        let mailbox = format!("buyer.{series}{number}").to_lowercase();
        let shipping = address(&mut random, first, &last, &mailbox);
        let billing = address(&mut random, first, &last, &mailbox);
        let order_id = order_id(series, number);
        Sample {
            email: format!("shop.{}@orders.example.com", random.u64(..40)),
            customer: Customer {
                first_name: first.to_owned(),
                last_name: last,
            },
            shipping_address: shipping,
            billing_address: billing,
            line_items: (0..items)
                .map(|_| self.item(&mut random, &order_id))
                .collect(),
            order_id,
        }
    }

    fn item(&self, random: &mut Rng, order_id: &str) -> Item {
        let at = random.usize(..self.products.len());
        let (sku, name, areas) = self.products.get(at).map_or_else(Default::default, |p| {
            (p.sku.clone(), p.name.clone(), p.areas.len())
        });
        let mut url = |kind: &str| {
            format!(
                "https://files.prints.example.com/stores/main/orders/{order_id}/{kind}-{:016x}{:016x}.png",
                random.u64(..),
                random.u64(..)
            )
        };
        Item {
            file_urls: (0..areas.max(1)).map(|_| url("print")).collect(),
            mockup_images: vec![url("mockup"), url("mockup")],
            quantity: random.u32(1..=3),
            ship_class: if random.u64(..5) == 0 {
                "Express"
            } else {
                "Standard"
            },
            name,
            sku,
            product: at,
        }
    }
}

/// The id of an order, as [`Samples::order`] gives it.
pub(crate) fn order_id(series: &str, number: u64) -> String {
    format!("{series}-{number:08}")
}

/// A number that differs between series.
pub(crate) fn seed_of(series: &str) -> u64 {
    series.bytes().fold(17, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    })
}

/// One of the texts of a list.
fn pick<'a>(random: &mut Rng, list: &[&'a str]) -> &'a str {
    random.choice(list).copied().unwrap_or_default()
}

fn address(random: &mut Rng, first: &str, last: &str, mailbox: &str) -> Address {
    let place = random.choice(&PLACES).copied();
    let (city, province, code, zip, latitude, longitude) = place.unwrap_or_default();
    Address {
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        company: format!("{} Goods {}", pick(random, &SECOND), random.u64(..1000)),
        address1: format!("{} {}", 1 + random.u64(..9999), pick(random, &STREETS)),
        address2: format!("Apartment {}", 1 + random.u64(..400)),
        city: city.to_owned(),
        zip: format!("{zip}{:02}", random.u64(..100)),
        province: province.to_owned(),
        province_code: code.to_owned(),
        country: "United States".to_owned(),
        country_code: "US".to_owned(),
        phone: format!(
            "+1 {:03} {:03} {:04}",
            201 + random.u64(..780),
            random.u64(..1000),
            random.u64(..10_000)
        ),
        email: format!("{mailbox}@mail.example.com"),
        latitude,
        longitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn orders_are_of_the_size_that_stores_send_and_the_same_in_every_run() {
        let samples = Samples::new(catalog::products(catalog::VARIANTS));
        let body = |series, number| serde_json::to_string(&samples.order(series, number)).unwrap();
        for number in 0..50 {
            let size = body("a", number).len();
            assert!((2200..2900).contains(&size), "{size} bytes");
        }
        assert_eq!(body("a", 3), body("a", 3));
        assert_ne!(body("a", 3), body("a", 4));
        assert_ne!(body("a", 3), body("b", 3));
    }
}
