//! One order as text.

use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{Address, LineItem, Order, OrderParts};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Amount;
use pressline_host::terminal::escape;

/// Escapes the texts of `order`.
pub(super) fn text(order: &Order) -> String {
    let parts = order.parts();
    // Without `..`, so that a new field is either printed or named here.
    let OrderParts {
        id,
        currency,
        email: customer_email,
        customer,
        label_url,
        shipping_address,
        billing_address,
        production_note,
        items,
        bill: _,
        store_id: _,
        order_id: _,
        source: _,
        test: _,
        priced_at: _,
        fingerprint: _,
    } = parts;
    let money = |amount: Amount| amount.display(*currency).to_string();
    let mut lines = Lines::default();
    lines.add(0, "Order", &order.service_order_id.to_string());
    lines.add(2, "order_id", &order.shown_order_id());
    lines.add(2, "id", &id.to_string());
    lines.add(2, "created", &parts.created_at().to_string());
    let (updated, version) = (order.state.updated_at, order.state.version);
    lines.add(2, "changed", &format!("{updated} (version {version})"));
    let email = customer_email
        .as_ref()
        .map(|email| format!("<{email}>"))
        .unwrap_or_default();
    lines.add(2, "customer", &format!("{} {email}", customer.name()));
    if let Some(url) = label_url {
        lines.add(2, "label", url);
    }
    lines.address("ship to", shipping_address.as_ref());
    lines.address("bill to", billing_address.as_ref());
    if let Some(note) = production_note {
        // A note may have several lines.
        note.lines().for_each(|line| lines.add(2, "note", line));
    }
    for (item, state) in items.iter().zip(&order.state.items) {
        lines.item(item, state, &money);
    }
    lines.bill(parts, &money);
    lines.0.join("\n")
}

#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    /// Adds a line with `title` and `value`, unless `value` is blank.
    fn add(&mut self, indent: usize, title: &str, value: &str) {
        let value = escape(value.trim());
        if !value.is_empty() {
            let width = 14 - indent;
            self.0.push(format!("{:indent$}{title:<width$}{value}", ""));
        }
    }

    fn address(&mut self, title: &str, address: Option<&Address>) {
        let Some(address) = address else { return };
        let name = address.full_name();
        let province = address.province.as_ref().or(address.province_code.as_ref());
        let city = [address.zip.as_ref(), address.city.as_ref(), province]
            .map(|part| part.cloned().unwrap_or_default())
            .join(" ");
        let country = address.country.as_ref();
        let mut title = title;
        for line in [
            name.as_ref(),
            address.company.as_ref(),
            address.address1.as_ref(),
            address.address2.as_ref(),
            Some(&city),
            country.or(address.country_code.as_ref()),
            address.phone.as_ref(),
            address.email.as_ref(),
        ]
        .into_iter()
        .flatten()
        {
            // Only the first non-blank line has the title.
            let before = self.0.len();
            self.add(2, title, line);
            if self.0.len() > before {
                title = "";
            }
        }
    }

    fn bill(&mut self, parts: &OrderParts, money: &impl Fn(Amount) -> String) {
        for fee in FeeType::ALL {
            if let Some(amount) = parts.bill.fee(fee) {
                self.add(2, fee.as_str(), &money(amount));
            }
        }
        self.add(2, "total", &money(parts.bill.total()));
        if !parts.is_priced() {
            let missing = parts
                .bill
                .missing(parts.kind().needed_fees())
                .map(FeeType::field)
                .collect::<Vec<_>>()
                .join(", ");
            let text = format!("The total lacks costs that are not known: {missing}");
            self.add(2, "", &text);
        }
    }

    fn item(&mut self, item: &LineItem, state: &ItemState, money: &impl Fn(Amount) -> String) {
        // `LineItem::files` returns the print areas with their files.
        let LineItem {
            id,
            ref_id,
            name,
            sku,
            quantity,
            ship_class,
            mockup_images,
            unit_cost,
            name_given: _,
            file_urls: _,
            areas: _,
        } = item;
        let mut text = format!("{quantity} x {sku}");
        if let Some(name) = name {
            text.extend(["  ", name]);
        }
        if let Some(cost) = *unit_cost {
            text.extend(["  ", &money(cost), " each"]);
        }
        self.add(2, "item", &text);
        self.add(4, "id", &id.to_string());
        self.add(4, "refId", ref_id.as_deref().unwrap_or_default());
        self.add(4, "shipClass", ship_class.as_deref().unwrap_or_default());
        let ItemState {
            status,
            id: _,
            number: _,
            returns_to: _,
            held_by: _,
            hold_until: _,
            shipped_quantity: _,
            ready_at: _,
            window_end: _,
            advanced_millis: _,
        } = state;
        self.add(4, "status", status.as_str());
        for file in item.files() {
            let area = &file.area.name;
            file.file_urls
                .iter()
                .for_each(|url| self.add(4, "file", &format!("{area}: {url}")));
        }
        mockup_images
            .iter()
            .for_each(|url| self.add(4, "mockup", url));
    }
}
