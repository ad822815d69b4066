//! Input that is wrong: always a documented error in the one shape of errors, never a 5xx, never
//! silence.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{
    Answer, Client, Connection, PATHS, Request, Site, assert_error, label, on_both_databases,
    order, update,
};

on_both_databases!(
    bodies_that_are_no_json_object,
    values_that_do_not_fit_their_fields,
    texts_that_databases_find_hard,
    a_body_may_be_changed_anywhere,
);

/// A body with something put at its end, inside the object.
fn with(member: &[u8]) -> Vec<u8> {
    let mut body = order("bad").to_string().into_bytes();
    body.pop();
    body.push(b',');
    body.extend(member);
    body.push(b'}');
    body
}

fn bodies_that_are_no_json_object(site: &Site) {
    let (_server, client) = site.open();
    let good = order("bad").to_string();
    let nested = |open: &str, close: &str| open.repeat(2000) + "1" + &close.repeat(2000);
    let in_member = |value: &str| with(format!("\"x\":{value}").as_bytes());
    let bodies: Vec<Vec<u8>> = vec![
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
    ];
    for path in PATHS {
        for body in &bodies {
            let answer = client.send(&client.request_to(path, body.clone()));
            let shown = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
            assert_eq!(answer.status, 400, "{path} {shown}: {answer}");
            assert_error(&answer, 400, "invalid_json");
        }
    }
    let answer = client.send(&client.request("create", "{\n  \"order_id\": oops\n}"));
    let message = assert_error(&answer, 400, "invalid_json").message;
    assert!(
        message.contains("line 2") && message.contains("column"),
        "{message}"
    );
    assert!(client.search(&json!({})).is_empty());
}

fn values_that_do_not_fit_their_fields(site: &Site) {
    let (_server, client) = site.open();
    let values = [
        "true",
        "7",
        "-0.0",
        "1e400",
        "-1e400",
        "1e-400",
        "123456789012345678901234567890",
        "[]",
        "{}",
        "[[]]",
        "\"x\"",
        "\"1\"",
    ];
    let mut refused = 0;
    for (operation, body) in [
        ("create", order("fit")),
        ("create-label", label("fit")),
        ("update", update("fit")),
    ] {
        for field in body.as_object().unwrap().keys() {
            for value in values {
                // The text is put in by hand, as a parsed number would not be these digits.
                let mut marked = body.clone();
                marked[field] = json!("@@");
                let text = marked.to_string().replace("\"@@\"", value);
                refused += u32::from(!probe(&client, operation, &text));
            }
        }
    }
    for pointer in [
        "/customer/first_name",
        "/shipping_address/first_name",
        "/shipping_address/zip",
        "/shipping_address/country_code",
        "/shipping_address/latitude",
        "/line_items/0",
        "/line_items/0/sku",
        "/line_items/0/quantity",
        "/line_items/0/fileUrls",
        "/line_items/0/fileUrls/0",
    ] {
        for value in values {
            let mut marked = order("fit");
            *marked.pointer_mut(pointer).unwrap() = json!("@@");
            refused += u32::from(!probe(
                &client,
                "create",
                &marked.to_string().replace("\"@@\"", value),
            ));
        }
    }
    assert!(refused > 200, "only {refused} were refused");
    for quantity in [
        "1e400",
        "123456789012345678901234567890",
        "2.5",
        "-1",
        "1001",
        "1e300",
        "[1]",
        "{\"a\":1}",
        "\"2\"",
    ] {
        let text = order("fit-2")
            .to_string()
            .replace("\"quantity\":2", &format!("\"quantity\":{quantity}"));
        let error = assert_error(
            &client.send(&client.request("create", text)),
            400,
            "validation_failed",
        );
        assert_eq!(error.fields(), ["line_items[0].quantity"], "{quantity}");
    }
    // A list in the place of an object is not read by position.
    let mut body = order("fit-3");
    body["customer"] = json!(["Ana", "Souza"]);
    let error = assert_error(&client.call("create", &body), 400, "validation_failed");
    assert_eq!(error.fields(), ["customer"]);
}

/// Sends a body; true where it was accepted. Whatever was wrong with it, the answer is in order.
#[track_caller]
fn probe(client: &Client, operation: &str, text: &str) -> bool {
    let answer = client.send(&client.request(operation, text));
    assert_in_order(&answer, text.as_bytes());
    answer.status == 200
}

#[track_caller]
fn assert_in_order(answer: &Answer, sent: &[u8]) {
    let sent = String::from_utf8_lossy(sent);
    assert!(answer.header("X-Request-Id").is_some(), "{sent}: {answer}");
    match answer.status {
        200 => drop(answer.ok()),
        400 => {
            let code = answer.json()["code"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            assert!(
                ["invalid_json", "validation_failed", "unknown_item"].contains(&code.as_str()),
                "{sent}: {answer}"
            );
            assert_error(answer, 400, &code);
        }
        404 => drop(assert_error(answer, 404, "order_not_found")),
        409 => drop(assert_error(answer, 409, "duplicate_order_id")),
        412 => drop(assert_error(answer, 412, "version_conflict")),
        _ => panic!("{sent}: {answer}"),
    }
}

fn texts_that_databases_find_hard(site: &Site) {
    let (_server, client) = site.open();
    let long = "ß".repeat(255);
    for (i, text) in [
        "O'Brien; DROP TABLE orders; --",
        "\\",
        "\\x00",
        "%s%n",
        "${jndi:ldap://x}",
        "\u{1f600}\u{200d}\u{1f468}",
        "\u{202e}abc",
        "e\u{301}",
        "ﬁ",
        "Ⅷ",
        "İstanbul",
        "\u{10ffff}",
        "\u{fffe}",
        "\u{7f}",
        "tab\there",
        "line\nbreak",
        "\u{a0}x",
        "a\u{2028}b",
        "NULL",
        "{1,2}",
        &long,
    ]
    .iter()
    .enumerate()
    {
        let mut body = order(&format!("hard-{i}"));
        body["customer"]["last_name"] = json!(text);
        body["line_items"][0]["name"] = json!(text);
        let answer = client.call("create", &body);
        if answer.status == 200 {
            let made = answer.order();
            // A tab or a line break becomes a space, and white space around the text is cut off.
            let kept = text.replace(['\t', '\n'], " ");
            let kept = kept.trim();
            assert_eq!(made["customer"]["lastName"], kept);
            assert_eq!(
                client.stored(&format!("hard-{i}"))["childDetails"][0]["name"],
                kept
            );
            client.found(&text.chars().take(250).collect::<String>());
        } else {
            assert_error(&answer, 400, "validation_failed");
            assert!(
                text.contains(char::is_control),
                "{text:?} was refused: {answer}"
            );
        }
        let mut body = order(text);
        body["order_id"] = json!(text.chars().take(128).collect::<String>());
        assert_in_order(&client.call("create", &body), text.as_bytes());
    }
}

fn a_body_may_be_changed_anywhere(site: &Site) {
    const PIECES: [&[u8]; 22] = [
        b"\"",
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"null",
        b"true",
        b"1e999",
        b"-",
        b"\0",
        b"\xff",
        b"\\u0000",
        b"\\ud834",
        b"\"order_id\":",
        b"0",
        b"99999999999",
        b"\n",
        b"\xf0\x9f\x98\x80",
        b"{\"a\":[",
    ];
    let (server, client) = site.open();
    let mut update = update("seed");
    update["line_items"] = json!([{ "appItemId": "x", "quantity": 2, "remove": false }]);
    update["version"] = json!(1);
    client.create(&order("seed"));
    let search =
        json!({ "fromTime": 1_717_818_552_905_i64, "searchKey": "ana mug", "page": 1, "size": 5 });
    let seeds = [
        ("create", order("seed")),
        ("create-label", label("seed-2")),
        ("update", update),
        ("search", search),
    ];
    let mut random = fastrand::Rng::with_seed(20_240_608);
    let mut connection = Connection::open(server.address).unwrap();
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for round in 0..800 {
        let (operation, body) = &seeds[round % seeds.len()];
        let mut bytes = body.to_string().into_bytes();
        for _ in 0..=random.usize(..3) {
            let at = random.usize(..bytes.len());
            let end = (at + random.usize(..12)).min(bytes.len());
            match random.usize(..4) {
                0 => bytes[at] = random.u8(..),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, random.choice(PIECES).unwrap().iter().copied())),
                _ => {
                    let copy = bytes[at..end].to_vec();
                    let to = random.usize(..bytes.len());
                    bytes.splice(to..to, copy);
                }
            }
            if bytes.is_empty() {
                bytes.push(b' ');
            }
        }
        let answer = connection.send(&client.request(operation, bytes.clone()));
        let answer =
            answer.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)));
        assert_in_order(&answer, &bytes);
        *statuses.entry(answer.status).or_default() += 1;
        if answer.header("Connection") == Some("close") {
            connection = Connection::open(server.address).unwrap();
        }
    }
    assert!(
        statuses.get(&400).is_some_and(|count| *count > 200),
        "{statuses:?}"
    );
    assert!(
        statuses.get(&200).is_some_and(|count| *count > 20),
        "{statuses:?}"
    );
}

/// One byte too many, said beforehand and not.
#[test]
fn a_body_may_have_a_mebibyte_and_not_a_byte_more() {
    const LIMIT: usize = 1024 * 1024;
    let site = Site::sqlite();
    let (server, client) = site.open();
    let padded = |length: usize| {
        let mut body = order("big").to_string().into_bytes();
        body.resize(length, b' ');
        body
    };
    let chunked = |request: &Request| {
        let mut bytes = format!(
            "{}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
            request.head()
        )
        .into_bytes();
        for chunk in request.body.chunks(50_000) {
            bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        Connection::open(server.address)
            .unwrap()
            .send_raw(&bytes)
            .unwrap()
    };
    let fits = client.request("create", padded(LIMIT));
    client.send(&fits).ok();
    assert!(chunked(&fits).is_replay());
    for length in [LIMIT + 1, 3 * LIMIT] {
        let over = client.request("create", padded(length));
        assert_error(&client.send(&over), 413, "body_too_large");
        assert_error(&chunked(&over), 413, "body_too_large");
    }
    // What is announced is refused before it comes.
    let head = format!("{}Content-Length: 1099511627776\r\n\r\n", fits.head());
    let answer = Connection::open(server.address)
        .unwrap()
        .send_raw(head.as_bytes())
        .unwrap();
    assert_error(&answer, 413, "body_too_large");
    client.search(&json!({}));
}

#[test]
fn a_body_must_come_in_time() {
    let site = Site::sqlite();
    site.import_catalog();
    let server = site.serve_with(&[("PRESSLINE__HTTP__BODY_DEADLINE_SECONDS", "1")]);
    let client = site.store(&server, &[]);
    let request = client.request("create", order("slow").to_string());
    for chunked in [false, true] {
        let mut connection = Connection::open(server.address).unwrap();
        let length = if chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {}", request.body.len())
        };
        let begin = Instant::now();
        connection
            .write(format!("{}{length}\r\n\r\n", request.head()).as_bytes())
            .unwrap();
        connection
            .write(if chunked { b"1\r\n{\r\n" } else { b"{" })
            .unwrap();
        let answer = connection.read().unwrap();
        assert_error(&answer, 408, "request_timeout");
        assert!(
            (Duration::from_millis(900)..Duration::from_secs(5)).contains(&begin.elapsed()),
            "{:?}",
            begin.elapsed()
        );
    }
    client.create(&order("quick"));
}

#[test]
fn bodies_that_end_early_or_are_chunked_wrongly_leave_the_server_well() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let request = client.request("create", order("cut").to_string());
    let head = format!(
        "{}Content-Length: {}\r\n\r\n",
        request.head(),
        request.body.len()
    );
    for cut in [0, 1, request.body.len() - 1] {
        let mut connection = Connection::open(server.address).unwrap();
        connection.write(head.as_bytes()).unwrap();
        connection.write(&request.body[..cut]).unwrap();
        drop(connection);
    }
    let wrong = format!(
        "{}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n{{}}\r\n0\r\n\r\n",
        request.head()
    );
    let answer = Connection::open(server.address)
        .unwrap()
        .send_raw(wrong.as_bytes())
        .unwrap();
    assert_eq!(answer.status, 400, "{answer}");
    assert!(
        client.search(&json!({})).is_empty(),
        "half a request is none"
    );
}

#[test]
fn paths_methods_and_media_types_are_checked() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let body = order("media").to_string();
    for path in [
        "/app/v1/orders",
        "/app/v1/orders/",
        "/app/v1/orders/create/",
        "/app/v1/orders/Create",
        "/app/v2/orders/create",
        "/api/v1/orders/create",
        "/app/v1/orders/create%2f",
        "/app/v1/orders/../orders/none",
        "//",
        "/%00",
        "/%ff",
        "/app/v1/orders/delete",
    ] {
        assert_error(
            &client.send(&client.request_to(path, body.clone())),
            404,
            "not_found",
        );
        assert_error(&client.send(&Request::new("GET", path)), 404, "not_found");
    }
    for path in PATHS {
        for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"] {
            let request = Request {
                method,
                ..client.request_to(path, body.clone())
            };
            let answer = client.send(&request);
            assert_error(&answer, 405, "method_not_allowed");
            assert_eq!(answer.header("Allow"), Some("POST"), "{answer}");
        }
    }
    for path in ["/livez", "/readyz", "/openapi.json"] {
        let answer = client.send(&client.request_to(path, body.clone()));
        assert_error(&answer, 405, "method_not_allowed");
        assert!(answer.header("Allow").unwrap().contains("GET"), "{answer}");
    }

    let good = client.request("create", body.clone());
    let typed = |value: &str| {
        good.clone()
            .without("Content-Type")
            .header("Content-Type", value)
    };
    for value in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=UTF-8",
    ] {
        client.send(&typed(value)).ok();
    }
    for value in [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "json",
    ] {
        assert_error(&client.send(&typed(value)), 415, "unsupported_media_type");
    }
    assert_error(
        &client.send(&good.clone().without("Content-Type")),
        415,
        "unsupported_media_type",
    );
    client
        .send(&good.clone().header("Content-Encoding", "identity"))
        .ok();
    for coding in ["gzip", "br", "deflate", "identity, gzip", "x"] {
        let answer = client.send(&good.clone().header("Content-Encoding", coding));
        assert_error(&answer, 415, "unsupported_media_type");
    }
    // Each check comes before the next: path, method, size, media type, signature, body.
    let unsigned = good.clone().without("X-Service-Hmac-Sha256");
    assert_error(
        &client.send(&unsigned.clone().without("Content-Type")),
        415,
        "unsupported_media_type",
    );
    let broken = Request {
        body: b"{".to_vec(),
        ..unsigned
    };
    assert_error(&client.send(&broken), 401, "permission_denied");
    assert_eq!(client.found("media").len(), 1);

    // What is not even HTTP does not harm anybody else.
    for noise in [
        "GET\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "POST /app/v1/orders/create HTTP/1.1\r\nno header\r\n\r\n",
    ] {
        if let Ok(answer) = Connection::open(server.address)
            .unwrap()
            .send_raw(noise.as_bytes())
        {
            assert!((400..500).contains(&answer.status), "{answer}");
        }
    }
    client.send(&good).ok();
}
