//! The values of an order that are neither of its items nor money.

use pressline_domain::order::{Address, Order};

use super::address;
use crate::view::Compared;

pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: Compared,
}

pub(super) struct Facts {
    pub(super) title: &'static str,
    pub(super) facts: Vec<Fact>,
}

/// `now` is the present order, if `order` is an earlier version.
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

/// Names with values, always in the same order.
type Values = Vec<(String, String)>;

fn compared(then: Values, now: Option<Values>) -> Vec<Fact> {
    let mut now = now.map(Vec::into_iter);
    let facts = then.into_iter().map(|(name, value)| {
        let present = now.as_mut().and_then(Iterator::next);
        Fact {
            name,
            value: Compared::of(value, present.map(|(_, value)| value)),
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
