//! What the orders contain. Everything is made up.

use pressline_domain::field::Field;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};

use super::lives::Life;

pub(super) const CARRIER: &str = "usps";

/// A person a line: first name, last name, street, city, postal code, province, country.
const PEOPLE: &str = include_str!("people.csv");

/// SKU, number of units and the printed areas of each item.
type Cart = &'static [(&'static str, i64, &'static [&'static str])];

const CARTS: [Cart; 9] = [
    &[("TEE-UNISEX-BLACK-M", 2, &["front"])],
    &[
        ("MUG-11OZ-WHITE", 1, &["wrap"]),
        ("TOTE-NATURAL", 2, &["front"]),
    ],
    &[("POSTER-18X24-MATTE", 3, &["print"])],
    &[("TEE-UNISEX-BLACK-L", 6, &["front", "back"])],
    &[("STICKER-KISSCUT-3IN", 25, &["print"])],
    &[
        ("HOODIE-GREY-L", 1, &["front"]),
        ("TEE-UNISEX-BLACK-M", 1, &["front"]),
    ],
    &[("MUG-15OZ-WHITE", 4, &["wrap"])],
    &[
        ("PHONECASE-TOUGH-14", 1, &["back"]),
        ("STICKER-KISSCUT-3IN", 10, &["print"]),
    ],
    &[("CANVAS-12X16", 2, &["print"])],
];

const UNPRICED: Cart = &[
    ("MUG-20OZ-RED", 1, &["wrap"]),
    ("MUG-11OZ-WHITE", 2, &["wrap"]),
];

/// One order in so many is sent with the store's own label.
const LABELS: usize = 16;

pub(super) fn order(order: usize, life: Life) -> OrderDraft {
    let number = 1001 + order;
    let cart = match life {
        Life::Unpriced => UNPRICED,
        _ => pick(&CARTS, order).copied().unwrap_or(UNPRICED),
    };
    let files = life != Life::NoFiles;
    let items = cart
        .iter()
        .map(|item| line_item(number, item, files).into());
    let person = person(order);
    let [first, last, ..] = person;
    let label = format!("https://files.example.com/sunday/{number}/label.pdf");
    let has_label = order % LABELS == 7;
    OrderDraft {
        order_id: Field::Value(format!("sunday-{number}")),
        shipping_address_label: has_label.then_some(label).into(),
        shipping_address: address(person).into(),
        customer: customer(first, last).into(),
        line_items: Field::Value(items.collect()),
        ..OrderDraft::default()
    }
}

pub(super) fn other_address() -> AddressDraft {
    AddressDraft {
        address1: "1200 Folsom St".into(),
        zip: "94103".into(),
        ..address(person(0))
    }
}

pub(super) fn other_customer() -> CustomerDraft {
    customer("Ana", "Đỗ")
}

fn line_item(
    number: usize,
    (sku, quantity, areas): &(&'static str, i64, &'static [&'static str]),
    files: bool,
) -> LineItemDraft {
    let url = |area: &&str| {
        let url = format!("https://files.example.com/sunday/{number}/{sku}-{area}.png");
        Field::Value(url)
    };
    LineItemDraft {
        sku: (*sku).into(),
        quantity: (*quantity).into(),
        file_urls: files.then(|| areas.iter().map(url).collect()).into(),
        ..LineItemDraft::default()
    }
}

fn address([first, last, street, city, zip, province, country]: [&str; 7]) -> AddressDraft {
    AddressDraft {
        first_name: first.into(),
        last_name: last.into(),
        address1: street.into(),
        city: city.into(),
        zip: zip.into(),
        province_code: province.into(),
        country_code: country.into(),
        ..AddressDraft::default()
    }
}

fn customer(first: &str, last: &str) -> CustomerDraft {
    CustomerDraft {
        first_name: first.into(),
        last_name: last.into(),
    }
}

fn person(order: usize) -> [&'static str; 7] {
    let people: Vec<&str> = PEOPLE.lines().collect();
    let mut fields = pick(&people, order).unwrap_or(&"").split(',');
    std::array::from_fn(|_| fields.next().unwrap_or_default())
}

/// Returns an entry for each number. Numbers that follow each other are far apart in the list.
fn pick<T>(list: &[T], number: usize) -> Option<&T> {
    list.get(number * 7 % list.len())
}
