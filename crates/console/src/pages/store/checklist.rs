//! Checklist of a store: conditions for its orders, such as prices, each with a link to a page.

use pressline_backoffice::checklist::Checklist;
use pressline_domain::store::Store;

use crate::shell::{Chip, SignedInRequest, When};

pub(super) struct CheckRow {
    pub(super) name: &'static str,
    pub(super) chip: Chip,
    pub(super) text: String,
    /// Label and path of a page about the condition; `None` if the operator cannot open the page.
    pub(super) link: Option<(&'static str, &'static str)>,
}

impl CheckRow {
    fn new(name: &'static str, problem: Option<String>, done: &str) -> Self {
        let chip = match problem {
            None => Chip::good("done"),
            Some(_) => Chip::attention("missing"),
        };
        Self {
            name,
            chip,
            text: problem.unwrap_or_else(|| done.to_owned()),
            link: None,
        }
    }

    fn linked(self, label: &'static str, path: &'static str, visit: &SignedInRequest) -> Self {
        let page = path.split('#').next().unwrap_or_default();
        // A path such as `#keys` is on this page, which is open.
        let is_open = page.is_empty() || visit.opens(page);
        Self {
            link: is_open.then_some((label, path)),
            ..self
        }
    }
}

pub(super) fn rows(list: &Checklist, store: &Store, visit: &SignedInRequest) -> [CheckRow; 5] {
    let currency = store.currency;
    let rates = (!list.has_rates).then(|| {
        format!(
            "No shipping rate is in {currency}: import rates in it, or orders have no shipping fee."
        )
    });
    let label = (!list.has_label_fee).then(|| {
        format!("No label fee is in {currency}: import a fee schedule with one, or label orders are refused.")
    });
    let last_call = list
        .last_call
        .map(|minute| When::in_zone(minute, visit.zone()));
    let call = last_call.is_none().then(|| {
        "The store has not made a signed call yet. A new key is shown with lines that make a signed call."
            .to_owned()
    });
    let called = last_call.map_or_else(String::new, |at| {
        format!("The last signed call was at {}.", at.text())
    });
    let webhook = (!list.has_webhook).then(|| {
        "The store has no enabled webhook endpoint. The store can create one by the call webhooks/create, or read events by events/search."
            .to_owned()
    });
    [
        CheckRow::new("Prices", missing_prices(list, store), &priced(list, store)).linked(
            "Prices",
            "/console/catalog/prices",
            visit,
        ),
        CheckRow::new(
            "Shipping rates",
            rates,
            &format!("There are rates in {currency}."),
        )
        .linked("Shipping", "/console/catalog/shipping", visit),
        CheckRow::new(
            "Label fee",
            label,
            &format!("There is a fee in {currency}."),
        )
        .linked("Fees", "/console/catalog/fees", visit),
        CheckRow::new("First signed call", call, &called).linked("Keys", "#keys", visit),
        CheckRow::new("Webhook", webhook, "An endpoint is enabled.").linked(
            "Webhooks",
            "/console/webhooks",
            visit,
        ),
    ]
}

fn priced(list: &Checklist, store: &Store) -> String {
    let (priced, products) = (list.priced, list.products);
    format!(
        "{priced} of {products} products have a price in {}.",
        store.currency
    )
}

fn missing_prices(list: &Checklist, store: &Store) -> Option<String> {
    let (priced, products) = (list.priced, list.products);
    if products == 0 {
        return Some("The catalog is empty: import products.".to_owned());
    }
    (priced < products).then(|| {
        format!(
            "Only {priced} of the first {products} products have a price in {}: import a price list in it.",
            store.currency
        )
    })
}
