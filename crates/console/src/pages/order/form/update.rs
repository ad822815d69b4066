//! Form that changes values of an order.
//!
//! A hidden field beside each field contains the value that the order had when the form was
//! rendered. Only values that differ are changed, so that the form does not undo changes by others.

use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, UpdateDraft,
};
use pressline_domain::order::{Address, LineItem, Order};

use super::{Form, VERSION, answered, is_sent, label};
use crate::pages::order::address;
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

/// Prefix of the names of hidden fields with previous values, for detecting changed fields.
const WAS: &str = "was.";
/// Text that stands for the item id in the field names of an item to add.
const NEW: &str = "new";
const NOTE: &str = "production_note";
const FIRST_NAME: &str = "customer.first_name";
const LAST_NAME: &str = "customer.last_name";
const ITEM_FIELDS: [(&str, &str); 5] = [
    ("sku", "SKU"),
    ("name", "Name"),
    ("quantity", "Units"),
    ("shipClass", "Ship class"),
    ("fileUrls", "Files, one URL per line"),
];

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let ids = changed_items(fields);
    let items = ids.iter().map(|id| Field::Value(item(fields, id)));
    let draft = UpdateDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        reason: fields.text("reason"),
        email: changed(fields, "email"),
        production_note: changed(fields, NOTE),
        shipping_address: changed_address(fields, "shipping_address"),
        billing_address: changed_address(fields, "billing_address"),
        customer: customer(fields),
        line_items: (!ids.is_empty()).then(|| items.collect()).into(),
        ..UpdateDraft::default()
    };
    let orders = &visit.services().orders;
    let updated = orders
        .change
        .update(visit.scope(), &draft, &visit.by())
        .await;
    answered(&visit, updated.map(|_| "Order changed."), &ids, form).await
}

fn is_changed(fields: &Fields, name: &str) -> bool {
    let typed = unified(fields.get(name));
    fields.has(name) && typed != unified(fields.get(&format!("{WAS}{name}")))
}

/// Trims `text` and unifies its line ends, as the service does before it stores a text.
fn unified(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// Returns `Absent` if the value equals the old value. A blank value clears the field.
fn changed(fields: &Fields, name: &str) -> Field<String> {
    let is_changed = is_changed(fields, name);
    is_changed.then(|| unified(fields.get(name))).into()
}

/// Returns the address in the fields `<prefix>.<name>`; `Absent` if no field is changed.
fn changed_address(fields: &Fields, prefix: &str) -> Field<AddressDraft> {
    let mut names = address::texts(&Address::default())
        .into_iter()
        .map(|(field, _)| format!("{prefix}.{field}"));
    if !names.any(|name| is_changed(fields, &name)) {
        return Field::Absent;
    }
    // A new address replaces the whole address, so unchanged fields are sent, too.
    let text = |field: &'static str| {
        let entry = fields.iter().find(|(name, _)| {
            let rest = name.strip_prefix(prefix);
            rest.and_then(|rest| rest.strip_prefix('.')) == Some(field)
        });
        entry.map_or("", |(_, text)| text)
    };
    Field::Value(address::draft(text))
}

fn customer(fields: &Fields) -> Field<CustomerDraft> {
    let is_changed = is_changed(fields, FIRST_NAME) || is_changed(fields, LAST_NAME);
    // A new customer replaces both names.
    let customer = || CustomerDraft {
        first_name: fields.text(FIRST_NAME),
        last_name: fields.text(LAST_NAME),
    };
    is_changed.then(customer).into()
}

/// Returns the ids of items that the form changes or removes, and [`NEW`] for an item to add.
fn changed_items(fields: &Fields) -> Vec<String> {
    let ids = fields
        .iter()
        .filter_map(|(name, _)| name.strip_prefix("sku."));
    let is_touched = |id: &&str| {
        let mut names = ITEM_FIELDS.iter().map(|(field, _)| format!("{field}.{id}"));
        names.any(|name| is_changed(fields, &name)) || fields.has(&format!("remove.{id}"))
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
}

fn entries(order: &Order) -> Vec<Entry> {
    let (content, customer) = (&order.content, &order.content.customer);
    let named_fields = [
        ("email", "E-mail", &content.email),
        (NOTE, "Production note", &content.production_note),
        (FIRST_NAME, "Customer: first name", &customer.first_name),
        (LAST_NAME, "Customer: last name", &customer.last_name),
    ];
    let mut entries: Vec<Entry> = Vec::new();
    for (name, label, now) in named_fields {
        entries.push(Entry {
            name: name.to_owned(),
            label: label.to_owned(),
            now: now.clone().unwrap_or_default(),
        });
    }
    for (prefix, title, address) in [
        ("shipping_address", "Ship to", &content.shipping_address),
        ("billing_address", "Bill to", &content.billing_address),
    ] {
        let absent = Address::default();
        let texts = address::texts(address.as_ref().unwrap_or(&absent)).into_iter();
        entries.extend(texts.map(|(field, now)| Entry {
            name: format!("{prefix}.{field}"),
            label: format!("{title}: {}", address::label(field).to_lowercase()),
            now,
        }));
    }
    for line in &content.items {
        let (id, title) = (line.id.to_string(), label(order, line));
        entries.extend(item_entries(&id, &title, Some(line)));
    }
    entries.extend(item_entries(NEW, "New item", None));
    entries
}

fn item_entries(id: &str, title: &str, line: Option<&LineItem>) -> [Entry; 5] {
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
    ITEM_FIELDS.map(|(field, label)| Entry {
        name: format!("{field}.{id}"),
        label: format!("{title}: {label}"),
        now: now(field).unwrap_or_default(),
    })
}

pub(crate) fn form(_: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let mut questions = Vec::new();
    let mut form = Form::new("Edit order", "update", Vec::new());
    for entry in entries(order) {
        // Untouched fields show the order's current value.
        let value = match is_sent(fields) && is_changed(fields, &entry.name) {
            true => fields.get(&entry.name),
            false => &entry.now,
        };
        let has_lines = entry.name == NOTE || entry.name.starts_with("fileUrls.");
        questions.push(match has_lines {
            true => FormField::lines(&entry.name, &entry.label, value),
            false => FormField::line(&entry.name, &entry.label, value),
        });
        // The current value, because the next submission is compared with the shown values.
        form = form.fixed(&format!("{WAS}{}", entry.name), entry.now);
    }
    for line in &order.content.items {
        let name = format!("remove.{}", line.id);
        let title = format!("Take out {}", label(order, line));
        questions.push(FormField::tick(&name, &title, fields.has(&name)));
    }
    questions.push(FormField::line("reason", "Reason", fields.get("reason")).required());
    Ok(Form { questions, ..form })
}
