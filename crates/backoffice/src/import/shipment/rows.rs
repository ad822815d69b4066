//! Reads the rows of a shipment file and joins the rows of each parcel.

use std::collections::HashMap;

use super::name::order_of;
use super::problems::Problems;
use crate::fields::number;
use crate::rows::{Column, Finding, Layout, Row, whole_number};
use pressline_domain::check::{Field, IssueCode, Report, limits};
use pressline_domain::fulfilment::{CanonicalNumber, ShipmentUpdate, is_same_number};
use pressline_domain::order::OwnOrderIds;
use pressline_domain::order::request::ShipmentDraft;
use pressline_domain::value::{OrderId, ServiceOrderId, Timestamp};

/// Columns of the parcel export for shipping software. The last two are empty, to be filled in: a
/// shipment import reads them and `number`, or `order_id` without it, and ignores the others.
pub const PARCEL_COLUMNS: [&str; 23] = [
    "number",
    "order_id",
    "store",
    "name",
    "company",
    "address1",
    "address2",
    "city",
    "zip",
    "province",
    "province_code",
    "country_code",
    "phone",
    "email",
    "ship_class",
    "weight_g",
    "units",
    "skus",
    "value",
    "currency",
    "tax_number",
    "carrier",
    "tracking_number",
];

/// Columns of a shipment file. The service order id, or the service's id of the order, is in
/// `number`, as in a parcel export, or in `order_id` if `number` is blank.
pub const SHIPMENT_COLUMNS: Layout = Layout {
    columns: &[
        Column::identifier("order_id"),
        Column::identifier("carrier"),
        // Carriers print groups of digits, and numbers are compared without white space.
        Column::grouped("tracking_number", &[' ']),
        Column::identifier("tracking_url"),
        Column::identifier("ref"),
        Column::identifier("sku"),
        Column::identifier("item_id"),
        Column::value("quantity"),
        Column::value("shipped_at"),
        Column::identifier("number"),
    ],
    required: &["order_id"],
    ignored: &PARCEL_COLUMNS,
    ..Layout::EMPTY
};

pub(super) struct OrderRows {
    pub(super) order: ServiceOrderId,
    pub(super) own_ids: OwnOrderIds,
    pub(super) line: u64,
    pub(super) parcels: Vec<Parcel>,
}

pub(super) struct Parcel {
    pub(super) line: u64,
    pub(super) values: ShipmentUpdate,
    /// Items named in the rows; empty for all unshipped units of the order.
    pub(super) items: Vec<ItemRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemRow {
    pub(super) line: u64,
    /// Id or code of the item; `None` if the row names its SKU only.
    pub(super) id: Option<String>,
    pub(super) sku: Option<String>,
    /// Number of units; `None` for all unshipped units of the item.
    pub(super) quantity: Option<u32>,
}

impl ItemRow {
    pub(super) fn column(&self) -> &'static str {
        match self.id {
            Some(_) => "item_id",
            None => "sku",
        }
    }
}

/// Rows with equal keys form a parcel. Carrier and number are set only without a reference.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ParcelKey {
    order: ServiceOrderId,
    reference: Option<String>,
    /// In lower case.
    carrier: Option<String>,
    number: Option<CanonicalNumber>,
}

impl ParcelKey {
    fn new(order: &ServiceOrderId, values: &ShipmentUpdate) -> Self {
        let tracking_values = Some(values).filter(|values| values.reference.is_none());
        let carrier = tracking_values.and_then(|values| values.carrier.as_deref());
        Self {
            order: order.clone(),
            reference: values.reference.clone(),
            carrier: carrier.map(str::to_lowercase),
            number: tracking_values
                .and_then(|values| values.tracking_number.as_deref())
                .map(CanonicalNumber::new),
        }
    }
}

#[derive(Default)]
pub(super) struct Reader {
    /// Numbers of the orders that rows name by their ids.
    numbers: HashMap<OrderId, ServiceOrderId>,
    pub(super) problems: Problems,
    pub(super) orders: Vec<OrderRows>,
    by_number: HashMap<ServiceOrderId, usize>,
    /// Index of the parcel's order in `orders`, and index of the parcel in this order.
    by_key: HashMap<ParcelKey, (usize, usize)>,
}

impl Reader {
    pub(super) fn new(numbers: HashMap<OrderId, ServiceOrderId>) -> Self {
        Self {
            numbers,
            ..Self::default()
        }
    }

    /// Reads `row`, and drops it if it has problems or `damages`.
    pub(super) fn read(&mut self, row: &Row, damages: Vec<Finding>) {
        let is_damaged = self.problems.add_damages(damages);
        let order = self.order(row);
        let values = self.values(row);
        let item = self.item(row);
        let (Some((order, own_ids)), Some(values), Ok(item)) = (order, values, item) else {
            return;
        };
        if is_damaged {
            return;
        }
        let key = ParcelKey::new(&order, &values);
        match self.by_key.get(&key) {
            Some(&(of_order, of_parcel)) => {
                self.mark(of_order, own_ids);
                self.join((of_order, of_parcel), row.line, values, item);
            }
            None => self.begin((key, own_ids), row.line, values, item),
        }
    }

    fn order(&mut self, row: &Row) -> Option<(ServiceOrderId, OwnOrderIds)> {
        let order = order_of(row, &self.numbers);
        order
            .map_err(|problem| self.problems.extend([problem]))
            .ok()
    }

    /// Returns `None` if a problem was reported.
    fn values(&mut self, row: &Row) -> Option<ShipmentUpdate> {
        let shipped_at = self.timestamp(row);
        let draft = ShipmentDraft {
            reference: row.given("ref"),
            carrier: row.given("carrier"),
            tracking_number: row.given("tracking_number"),
            tracking_url: row.given("tracking_url"),
            shipped_at: shipped_at.clone().unwrap_or_default(),
            ..ShipmentDraft::default()
        };
        let mut report = Report::default();
        let values = draft.values(&mut report);
        let mut is_right = report.violations.is_empty() && shipped_at.is_ok();
        for violation in report.violations {
            let column = column_of(&violation.field);
            self.problems
                .issue(row.line, column, violation.code, violation.message);
        }
        if is_right && values.reference.is_none() && values.tracking_number.is_none() {
            let message = "required, or `ref`: without either, a second import could not recognise the parcel";
            self.problems
                .issue(row.line, "tracking_number", IssueCode::Required, message);
            is_right = false;
        }
        is_right.then_some(values)
    }

    /// Reads a date, a timestamp, or milliseconds since 1970. `Err` if a problem was reported.
    fn timestamp(&mut self, row: &Row) -> Result<Field<i64>, ()> {
        let given = row.given("shipped_at");
        let Some(text) = given.text() else {
            return Ok(Field::Absent);
        };
        if let Ok(millis) = text.parse::<i64>() {
            return Ok(Field::Value(millis));
        }
        match text.parse::<Timestamp>() {
            Ok(moment) => Ok(Field::Value(moment.as_millis())),
            Err(error) => {
                let message = format!("{error}, nor milliseconds since 1970");
                self.problems
                    .issue(row.line, "shipped_at", IssueCode::InvalidFormat, message);
                Err(())
            }
        }
    }

    /// Returns `Ok(None)` if `row` stands for the whole order, and `Err` if a problem was reported.
    fn item(&mut self, row: &Row) -> Result<Option<ItemRow>, ()> {
        let text = |column| row.given(column).text().map(str::to_owned);
        let (id, sku) = (text("item_id"), text("sku"));
        let quantity = match text("quantity") {
            None => None,
            Some(text) => Some(self.quantity(row, &text)?),
        };
        if id.is_none() && sku.is_none() {
            if quantity.is_none() {
                return Ok(None);
            }
            let message = "required, or `sku`: a quantity must belong to an item";
            self.problems
                .issue(row.line, "item_id", IssueCode::Required, message);
            return Err(());
        }
        Ok(Some(ItemRow {
            line: row.line,
            id,
            sku,
            quantity,
        }))
    }

    fn quantity(&mut self, row: &Row, text: &str) -> Result<u32, ()> {
        let Ok(units) = whole_number(text).parse::<i64>() else {
            let message = "not a whole number of units";
            self.problems
                .issue(row.line, "quantity", IssueCode::InvalidFormat, message);
            return Err(());
        };
        let mut report = Report::default();
        let (given, range) = (units.into(), (1, limits::QUANTITY));
        let quantity = number(&given, "quantity", range, &mut report);
        for violation in report.violations {
            self.problems
                .issue(row.line, "quantity", violation.code, violation.message);
        }
        quantity.ok_or(())
    }

    fn begin(
        &mut self,
        (key, own_ids): (ParcelKey, OwnOrderIds),
        line: u64,
        values: ShipmentUpdate,
        item: Option<ItemRow>,
    ) {
        let next = self.orders.len();
        let of_order = *self.by_number.entry(key.order.clone()).or_insert(next);
        if of_order == next {
            self.orders.push(OrderRows {
                order: key.order.clone(),
                own_ids,
                line,
                parcels: Vec::new(),
            });
        }
        self.mark(of_order, own_ids);
        let Some(order) = self.orders.get_mut(of_order) else {
            return;
        };
        self.by_key.insert(key, (of_order, order.parcels.len()));
        order.parcels.push(Parcel {
            line,
            values,
            items: item.into_iter().collect(),
        });
    }

    /// Notes how a row names the order: a single row with an ambiguous name suffices to refuse it.
    fn mark(&mut self, of_order: usize, own_ids: OwnOrderIds) {
        let order = self.orders.get_mut(of_order);
        if let Some(order) = order.filter(|_| own_ids == OwnOrderIds::Ambiguous) {
            order.own_ids = own_ids;
        }
    }

    /// Reports differing `values`, and a parcel of several rows if one of its rows names no item.
    fn join(
        &mut self,
        (of_order, of_parcel): (usize, usize),
        line: u64,
        values: ShipmentUpdate,
        item: Option<ItemRow>,
    ) {
        let order = self.orders.get_mut(of_order);
        let Some(parcel) = order.and_then(|order| order.parcels.get_mut(of_parcel)) else {
            return;
        };
        let first = parcel.line;
        let conflict = IssueCode::Conflict;
        for column in differing(&mut parcel.values, values) {
            let message = format!("line {first} of the same parcel has another value");
            self.problems.issue(line, column, conflict, message);
        }
        match item {
            None => {
                let message =
                    format!("line {first} of the same parcel; name the item of each of its rows");
                let code = IssueCode::Required;
                self.problems.issue(line, "item_id", code, message);
            }
            // The first row stands for all items, so this row would ship its item twice.
            Some(_) if parcel.items.is_empty() => {
                let message =
                    format!("line {first} of the same parcel has all items; name its item, too");
                self.problems.issue(line, "item_id", conflict, message);
            }
            Some(item) => parcel.items.push(item),
        }
    }
}

/// Fills blank values of `first`, and returns the columns that differ. Letter case does not count in
/// carriers and tracking numbers, nor white space in the latter.
fn differing(first: &mut ShipmentUpdate, mut further: ShipmentUpdate) -> Vec<&'static str> {
    fn differs<T: PartialEq>(first: &mut Option<T>, further: Option<T>) -> bool {
        match (&*first, further) {
            (_, None) => false,
            (Some(first), Some(further)) => *first != further,
            (None, further) => {
                *first = further;
                false
            }
        }
    }
    let folded = |carrier: &Option<String>| carrier.as_deref().map(str::to_lowercase);
    if folded(&first.carrier) == folded(&further.carrier) {
        further.carrier = None;
    }
    let (own, other) = (&first.tracking_number, &further.tracking_number);
    if is_same_number(own.as_deref(), other.as_deref()) {
        further.tracking_number = None;
    }
    let columns = [
        ("ref", differs(&mut first.reference, further.reference)),
        ("carrier", differs(&mut first.carrier, further.carrier)),
        (
            "tracking_number",
            differs(&mut first.tracking_number, further.tracking_number),
        ),
        (
            "tracking_url",
            differs(&mut first.tracking_url, further.tracking_url),
        ),
        (
            "shipped_at",
            differs(&mut first.shipped_at, further.shipped_at),
        ),
    ];
    let differing = columns.into_iter().filter(|(_, differs)| *differs);
    differing.map(|(column, _)| column).collect()
}

fn column_of(field: &str) -> &'static str {
    match field {
        "carrier" => "carrier",
        "trackingNumber" => "tracking_number",
        "trackingUrl" => "tracking_url",
        "shippedAt" => "shipped_at",
        _ => "ref",
    }
}
