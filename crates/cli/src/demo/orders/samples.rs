//! Content of the made-up orders: the rows of `people.csv` and `carts.csv`.

use pressline_domain::check::Field;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};

use super::plan::{PlannedOrder, rows};

pub(super) const CARRIER: &str = "usps";
const NO_FILES: &str = "no-files";

const PEOPLE: &str = include_str!("people.csv");
/// CSV file with a row for each item of a cart; `|` separates the print areas of an item.
const CARTS: &str = include_str!("carts.csv");

pub(super) fn order(planned: PlannedOrder) -> OrderDraft {
    let number = 1001 + planned.position;
    let files = planned.life != NO_FILES;
    let items = rows::<4>(CARTS)
        .filter(|[cart, ..]| *cart == planned.cart)
        .map(|[_, sku, quantity, areas]| line_item(number, sku, quantity, areas, files).into());
    let label = format!("https://files.example.com/sunday/{number}/label.pdf");
    OrderDraft {
        order_id: Field::Value(format!("sunday-{number}")),
        shipping_address_label: planned.has_label.then_some(label).into(),
        shipping_address: address(planned.person).into(),
        customer: customer(planned.person).into(),
        line_items: Field::Value(items.collect()),
        ..OrderDraft::default()
    }
}

fn line_item(number: usize, sku: &str, quantity: &str, areas: &str, files: bool) -> LineItemDraft {
    let url = |area: &str| {
        let url = format!("https://files.example.com/sunday/{number}/{sku}-{area}.png");
        Field::Value(url)
    };
    LineItemDraft {
        sku: sku.into(),
        quantity: quantity.parse::<i64>().unwrap_or_default().into(),
        file_urls: files.then(|| areas.split('|').map(url).collect()).into(),
        ..LineItemDraft::default()
    }
}

pub(super) fn address(name: &str) -> AddressDraft {
    let [_, first, last, street, city, zip, province, country] = person(name);
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

pub(super) fn customer(name: &str) -> CustomerDraft {
    let [_, first, last, ..] = person(name);
    CustomerDraft {
        first_name: first.into(),
        last_name: last.into(),
    }
}

fn person(name: &str) -> [&'static str; 8] {
    let mut people = rows::<8>(PEOPLE);
    people
        .find(|[known, ..]| *known == name)
        .unwrap_or_default()
}
