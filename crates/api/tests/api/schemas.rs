//! Request schemas are as strict as the service, and responses conform to their schemas.

use actix_web::App;
use actix_web::test::{call_service, init_service, read_body_json};
use pressline_api::configure;
use serde_json::{Value, json};

use crate::common::*;

/// Short values of all types, tried in every field. See [`probes`] for long values.
const SHORT_PROBES: &str = r#"[
    null, true, {}, "", " ", "x", "US", "USA", "ana@", "ana@example.com", "ftp://a.example/x",
    "https:///x", "https://:80/x", "https://?x", "https://a.example:80?x", "https://a.example/x",
    "0197f3c2-0000-7000-8000-00000000000f",
    -181, -91, -1, 0, 1, 1.5, 2.0, 90, 90.5, 100, 101, 180.5, 1000, 1001, 1000000, 1000001,
    4294967295, 4294967296, 100000000000000, 100000000000001,
    [], [null], [""], ["x"], [{}]
]"#;

/// Values tried in every field: all types, and both sides of every limit.
fn probes() -> Vec<Value> {
    let mut probes: Vec<Value> = serde_json::from_str(SHORT_PROBES).unwrap();
    for length in [128, 129, 255, 256, 2000, 2001] {
        probes.push("x".repeat(length).into());
    }
    for length in [2048, 2049] {
        let url = format!("https://a.example/{}", "x".repeat(length - 18));
        probes.extend([json!(url), json!([url])]);
    }
    for length in [20, 21] {
        probes.push(vec!["https://a.example/x"; length].into());
    }
    probes
}

/// Returns whether the service's treatment of `probe` depends on other fields, on the stored order,
/// or on a number's meaning, so that a schema cannot express it.
fn is_beyond_schemas(operation: &str, pointer: &str, probe: &Value) -> bool {
    let is_empty = probe.is_null() || [json!({}), json!(""), json!(" ")].contains(probe);
    // `[]` counts as absent, for PHP. The schemas show only objects, for generated clients.
    let is_list = *probe == json!([]);
    match (operation, pointer) {
        (_, "/shipping_address" | "/billing_address" | "/customer") if is_list => true,
        // An empty object counts as absent.
        ("CreateOrderLabel", "/shipping_address") | ("EstimateOrder", "/customer") => {
            probe == &json!({})
        }
        // Label orders may omit the address; manual orders must have it.
        ("UpdateOrder" | "EstimateOrder", "/shipping_address") => is_empty,
        // An update replaces the whole address, or clears the address of a label order.
        ("UpdateOrder", "/shipping_address/address1") => is_empty,
        // An unknown item id is `unknown_item`, whatever its format.
        (_, "/line_items/0/appItemId") => probe.is_string() || probe.is_null(),
        // Cursors are opaque.
        (_, "/cursor") => probe.is_string(),
        _ => false,
    }
}

/// Returns JSON pointers to all fields of `schema`, below `at`.
fn fields(schemas: &Value, schema: &Value, at: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return fields(schemas, &schemas[name], at);
    }
    if let Some(either) = schema["oneOf"].as_array() {
        return either
            .iter()
            .flat_map(|schema| fields(schemas, schema, at))
            .collect();
    }
    if schema.get("items").is_some() {
        return fields(schemas, &schema["items"], &format!("{at}/0"));
    }
    let properties = schema["properties"].as_object().into_iter().flatten();
    let below = properties.flat_map(|(name, property)| {
        let pointer = format!("{at}/{name}");
        let below = fields(schemas, property, &pointer);
        std::iter::once(pointer).chain(below)
    });
    below.collect()
}

/// Converts a JSON pointer such as `/line_items/0` to the field path of responses, `line_items[0]`.
fn path(pointer: &str) -> String {
    pointer[1..].replace("/0", "[0]").replace('/', ".")
}

/// Replaces the field at `pointer`; removes it if `value` is `None`.
fn with(body: &Value, pointer: &str, value: Option<&Value>) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => parent.insert(name.to_owned(), value.clone()),
        None => parent.remove(name),
    };
    body
}

/// Returns whether the service refuses the request, or ignores the field at `path` with a warning.
fn objects(response: &Value, path: &str) -> bool {
    let issues = |list: &str| response[list].as_array().cloned().unwrap_or_default();
    let is_about = |issue: &Value| issue["field"].as_str().unwrap().starts_with(path);
    // Depends on an order of an earlier request.
    let is_form = |issue: &Value| issue["code"] != "differs";
    let mut refused = issues("errors").into_iter().filter(is_form);
    let mut warned = issues("warnings").into_iter();
    response["code"] == "validation_failed" && refused.next().is_some()
        || warned.any(|issue| is_about(&issue) && issue["code"] == "unknown_country")
}

/// Returns whether the service refuses the request only because its country contradicts its code.
/// The schemas state this rule for a few countries; see the test of contradictions.
fn is_contradiction(response: &Value) -> bool {
    let errors = response["errors"].as_array();
    let mut errors = errors.into_iter().flatten().peekable();
    errors.peek().is_some() && errors.all(|issue| issue["code"] == "country_mismatch")
}

/// Uses a country without postal codes and provinces, so that few fields depend on each other.
fn to_hong_kong(mut request: Value) -> Value {
    let place = json!({ "country": "Hong Kong", "country_code": "HK" });
    for (field, value) in place.as_object().unwrap() {
        request["shipping_address"][field] = value.clone();
        request["billing_address"][field] = value.clone();
    }
    for field in ["zip", "province", "province_code"] {
        request["shipping_address"][field] = Value::Null;
    }
    request["shipping_address"]["name"] = "Ana Reyes".into();
    request
}

#[actix_web::test]
async fn request_schemas_are_exactly_as_strict_as_the_service() {
    let world = World::new().await;
    let created = world.post(CREATE, order("A-1")).await;
    let mut updated = to_hong_kong(update("A-1", &created, 4));
    updated["line_items"][0]["sku"] = "TEE-UNISEX-BLACK-M".into();
    let app =
        init_service(App::new().configure(|config| configure(config, world.api.clone()))).await;
    let document = document();
    let mut schemas = DocumentSchemas::new();
    let (mut differences, mut orders) = (Vec::new(), 0);
    for (name, path_called, body) in [
        ("CreateOrder", CREATE, to_hong_kong(order("A-2"))),
        ("CreateOrderLabel", LABEL, to_hong_kong(label("A-3"))),
        ("EstimateOrder", ESTIMATE, to_hong_kong(label("A-4"))),
        ("UpdateOrder", UPDATE, updated),
        ("SearchOrders", SEARCH, json!({})),
        ("SearchProducts", PRODUCTS, json!({})),
    ] {
        assert_eq!(schemas.problem(name, &body), None, "{name}");
        let all = &document["components"]["schemas"];
        let fields = fields(all, &all[name], "");
        assert!(fields.len() >= 4, "{name}: {fields:?}");
        for pointer in fields {
            let mut refused = 0;
            let values = probes();
            for probe in values.iter().map(Some).chain([None]) {
                // An absent field counts as `null`.
                if is_beyond_schemas(name, &pointer, probe.unwrap_or(&Value::Null)) {
                    continue;
                }
                let mut request = with(&body, &pointer, probe);
                if name.starts_with("Create") && pointer != "/order_id" {
                    orders += 1;
                    request["order_id"] = format!("B-{orders}").into();
                }
                let response = call_service(&app, signed(path_called, &request).to_request()).await;
                let response: Value = read_body_json(response).await;
                if is_contradiction(&response) {
                    continue;
                }
                let by_service = objects(&response, &path(&pointer));
                let by_schema = schemas.problem(name, &request);
                refused += usize::from(by_service);
                if by_service != by_schema.is_some() {
                    let shown: String = json!(probe).to_string().chars().take(60).collect();
                    differences.push(format!("{name}{pointer} {shown}: {by_schema:?}"));
                }
            }
            assert!(refused > 0, "{name}{pointer}: some value is refused");
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[actix_web::test]
async fn countries_that_contradict_their_codes_are_refused_by_the_schemas_as_well() {
    let world = World::new().await;
    let mut schemas = DocumentSchemas::new();
    for (code, country, province, is_refused) in [
        ("DE", Some("United States"), None, true),
        ("HK", Some("CA"), None, true),
        ("DE", None, Some("US-CA"), true),
        ("DE", None, Some("us-zz"), true),
        ("US", None, Some("CA-ON"), true),
        ("PR", None, Some("AU-NSW"), true),
        ("us", Some("United States"), Some("US-CA"), false),
        ("PR", None, Some("US-PR"), false),
        ("DE", Some("Germany"), Some("US"), false),
        ("DE", None, Some("US-12345678901234"), false),
        ("DE", None, Some("X-US-CA"), false),
    ] {
        for (name, path_called, mut body) in [
            ("CreateOrder", CREATE, order("A-2")),
            ("CreateOrderLabel", LABEL, label("A-3")),
            ("EstimateOrder", ESTIMATE, order("A-4")),
        ] {
            body["dryRun"] = true.into();
            body["shipping_address"] = json!({
                "name": "Ana Reyes", "address1": "1 Main St", "city": "Springfield", "zip": "12345",
                "country_code": code, "country": country, "province_code": province
            });
            if code == "US" {
                body["shipping_address"]["province"] = "Illinois".into();
            }
            let response = world.post(path_called, body.clone()).await.json();
            let shown = format!("{name} {code} {country:?} {province:?}: {response}");
            assert_eq!(is_contradiction(&response), is_refused, "{shown}");
            assert_eq!(
                schemas.problem(name, &body).is_some(),
                is_refused,
                "{shown}"
            );
        }
    }
}

#[actix_web::test]
async fn responses_conform_to_their_schemas_and_have_no_other_members() {
    let world = World::new().await;
    let mut cart = order("A-3");
    cart["line_items"][0]["shipClass"] = Value::Null;
    let cart = world.post(ESTIMATE, cart).await;
    assert!(cart.json()["data"]["shippingOptions"].is_array());
    let problem = signed(CREATE, "{}").insert_header(("Accept", "application/problem+json"));
    let mut schemas = DocumentSchemas::closed();
    for (name, response) in [
        ("OrderResponse", world.post(CREATE, order("A-1")).await),
        ("LabelOrderResponse", world.post(LABEL, label("L-1")).await),
        ("OrderResponse", world.post(ESTIMATE, order("A-2")).await),
        ("OrderResponse", world.post(ESTIMATE, label("L-2")).await),
        ("OrderResponse", cart),
        ("OrderPage", world.post(SEARCH, "{}").await),
        ("ProductPage", world.post(PRODUCTS, "{}").await),
        ("EventPage", world.post("/app/v1/events/search", "{}").await),
        ("Error", world.post(CREATE, "{}").await),
        ("Problem", world.send(problem).await),
    ] {
        assert_eq!(
            schemas.problem(name, &response.json()),
            None,
            "{}",
            response.body
        );
    }
    let unknown = json!({ "success": true, "message": "OK", "data": null, "x": 1 });
    assert!(schemas.problem("OrderPage", &unknown).is_some());
}

fn keys(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(members) => {
            let below = members.values().flat_map(keys);
            members.keys().map(String::as_str).chain(below).collect()
        }
        Value::Array(list) => list.iter().flat_map(keys).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn no_field_has_a_default_that_clients_would_send() {
    let document = document();
    let keys = keys(&document["components"]["schemas"]);
    assert!(keys.contains(&"maxLength") && !keys.contains(&"default"));
}
