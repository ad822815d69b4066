//! Rules between fields of requests.
//!
//! A schema states a rule by `if`, with `else: false`. Client generators ignore `if`; from `anyOf`
//! they would generate types without the object's fields.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::SandboxWebhookDraft;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command, MoveField};
use pressline_domain::value::MILLIS_FROM;
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{ArrayItems, Object, Schema};
use utoipa::openapi::{OpenApi, RefOr};

use super::addresses::{complete_address, destination, named_customer, shipping_address};
use super::conditions::{any_of, given};
use super::requests::NOT_BLANK;
use super::values::{is_time, nullable_text, restrict};
use crate::operation::Operation;

/// A way to satisfy a rule: the fields `given` have a value, and the fields `absent` have none.
struct Way {
    given: &'static [&'static str],
    absent: &'static [&'static str],
}

const fn way(given: &'static [&'static str], absent: &'static [&'static str]) -> Way {
    Way { given, absent }
}

/// Rules by the name of the request schema. A request satisfies at least one way of its rule.
const RULES: &[(&str, &[Way])] = &[
    (
        "CreateWebhook",
        &[way(&[], &["storeId"]), way(&[], &["stores"])],
    ),
    ("GetOrder", &[way(&[], &["asOf"]), way(&[], &["atVersion"])]),
    (
        "MoveSandboxOrder",
        &[way(&["to"], &["decision"]), way(&["decision"], &["to"])],
    ),
    (
        "SearchOrders",
        &[way(&[], &["page"]), way(&[], &["cursor"])],
    ),
    (
        "SearchProducts",
        &[way(&[], &["page"]), way(&[], &["cursor"])],
    ),
    (
        "TrackShipment",
        &[
            way(&["shipmentId"], &["carrier", "trackingNumber"]),
            way(&["carrier", "trackingNumber"], &["shipmentId"]),
        ],
    ),
    (
        "UpdateWebhook",
        &[way(&[], &["storeId"]), way(&[], &["stores"])],
    ),
];

/// Restricts the request schemas of `operations` and the schemas that they refer to.
pub(super) fn add_rules(
    document: &mut OpenApi,
    operations: impl Iterator<Item = &'static Operation>,
) {
    let Some(components) = &mut document.components else {
        return;
    };
    let schemas = &mut components.schemas;
    let mut names = BTreeSet::new();
    let mut reached: Vec<String> = operations.map(request_name).collect();
    while let Some(name) = reached.pop() {
        let Some(RefOr::T(Schema::Object(schema))) = schemas.get_mut(&name) else {
            continue;
        };
        // A schema is reached again through each schema that refers to it.
        if names.insert(name) {
            reached.extend(schema.properties.values().flat_map(references));
            for (name, property) in &mut schema.properties {
                restrict(name, property);
            }
        }
    }
    for name in names {
        if let Some(RefOr::T(Schema::Object(schema))) = schemas.get_mut(&name) {
            let rules = rules_of(&name, schema);
            if !rules.is_empty() {
                let rule = [
                    ("if", json!({ "allOf": rules })),
                    ("else", Value::Bool(false)),
                ];
                schema.extensions = Some(Extensions::from_iter(rule));
            }
        }
    }
}

fn request_name(operation: &Operation) -> String {
    let specialised = operation.request.map(|request| request.name.to_owned());
    specialised.unwrap_or_else(|| (operation.description.request.name)().into_owned())
}

fn references(property: &RefOr<Schema>) -> Vec<String> {
    match property {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next();
            name.map(str::to_owned).into_iter().collect()
        }
        RefOr::T(Schema::OneOf(either)) => either.items.iter().flat_map(references).collect(),
        RefOr::T(Schema::Array(list)) => match &list.items {
            ArrayItems::RefOrSchema(item) => references(item),
            ArrayItems::False => Vec::new(),
        },
        RefOr::T(_) => Vec::new(),
    }
}

fn rules_of(name: &str, schema: &Object) -> Vec<Value> {
    let rules = RULES.iter().filter(|(of, _)| *of == name);
    // The schema for stores can lack fields of a rule, such as `storeId`; the rule does not apply
    // then.
    let request = Request(schema);
    let own = rules
        .filter(|(_, ways)| ways.iter().all(|way| request.has_all(way)))
        .map(|(_, ways)| any_of(ways.iter().map(|way| request.by(way))));
    let further = match name {
        "CreateOrder" | "CreateOrderLabel" => vec![named_customer()],
        "ArrangeWebhook" => vec![request.arrangement()],
        "DecideChange" => vec![request.decision()],
        "EnableWebhook" => vec![request.position("from")],
        "EstimateOrder" => destination(),
        "ExportShipments" => vec![request.batch_or_filters()],
        "MoveOrders" => vec![request.command()],
        "RecoverDeliveries" => vec![request.position("fromTime")],
        "ShippingAddress" => shipping_address(),
        "UpdateOrder" => update(),
        _ => Vec::new(),
    };
    own.chain(further).collect()
}

/// Schema of a request, from which rules for its fields are built.
struct Request<'a>(&'a Object);

impl Request<'_> {
    fn has_all(&self, way: &Way) -> bool {
        let mut fields = way.given.iter().chain(way.absent);
        fields.all(|field| self.has(field))
    }

    fn has(&self, field: &str) -> bool {
        self.0.properties.contains_key(field)
    }

    fn by(&self, way: &Way) -> Value {
        self.with(&[], way.given, way.absent)
    }

    /// Restricts each field of `values` to its list, `given` to any value, `absent` to no value.
    fn with(&self, values: &[(&str, &[&str])], given: &[&str], absent: &[&str]) -> Value {
        let mut properties = serde_json::Map::new();
        for (field, values) in values {
            properties.insert((*field).to_owned(), json!({ "enum": values }));
        }
        for field in given {
            properties.insert((*field).to_owned(), self.value_of(field));
        }
        for field in absent {
            properties.insert((*field).to_owned(), json!({ "type": "null" }));
        }
        let chosen = values.iter().map(|(field, _)| *field);
        let required: Vec<&str> = chosen.chain(given.iter().copied()).collect();
        json!({ "required": required, "properties": properties })
    }

    /// Returns the schema of values with which `field` counts as given: not `null`, not blank and,
    /// for a time, above [`MILLIS_FROM`].
    fn value_of(&self, field: &str) -> Value {
        match self.0.properties.get(field) {
            Some(RefOr::T(Schema::Object(text))) if text.schema_type == nullable_text() => {
                json!({ "type": "string", "pattern": NOT_BLANK })
            }
            // 0 means no time, and small numbers are refused because they are probably seconds.
            Some(RefOr::T(Schema::Object(time))) if is_time(time) => {
                json!({ "type": "integer", "minimum": MILLIS_FROM + 1 })
            }
            _ => json!({ "not": { "type": "null" } }),
        }
    }

    fn arrangement(&self) -> Value {
        // Only `delay` takes a duration.
        let names = SandboxWebhookDraft::ACTIONS.map(|(name, _)| name);
        let others: Vec<&str> = names.into_iter().filter(|name| *name != "delay").collect();
        let ways = [
            self.with(&[("action", &["delay"])], &["delaySeconds"], &[]),
            self.with(&[("action", &others)], &[], &["delaySeconds"]),
        ];
        any_of(ways.into_iter())
    }

    /// Requires either `afterSequence` or `other`; operators also need `storeId` for the sequence.
    fn position(&self, other: &str) -> Value {
        // Several stores have no common sequence, so an operator must name the endpoint's store.
        let fields = ["afterSequence", "storeId"].into_iter();
        let sequence: Vec<&str> = fields.filter(|field| self.has(field)).collect();
        let ways = [
            self.with(&[], &sequence, &[other]),
            self.with(&[], &[other], &["afterSequence"]),
        ];
        any_of(ways.into_iter())
    }

    fn batch_or_filters(&self) -> Value {
        let fields = self.0.properties.keys().map(String::as_str);
        let filters: Vec<&str> = fields.filter(|field| *field != "batch").collect();
        let ways = [
            self.with(&[], &["batch"], &filters),
            self.with(&[], &[], &["batch"]),
        ];
        any_of(ways.into_iter())
    }

    fn decision(&self) -> Value {
        let ways = [
            self.with(&[("decision", &["approve"])], &[], &["text"]),
            self.with(
                &[("decision", &["refuse"])],
                &["reason"],
                &["text", "keepFees"],
            ),
            self.with(&[("decision", &["ask"])], &["text"], &["keepFees"]),
        ];
        any_of(ways.into_iter())
    }

    fn command(&self) -> Value {
        any_of(Command::moving().map(|(command, rule)| {
            let needs_reason = command.needs_reason(Role::Operator);
            let reason = needs_reason.then_some(MoveField::Reason);
            let field = MoveField::Code;
            let code = rule.fields.contains(&field).then_some(field);
            let given: Vec<&str> = reason
                .into_iter()
                .chain(code)
                .map(MoveField::as_str)
                .collect();
            let others = MoveField::ALL
                .into_iter()
                .filter(|field| !rule.fields.contains(field));
            let distinct: BTreeSet<&str> = others.map(MoveField::as_str).collect();
            let absent: Vec<&str> = distinct.into_iter().collect();
            self.with(&[("command", &[command.as_str()])], &given, &absent)
        }))
    }
}

/// Requires a complete or, for a label order, empty shipping address. A new item needs `sku`,
/// `quantity` and the order's `version`. Only an item with an `appItemId` can be removed.
fn update() -> Vec<Value> {
    // Without the rules of contradictions, because schemathesis could not generate updates by them.
    let mut full_address = given(&["address1"]);
    if let Some(full_address) = full_address.as_object_mut() {
        full_address.insert("type".to_owned(), "object".into());
        full_address.insert("allOf".to_owned(), complete_address().into());
    }
    let address = any_of(
        [
            json!({ "type": "null" }),
            json!({ "maxProperties": 0 }),
            full_address,
        ]
        .into_iter(),
    );
    let changed = given(&["appItemId"]);
    let new = json!({
        "required": ["sku", "quantity"],
        "properties": {
            "sku": { "type": "string" },
            "quantity": { "type": "integer" },
            "remove": { "enum": [false, null] }
        }
    });
    let items = |item: Value| json!({ "properties": { "line_items": { "items": item } } });
    // Only a new item needs the version, so that a repeated update cannot add the item twice.
    let version =
        json!({ "required": ["version"], "properties": { "version": { "type": "integer" } } });
    vec![
        named_customer(),
        json!({ "properties": { "shipping_address": address } }),
        items(any_of([changed.clone(), new].into_iter())),
        any_of([items(changed), version].into_iter()),
    ]
}
