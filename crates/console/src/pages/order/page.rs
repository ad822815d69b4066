//! Page of an order, in its current or an earlier version.

use askama::Template;
use pressline_backoffice::note::NotedOrder;
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::order::{Address, GetDraft, Order};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Currency;

use super::action::{Actions, actions};
use super::address;
use super::bill::{BillLine, lines};
use super::item::{ItemRow, items};
use super::neighbours::OpenedFrom;
use super::pending::{NeedRow, PendingRow, needs, pending_row, requested};
use super::shipment::{ShipmentRow, shipments};
use super::timeline::{Timeline, timeline};
use crate::shell::paths::order::path;
use crate::shell::paths::print::pages_of;
use crate::shell::view::{TextComparison, age, arrived, bill, money, tracking};
use crate::shell::{Answer, Chip, Fields, FormField, Frame, Reply, Result, SignedInRequest};

#[derive(Template)]
#[template(path = "order/page.html")]
struct OrderPage {
    frame: Frame,
    path: String,
    /// URL of the page. Its query contains the list that the order was opened from, if any.
    here: String,
    opened: OpenedFrom,
    prints: [(&'static str, String); 2],
    noted: NotedOrder,
    /// Number of the current version, if the page shows an earlier version; otherwise `None`.
    present: Option<u32>,
    age: String,
    facts: Vec<Facts>,
    items: Vec<ItemRow>,
    money: Money,
    shipments: Vec<ShipmentRow>,
    pending: Option<PendingRow>,
    needs: Vec<NeedRow>,
    /// `None` for earlier versions, and for operators who may not add notes.
    new_note: Option<FormField>,
    actions: Actions,
    timeline: Timeline,
    older: Option<String>,
}

struct Money {
    lines: Vec<BillLine>,
    currency: Currency,
    total: String,
    unknown: Vec<&'static str>,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let number = visit.parameter("number");
    let draft = GetDraft {
        order_id: number.into(),
        at_version: visit.query().integer("atVersion"),
        ..GetDraft::default()
    };
    let noted = visit.services().notes.get(visit.scope(), &draft).await?;
    let current = match draft.at_version.is_absent() {
        true => None,
        false => Some(visit.named_order().await?),
    };
    // The requested version can be the current version.
    let now = current.filter(|now| now.state.version != noted.order.state.version);
    Reply::page(&page(&visit, noted, now.as_ref()).await?)
}

async fn page(
    visit: &SignedInRequest,
    noted: NotedOrder,
    now: Option<&Order>,
) -> Result<OrderPage> {
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
    let mut shipments = shipments(order, may("shipments/void"));
    opened.lead_back(&mut actions, &mut shipments);
    Ok(OrderPage {
        frame: visit.frame(&[&number, "Orders"])?,
        path: path(&number),
        here: opened.with_list(Fields::default()).address(&path(&number)),
        prints: pages_of(&number),
        present: now.map(|now| now.state.version),
        age: age(order.content.created_at(), time),
        facts: facts(order, now),
        items: items(order, now, zone),
        money: money_of(order)?,
        shipments,
        pending: match is_present {
            true => requested(visit, order).await?,
            false => pending_row(order, zone),
        },
        needs: needs(order, zone),
        new_note: may("orders/notes").then(|| FormField::lines("text", "New note", "").required()),
        actions,
        timeline,
        older,
        opened,
        noted,
    })
}

fn money_of(order: &SnapshotParts) -> Result<Money> {
    let (content, total) = (&order.content, bill(order)?.total());
    let unknown = content.bill.missing(content.kind().needed_fees());
    Ok(Money {
        lines: lines(order)?,
        currency: content.currency,
        total: money(total, content.currency),
        // An order with cancelled items only costs nothing, although its bill lacks fees.
        unknown: match order.is_priced() {
            true => Vec::new(),
            false => unknown.map(FeeType::as_str).collect(),
        },
    })
}

pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: TextComparison,
}

pub(super) struct Facts {
    pub(super) title: &'static str,
    pub(super) facts: Vec<Fact>,
}

/// Compares the values with `now`, the current version, if `order` is an earlier version.
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

/// Names and values, always in the same sequence, so that versions can be compared by position.
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
        ("Customer", content.customer_name()),
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
