//! Page of an order, in its current or an earlier version.

use askama::Template;
use pressline_backoffice::note::NotedOrder;
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::order::{Address, GetDraft, Order};
use pressline_domain::pricing::fees::FeeType;
use pressline_http::request_error::RequestError;

use super::action::{Actions, actions};
use super::address;
use super::item::{ItemRow, items};
use super::load::load;
use super::neighbours::OpenedFrom;
use super::pending::{NeedRow, PendingRow, needs, pending_row, requested};
use super::shipment::{ShipmentRow, shipments};
use super::timeline::{Timeline, timeline};
use crate::shell::form::{Fields, FormField};
use crate::shell::frame::Frame;
use crate::shell::paths::order::path;
use crate::shell::paths::print::pages_of;
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::time::When;
use crate::shell::view::{TextComparison, age, money, signed_money};

#[derive(Template)]
#[template(path = "order/page.html")]
struct OrderPage {
    frame: Frame,
    path: String,
    /// URL of the page, with the list that it was opened from.
    here: String,
    opened: OpenedFrom,
    prints: [(&'static str, String); 2],
    version: u32,
    present: Option<u32>,
    is_test: bool,
    placed: When,
    age: String,
    facts: Vec<Facts>,
    items: Vec<ItemRow>,
    money: Money,
    shipments: Vec<ShipmentRow>,
    pending: Option<PendingRow>,
    needs: Vec<NeedRow>,
    replaces: Vec<(String, String)>,
    replaced_by: Vec<(String, String)>,
    notes: Vec<NoteRow>,
    /// Field for a new note; `None` for earlier versions, and for operators who may not add notes.
    new_note: Option<FormField>,
    actions: Actions,
    timeline: Timeline,
    older: Option<String>,
}

struct Money {
    lines: Vec<MoneyLine>,
    total: String,
    unknown: Vec<&'static str>,
}

struct MoneyLine {
    fee: &'static str,
    item: String,
    rule: String,
    amount: String,
    is_operators: bool,
}

struct NoteRow {
    text: String,
    who: String,
    at: When,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let number = visit.parameter("number");
    let draft = GetDraft {
        order_id: number.into(),
        at_version: visit.query().integer("atVersion"),
        ..GetDraft::default()
    };
    let noted = visit.services().notes.get(visit.scope(), &draft).await?;
    let now = match draft.at_version.is_absent() {
        true => None,
        false => Some(load(&visit).await?),
    };
    // The requested version can be the current version.
    let now = now.filter(|now| now.state.version != noted.order.state.version);
    Reply::page(&page(&visit, noted, now.as_ref()).await?)
}

async fn page(
    visit: &SignedInRequest,
    noted: NotedOrder,
    now: Option<&Order>,
) -> Result<OrderPage, RequestError> {
    let (order, zone) = (&noted.order, visit.zone());
    let number = order.service_order_id.to_string();
    let time = visit.services().clock.now();
    let is_present = now.is_none();
    // Earlier versions are shown without actions.
    let may = |call: &str| is_present && visit.operator().may(call);
    let opened = OpenedFrom::new(visit, &noted.order).await?;
    let timeline = timeline(visit, order, visit.query().get("cursor")).await?;
    let older = timeline.next.as_deref().map(|cursor| {
        let fields = opened.with_list(Fields::new([("cursor", cursor)]));
        let address = fields.address(&path(&number));
        format!("{address}#timeline")
    });
    let mut actions = match is_present {
        true => actions(visit, order, time),
        false => Actions::default(),
    };
    let mut shipments = shipments(order, may("shipments/void"), zone);
    opened.lead_back(&mut actions, &mut shipments);
    Ok(OrderPage {
        frame: visit.frame(&[&number, "Orders"])?,
        path: path(&number),
        here: opened.with_list(Fields::default()).address(&path(&number)),
        prints: pages_of(&number),
        version: order.state.version,
        present: now.map(|now| now.state.version),
        is_test: order.content.test,
        placed: When::in_zone(order.content.created_at(), zone),
        age: age(order.content.created_at(), time),
        facts: facts(order, now),
        items: items(order, now, zone),
        money: bill(order)?,
        shipments,
        pending: match is_present {
            true => requested(visit, order).await?,
            false => pending_row(order, zone),
        },
        needs: needs(order, zone),
        replaces: links(order.state.replaces.iter()),
        replaced_by: links(order.state.replaced_by.iter()),
        notes: notes(&noted, visit),
        new_note: may("orders/notes").then(|| FormField::lines("text", "New note", "").required()),
        actions,
        timeline,
        older,
        opened,
    })
}

fn bill(order: &SnapshotParts) -> Result<Money, RequestError> {
    let currency = order.content.currency;
    let bill = order.bill();
    let bill = bill.map_err(|error| RequestError::internal(error.to_string()))?;
    let lines = bill.lines().iter().map(|line| {
        let item = line.item.and_then(|id| order.state.item(id));
        let code = item.map(|item| item.code(&order.service_order_id));
        MoneyLine {
            fee: line.fee.as_str(),
            item: code.unwrap_or_default(),
            rule: line.rule.to_owned(),
            amount: signed_money(line.amount, currency),
            is_operators: line.origin.as_str() == "operator",
        }
    });
    let needed = order.content.kind().needed_fees();
    let unknown = order.content.bill.missing(needed).map(FeeType::as_str);
    Ok(Money {
        lines: lines.collect(),
        total: money(bill.total(), currency),
        // An order with cancelled items only costs nothing, although its bill lacks fees.
        unknown: match order.is_priced() {
            true => Vec::new(),
            false => unknown.collect(),
        },
    })
}

fn notes(noted: &NotedOrder, visit: &SignedInRequest) -> Vec<NoteRow> {
    let notes = noted.notes.iter();
    notes
        .map(|note| NoteRow {
            text: note.text.clone(),
            who: noted.names.get(&note.operator).cloned().unwrap_or_default(),
            at: When::in_zone(note.created_at, visit.zone()),
        })
        .collect()
}

fn links<'a>(
    numbers: impl Iterator<Item = &'a pressline_domain::value::id::ServiceOrderId>,
) -> Vec<(String, String)> {
    let numbers = numbers.map(ToString::to_string);
    numbers.map(|number| (path(&number), number)).collect()
}

pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: TextComparison,
}

pub(super) struct Facts {
    pub(super) title: &'static str,
    pub(super) facts: Vec<Fact>,
}

/// Returns the facts about `order`. If it is an earlier version, they are compared with `now`, the
/// current order.
pub(super) fn facts(order: &Order, now: Option<&Order>) -> Vec<Facts> {
    [
        ("Order", of_order(order), now.map(of_order)),
        ("Ship to", shipping(order), now.map(shipping)),
        ("Bill to", billing(order), now.map(billing)),
    ]
    .into_iter()
    .map(|(title, then, now)| Facts {
        title,
        facts: compared(then, now),
    })
    .filter(|facts| !facts.facts.is_empty())
    .collect()
}

/// Names with values, always in the same order, so that two versions are compared by position.
type Values = Vec<(String, String)>;

fn compared(then: Values, now: Option<Values>) -> Vec<Fact> {
    let mut now = now.map(Vec::into_iter);
    let facts = then.into_iter().map(|(name, value)| {
        let present = now.as_mut().and_then(Iterator::next);
        Fact {
            name,
            value: TextComparison::new(value, present.map(|(_, value)| value)),
        }
    });
    facts.filter(|fact| !fact.value.is_empty()).collect()
}

fn of_order(order: &Order) -> Values {
    let content = &order.content;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let values = [
        ("Store's id", order.shown_order_id().into_owned()),
        ("Type", content.kind().as_str().to_owned()),
        ("Source", content.source.as_str().to_owned()),
        ("Customer", content.customer.name()),
        ("E-mail", text(&content.email)),
        ("Production note", text(&content.production_note)),
        ("Label", text(&content.label_url)),
    ];
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

fn shipping(order: &Order) -> Values {
    of_address(order.content.shipping_address.as_ref())
}

fn billing(order: &Order) -> Values {
    of_address(order.content.billing_address.as_ref())
}

fn of_address(address: Option<&Address>) -> Values {
    let absent = Address::default();
    let texts = address::texts(address.unwrap_or(&absent)).into_iter();
    texts
        .map(|(field, text)| (address::label(field), text))
        .collect()
}
