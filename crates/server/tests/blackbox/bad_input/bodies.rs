//! Bodies that are not a JSON object.

use serde_json::json;

use crate::common::{PATHS, Site, assert_error, on_both_databases, order};

on_both_databases!(bodies_other_than_json_objects_are_refused,);

/// Returns a valid body with `member` added at the end of the object.
fn with(member: &[u8]) -> Vec<u8> {
    let mut body = order("bad").to_string().into_bytes();
    body.pop();
    body.push(b',');
    body.extend(member);
    body.push(b'}');
    body
}

/// Bodies that every endpoint must refuse: truncated, doubled, nested too deeply, with a repeated
/// key, with NUL, or not JSON or UTF-8 at all.
fn broken_bodies() -> Vec<Vec<u8>> {
    let good = order("bad").to_string();
    let nested = |open: &str, close: &str| open.repeat(2000) + "1" + &close.repeat(2000);
    let in_member = |value: &str| with(format!("\"x\":{value}").as_bytes());
    vec![
        vec![],
        b" ".to_vec(),
        b"{".to_vec(),
        b"nonsense".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"[{}]".to_vec(),
        b"7".to_vec(),
        b"\"text\"".to_vec(),
        good.as_bytes()[..good.len() / 2].to_vec(),
        good.as_bytes()[..good.len() - 1].to_vec(),
        format!("{good}{good}").into_bytes(),
        format!("{good},").into_bytes(),
        format!("\u{feff}{good}").into_bytes(),
        nested("[", "]").into_bytes(),
        nested("{\"a\":", "}").into_bytes(),
        "[".repeat(2000).into_bytes(),
        in_member(&nested("[", "]")),
        in_member(&nested("{\"a\":", "}")),
        in_member("\"\\u0000\""),
        with(b"\"a\\u0000b\":1"),
        with(b"\"x\":\"\0\""),
        with(b"\"x\":\"\xff\xfe\""),
        with(b"\"x\":\"\xc0\xaf\""),
        with(b"\"\xe2\x82\":1"),
        in_member("\"\\ud800\""),
        in_member("\"\\udc00\\ud800\""),
        in_member("\"\n\""),
        in_member("\"\\x41\""),
        in_member("01"),
        in_member("+1"),
        in_member("1."),
        in_member(".5"),
        in_member("0x10"),
        in_member("NaN"),
        in_member("-Infinity"),
        in_member("True"),
        in_member("'text'"),
        in_member("[1,]"),
        in_member("{\"a\":1,}"),
        in_member("// comment\n1"),
        in_member("{\"a\":1,\"a\":2}"),
        in_member("{\"a\":1,\"\\u0061\":2}"),
        with(b"\"order_id\":\"another\""),
        with(b"\"\\u006frder_id\":\"another\""),
        with(b"order_id:1"),
        [good.as_bytes(), b"\0"].concat(),
        "\u{fffd}".repeat(1000).into_bytes(),
    ]
}

fn bodies_other_than_json_objects_are_refused(site: &Site) {
    let (server, _) = site.open();
    // A test store, because the sandbox endpoints refuse other stores before they parse the body.
    let client = site.store(&server, &["--test"]);
    let bodies = broken_bodies();
    for path in PATHS {
        for body in &bodies {
            let response = client.send(&client.request_to(path, body.clone()));
            let shown = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
            assert_eq!(response.status, 400, "{path} {shown}: {response}");
            assert_error(&response, 400, "invalid_json");
        }
    }
    let response = client.send(&client.request("create", "{\n  \"order_id\": oops\n}"));
    let message = assert_error(&response, 400, "invalid_json").message;
    assert!(
        message.contains("line 2") && message.contains("column"),
        "{message}"
    );
    assert!(client.search(&json!({})).is_empty());
}
