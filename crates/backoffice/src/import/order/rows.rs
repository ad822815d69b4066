//! Reads the rows of an order file and joins the rows of each order.

use std::collections::HashMap;

use crate::import::shipment::{Problems, RowProblem};
use crate::rows::{Column, Finding, Layout, Row, whole_number};
use pressline_domain::check::{Field, IssueCode, Warning};
use pressline_domain::order::request::{AddressDraft, CustomerDraft, LineItemDraft, OrderDraft};
use pressline_domain::order::{LineItem, OrderParts};

/// Summary of an order in an imported file; an import report lists only the first orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedOrder {
    /// Line number of the order's first row, counted from 1.
    pub line: u64,
    /// The store's own order id, from the column `order_id`.
    pub order_id: String,
    /// Service order id if the order already existed, else `None`.
    pub number: Option<String>,
    /// Name of the customer, else the recipient's company; empty if the order has neither.
    pub customer: String,
    /// Units and product names of the items, such as `2 x Mug`; the SKU if the item has no name.
    pub products: Vec<String>,
    /// Number of the order's items, one per row.
    pub items: usize,
    /// Number of units of all items.
    pub units: u32,
}

/// People write the digits of phone and tax numbers in groups: `415.555.0111`, `123 456 789`.
const PEOPLE_GROUP_BY: [char; 2] = [' ', '.'];

/// Columns of an order file. Only `order_id`, `sku` and `quantity` are required.
pub const ORDER_COLUMNS: Layout = Layout {
    columns: &[
        Column::identifier("order_id"),
        Column::identifier("email"),
        Column::text("first_name"),
        Column::text("last_name"),
        Column::text("company"),
        Column::text("address1"),
        Column::text("address2"),
        Column::text("city"),
        Column::grouped("zip", &[' ']),
        Column::text("province"),
        Column::identifier("province_code"),
        Column::text("country"),
        Column::identifier("country_code"),
        Column::grouped("phone", &PEOPLE_GROUP_BY),
        Column::grouped("tax_number", &PEOPLE_GROUP_BY),
        Column::grouped("eur_tax_value", &PEOPLE_GROUP_BY),
        Column::identifier("sku"),
        Column::value("quantity"),
        Column::text("item_name"),
        Column::identifier("ship_class"),
        Column::identifier("ref_id"),
        Column::identifier("file_urls"),
        Column::identifier("mockup_images"),
    ],
    required: &["order_id", "sku", "quantity"],
    ..Layout::EMPTY
};

/// Number of leading [`ORDER_COLUMNS`] that describe the whole order: up to `eur_tax_value`.
const OF_ORDER: usize = 16;

/// Columns of an item, each with the request field that it fills.
const OF_ITEM: [(&str, &str); 7] = [
    ("sku", "sku"),
    ("quantity", "quantity"),
    ("item_name", "name"),
    ("ship_class", "shipClass"),
    ("ref_id", "refId"),
    ("file_urls", "fileUrls"),
    ("mockup_images", "mockupImages"),
];

pub(super) struct OrderOfFile {
    pub(super) line: u64,
    order_id: String,
    /// Values of the columns that describe the whole order, sorted as in [`ORDER_COLUMNS`].
    values: Vec<Field<String>>,
    /// Items, each with its line in the file.
    items: Vec<(u64, LineItemDraft)>,
}

#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Problems,
    pub(super) orders: Vec<OrderOfFile>,
    by_id: HashMap<String, usize>,
}

impl Reader {
    /// Reads `row`, and drops it if it has `damages`: two ids that were rounded alike would be the
    /// same order.
    pub(super) fn read(&mut self, row: &Row, damages: Vec<Finding>) {
        if self.problems.add_damages(damages) {
            return;
        }
        let given = row.given("order_id");
        let Some(order_id) = given.text() else {
            let (code, message) = (IssueCode::Required, "required: the id of the order");
            self.problems.issue(row.line, "order_id", code, message);
            return;
        };
        let columns = of_order();
        let cells = columns.map(|column| row.given(column));
        let (values, item) = (cells.collect(), (row.line, item(row)));
        match self.by_id.get(order_id) {
            Some(position) => self.join(*position, row.line, values, item),
            None => {
                self.by_id.insert(order_id.to_owned(), self.orders.len());
                self.orders.push(OrderOfFile {
                    line: row.line,
                    order_id: order_id.to_owned(),
                    values,
                    items: vec![item],
                });
            }
        }
    }

    /// Reports each of the `values` that is not blank and differs from the order's first row.
    fn join(
        &mut self,
        position: usize,
        line: u64,
        values: Vec<Field<String>>,
        item: (u64, LineItemDraft),
    ) {
        let Some(order) = self.orders.get_mut(position) else {
            return;
        };
        order.items.push(item);
        let (first, pairs) = (order.line, order.values.iter().zip(values));
        let differing = of_order()
            .zip(pairs)
            .filter_map(|(column, (stored, given))| {
                (!given.is_blank() && stored.text() != given.text()).then_some(column)
            });
        for column in differing {
            let message = format!("line {first} of the same order has another value");
            self.problems
                .issue(line, column, IssueCode::Conflict, message);
        }
    }
}

impl OrderOfFile {
    pub(super) fn draft(&self) -> OrderDraft {
        let text = |column: &str| {
            let mut pairs = of_order().zip(&self.values);
            pairs
                .find(|(name, _)| *name == column)
                .map(|(_, value)| value.clone())
                .unwrap_or_default()
        };
        let items = self
            .items
            .iter()
            .map(|(_, item)| Field::Value(item.clone()));
        OrderDraft {
            order_id: text("order_id"),
            email: text("email"),
            shipping_address: Field::Value(AddressDraft {
                first_name: text("first_name"),
                last_name: text("last_name"),
                company: text("company"),
                address1: text("address1"),
                address2: text("address2"),
                city: text("city"),
                zip: text("zip"),
                province: text("province"),
                province_code: text("province_code"),
                country: text("country"),
                country_code: text("country_code"),
                phone: text("phone"),
                tax_number: text("tax_number"),
                eur_tax_value: text("eur_tax_value"),
                ..AddressDraft::default()
            }),
            customer: Field::Value(CustomerDraft {
                first_name: text("first_name"),
                last_name: text("last_name"),
            }),
            line_items: Field::Value(items.collect()),
            ..OrderDraft::default()
        }
    }

    pub(super) fn place(&self, field: &str) -> (u64, &'static str) {
        // A path such as `line_items[2].sku` has the index of the item in the draft.
        let item = field
            .strip_prefix("line_items[")
            .and_then(|rest| rest.split_once("]."));
        if let Some((index, key)) = item {
            let index = index.parse().unwrap_or(usize::MAX);
            let line = self.items.get(index).map_or(self.line, |(line, _)| *line);
            let key = key.split('[').next().unwrap_or_default();
            let mut columns = OF_ITEM.into_iter();
            let column = columns.find(|(_, field)| *field == key);
            return (line, column.map_or("", |(column, _)| column));
        }
        let key = field.rsplit('.').next().unwrap_or_default();
        let name = match key {
            // The file has no column for the whole name.
            "name" | "customer" => "first_name",
            key => key,
        };
        let column = of_order().find(|column| *column == name);
        (self.line, column.unwrap_or_default())
    }

    pub(super) fn imported(&self, order: &OrderParts, number: Option<String>) -> ImportedOrder {
        let product = |item: &LineItem| {
            let name = item.name.as_ref().unwrap_or(&item.sku);
            format!("{} x {name}", item.quantity)
        };
        ImportedOrder {
            line: self.line,
            order_id: self.order_id.clone(),
            number,
            customer: order.customer_name(),
            products: order.items.iter().map(product).collect(),
            items: order.items.len(),
            units: order.items.iter().map(|item| item.quantity).sum(),
        }
    }

    pub(super) fn warnings(&self, warnings: Vec<Warning>) -> Vec<RowProblem> {
        let warnings = warnings.into_iter().map(|warning| {
            let (line, column) = self.place(&warning.field);
            RowProblem::issue(line, column, warning.code, warning.message)
        });
        warnings.collect()
    }
}

fn of_order() -> impl Iterator<Item = &'static str> {
    let columns = ORDER_COLUMNS.columns.iter().take(OF_ORDER);
    columns.map(|column| column.name)
}

fn item(row: &Row) -> LineItemDraft {
    let urls = |column| {
        let urls: Vec<Field<String>> = row.texts(column).into_iter().map(Field::Value).collect();
        // A blank cell is an absent field, not an empty list.
        Some(urls).filter(|urls| !urls.is_empty()).into()
    };
    let given = row.given("quantity");
    // A value of the wrong type is passed on: the check of the order reports it.
    let quantity_text = given.text().unwrap_or_default();
    let quantity = Field::parsed(quantity_text, "a whole number", |text| {
        whole_number(text).parse().ok()
    });
    LineItemDraft {
        name: row.given("item_name"),
        sku: row.given("sku"),
        quantity,
        ship_class: row.given("ship_class"),
        file_urls: urls("file_urls"),
        mockup_images: urls("mockup_images"),
        ref_id: row.given("ref_id"),
    }
}
