//! The form that changes values of an order.
//!
//! Beside each field, the form has what the order had in it. Only what differs is changed, so that
//! the form can also be applied to an order that others have changed meanwhile.

use pressline_domain::field::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, UpdateDraft,
};
use pressline_domain::order::{Address, LineItem, Order};

use super::{Form, VERSION, answered, first, is_sent, label};
use crate::form::{Fields, Question};
use crate::order::address;
use crate::route::Answer;
use crate::visit::Visit;

/// Prefix of the field with the value that the order had.
const WAS: &str = "was.";
/// Stands for the id of an item to add.
const NEW: &str = "new";
/// Names with labels.
const ITEM_FIELDS: [(&str, &str); 5] = [
    ("sku", "SKU"),
    ("name", "Name"),
    ("quantity", "Units"),
    ("shipClass", "Ship class"),
    ("fileUrls", "Files, one address a line"),
];

pub(crate) async fn show(visit: Visit) -> Answer {
    first(visit, form).await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
    let fields = visit.form();
    let ids = changed_items(fields);
    let items = ids.iter().map(|id| Field::Value(item(fields, id)));
    let items: Vec<_> = items.collect();
    let draft = UpdateDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        reason: fields.text("reason"),
        email: changed(fields, "email"),
        production_note: changed(fields, "production_note"),
        shipping_address: changed_address(fields, "shipping_address"),
        billing_address: changed_address(fields, "billing_address"),
        customer: customer(fields),
        line_items: match items.is_empty() {
            true => Field::Absent,
            false => Field::Value(items),
        },
        ..UpdateDraft::default()
    };
    let orders = &visit.services().orders;
    let updated = orders.update(visit.reach(), &draft, &visit.by()).await;
    let message = |_| "Order changed.".to_owned();
    answered(visit, updated, &ids, message, form).await
}

/// Whether the typed value differs from the one that the order had.
fn is_changed(fields: &Fields, name: &str) -> bool {
    let typed = unified(fields.get(name));
    fields.has(name) && typed != unified(fields.get(&format!("{WAS}{name}")))
}

/// Line ends as the service stores them.
fn unified(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// Absent if unchanged; a blank value clears the field.
fn changed(fields: &Fields, name: &str) -> Field<String> {
    match is_changed(fields, name) {
        true => Field::Value(unified(fields.get(name))),
        false => Field::Absent,
    }
}

/// Absent if unchanged; otherwise the whole address.
fn changed_address(fields: &Fields, prefix: &str) -> Field<AddressDraft> {
    let names = address::texts(&Address::default()).into_iter();
    let mut names = names.map(|(field, _)| format!("{prefix}.{field}"));
    if !names.any(|name| is_changed(fields, &name)) {
        return Field::Absent;
    }
    let text = |field: &'static str| {
        let named = fields.iter().find(|(name, _)| {
            let rest = name.strip_prefix(prefix);
            rest.and_then(|rest| rest.strip_prefix('.')) == Some(field)
        });
        named.map_or("", |(_, text)| text)
    };
    Field::Value(address::draft(text))
}

fn customer(fields: &Fields) -> Field<CustomerDraft> {
    let [first, last] = ["customer.first_name", "customer.last_name"];
    if !is_changed(fields, first) && !is_changed(fields, last) {
        return Field::Absent;
    }
    Field::Value(CustomerDraft {
        first_name: fields.text(first),
        last_name: fields.text(last),
    })
}

/// Ids of the items to change, and [`NEW`] for one to add.
fn changed_items(fields: &Fields) -> Vec<String> {
    let ids = fields
        .iter()
        .filter_map(|(name, _)| name.strip_prefix("sku."));
    let is_touched = |id: &&str| {
        let mut named = ITEM_FIELDS.iter().map(|(field, _)| format!("{field}.{id}"));
        named.any(|name| is_changed(fields, &name)) || fields.has(&format!("remove.{id}"))
    };
    ids.filter(is_touched).map(str::to_owned).collect()
}

fn item(fields: &Fields, id: &str) -> ItemChange {
    let name = |field: &str| format!("{field}.{id}");
    let quantity = match is_changed(fields, &name("quantity")) {
        true => fields.integer(&name("quantity")),
        false => Field::Absent,
    };
    let files = changed(fields, &name("fileUrls")).map(|text| {
        let lines = text.lines().map(str::trim);
        lines.map(|line| Field::Value(line.to_owned())).collect()
    });
    ItemChange {
        app_item_id: (id != NEW).then(|| id.to_owned()).into(),
        remove: fields.flag(&name("remove")),
        item: LineItemDraft {
            sku: changed(fields, &name("sku")),
            name: changed(fields, &name("name")),
            quantity,
            ship_class: changed(fields, &name("shipClass")),
            file_urls: files,
            ..LineItemDraft::default()
        },
    }
}

struct Entry {
    name: String,
    label: String,
    now: String,
    has_lines: bool,
}

impl Entry {
    fn of(name: impl Into<String>, label: impl Into<String>, now: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            now: now.into(),
            has_lines: false,
        }
    }
}

fn entries(order: &Order) -> Vec<Entry> {
    let content = &order.content;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let customer = &content.customer;
    let mut entries = vec![
        Entry::of("email", "E-mail", text(&content.email)),
        Entry {
            has_lines: true,
            ..Entry::of(
                "production_note",
                "Production note",
                text(&content.production_note),
            )
        },
        Entry::of(
            "customer.first_name",
            "Customer: first name",
            text(&customer.first_name),
        ),
        Entry::of(
            "customer.last_name",
            "Customer: last name",
            text(&customer.last_name),
        ),
    ];
    for (prefix, title, address) in [
        ("shipping_address", "Ship to", &content.shipping_address),
        ("billing_address", "Bill to", &content.billing_address),
    ] {
        let absent = Address::default();
        let texts = address::texts(address.as_ref().unwrap_or(&absent)).into_iter();
        entries.extend(texts.map(|(field, text)| {
            let label = format!("{title}: {}", address::label(field).to_lowercase());
            Entry::of(format!("{prefix}.{field}"), label, text)
        }));
    }
    for line in &content.items {
        entries.extend(item_entries(
            &line.id.to_string(),
            &label(order, line),
            Some(line),
        ));
    }
    entries.extend(item_entries(NEW, "New item", None));
    entries
}

fn item_entries(id: &str, title: &str, line: Option<&LineItem>) -> Vec<Entry> {
    let now = |field: &str| {
        let line = line?;
        match field {
            "sku" => Some(line.sku.clone()),
            "name" => line.name.clone(),
            "quantity" => Some(line.quantity.to_string()),
            "shipClass" => line.ship_class.clone(),
            _ => Some(line.file_urls.join("\n")),
        }
    };
    let fields = ITEM_FIELDS.into_iter();
    fields
        .map(|(field, label)| Entry {
            has_lines: field == "fileUrls",
            ..Entry::of(
                format!("{field}.{id}"),
                format!("{title}: {label}"),
                now(field).unwrap_or_default(),
            )
        })
        .collect()
}

fn form(_: &Visit, order: &Order, fields: &Fields) -> Form {
    let mut questions = Vec::new();
    let mut form = Form::new("Edit order", "update", Vec::new());
    for entry in entries(order) {
        // What was not touched shows what the order has now.
        let value = match is_sent(fields) && is_changed(fields, &entry.name) {
            true => fields.get(&entry.name),
            false => &entry.now,
        };
        questions.push(match entry.has_lines {
            true => Question::lines(&entry.name, &entry.label, value),
            false => Question::line(&entry.name, &entry.label, value),
        });
        form = form.fixed(&format!("{WAS}{}", entry.name), entry.now);
    }
    for line in &order.content.items {
        let name = format!("remove.{}", line.id);
        let title = format!("Take out {}", label(order, line));
        questions.push(Question::tick(&name, &title, fields.has(&name)));
    }
    questions.push(Question::line("reason", "Reason", fields.get("reason")).required());
    Form { questions, ..form }
}
