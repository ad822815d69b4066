//! Properties of every response: request ids, both error formats, rate limits, and other paths than
//! orders.

use serde_json::{Value, json};

use crate::common::{Connection, Request, Site, assert_error, order, sign, try_get};

#[test]
fn every_response_carries_a_request_id() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let search = client.request("search", "{}");
    let long = "x".repeat(128);
    for given in ["a", "Order-7.retry_2", &long] {
        let response = client.send(&search.clone().header("X-Request-Id", given));
        assert_eq!(response.header("X-Request-Id"), Some(given));
    }
    // An invalid id is replaced by a generated id.
    for unfit in ["", "a b", "a/b", "<script>", &"x".repeat(129)] {
        let response = client.send(&search.clone().header("X-Request-Id", unfit));
        let id = response.header("X-Request-Id").unwrap();
        assert!(!id.is_empty() && id != unfit, "{id}");
    }
    let bad = client.send(&client.request("search", "{").header("X-Request-Id", "mine"));
    assert_eq!(
        assert_error(&bad, 400, "invalid_json").body["requestId"],
        "mine"
    );
    for path in ["/livez", "/readyz", "/openapi.json", "/nowhere", "/docs"] {
        let response = try_get(server.address, path).unwrap();
        assert!(
            response.header("X-Request-Id").is_some(),
            "{path}: {response}"
        );
    }
    // The log has one line per call, with the same request id and no request data.
    client
        .send(
            &client
                .request("create", order("logged-order").to_string())
                .header("X-Request-Id", "logged-1"),
        )
        .ok();
    let line = crate::common::wait_for("the line of the log", crate::common::TIMEOUT, || {
        server
            .log()
            .lines()
            .find(|line| line.contains("logged-1"))
            .map(str::to_owned)
    });
    let event: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&event["status"], &event["method"]),
        (&json!(200), &json!("POST"))
    );
    let log = server.log();
    for secret in [
        client.key.as_str(),
        "logged-order",
        "Souza",
        "Market St",
        "X-Service",
    ] {
        assert!(!log.contains(secret), "`{secret}` is in the log");
    }
}

#[test]
fn errors_are_problem_details_if_the_client_accepts_them() {
    let site = Site::sqlite();
    let (_server, client) = site.open();
    client.create(&order("problem"));
    let mut other = order("problem");
    other["email"] = json!("other@example.com");
    for (request, status, code) in [
        (
            client.request("search", "{\"page\":0}"),
            400,
            "validation_failed",
        ),
        (client.request("search", "[]"), 400, "invalid_json"),
        (
            client.request("create", other.to_string()),
            409,
            "duplicate_order_id",
        ),
        (
            client.signed_by("/app/v1/orders/search", "{}", "x"),
            401,
            "permission_denied",
        ),
        (Request::post("/nowhere", "{}"), 404, "not_found"),
    ] {
        let response = client.send(&request.header("Accept", "application/problem+json"));
        assert_eq!(
            response.header("Content-Type"),
            Some("application/problem+json"),
            "{response}"
        );
        let error = assert_error(&response, status, code);
        assert_eq!(error.body["status"], status);
        for key in ["type", "title", "detail"] {
            assert!(error.body[key].is_string(), "{key}: {response}");
        }
    }
}

#[test]
fn a_rate_limited_store_gets_a_retry_time() {
    let site = Site::sqlite();
    let server = site.serve_with(&[
        ("PRESSLINE__RATE_LIMIT__ENABLED", "true"),
        ("PRESSLINE__RATE_LIMIT__PER_MINUTE", "1"),
        ("PRESSLINE__RATE_LIMIT__BURST", "3"),
    ]);
    let (client, other) = (site.store(&server, &[]), site.store(&server, &[]));
    for _ in 0..3 {
        let response = client.call("search", &json!({}));
        response.ok();
        assert!(
            response.header("RateLimit").is_some() && response.header("RateLimit-Policy").is_some(),
            "{response}"
        );
    }
    let response = client.call("search", &json!({}));
    assert_error(&response, 429, "rate_limited");
    let seconds: u64 = response.header("Retry-After").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    // Each store has its own limit.
    other.call("search", &json!({})).ok();
    // A caller without the store's key can neither use up its quota nor see it.
    let forged = other.signed_by("/app/v1/orders/search", "{}", "forged");
    for _ in 0..5 {
        assert_error(&other.send(&forged), 401, "permission_denied");
    }
    other.call("search", &json!({})).ok();
}

#[test]
fn probes_and_documents_are_served() {
    let site = Site::sqlite();
    let server = site.serve();
    let get = |path: &str| try_get(server.address, path).unwrap();
    assert_eq!(get("/livez").status, 200);
    let ready = get("/readyz");
    assert_eq!(ready.status, 200, "{ready}");
    let document = get("/openapi.json").json();
    for path in ["create", "create-label", "update", "search"] {
        assert!(
            document["paths"][format!("/app/v1/orders/{path}")]["post"].is_object(),
            "{path}"
        );
    }
    let home = get("/");
    assert_eq!((home.status, home.header("Location")), (302, Some("/docs")));
    let page = get("/docs");
    assert!(
        page.status == 200 && page.text().to_lowercase().contains("<html"),
        "{page}"
    );
}

#[test]
fn a_connection_serves_many_calls() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let mut connection = Connection::open(server.address).unwrap();
    for (request, status) in [
        (client.request("search", "{}"), 200),
        (client.request("search", "{"), 400),
        (
            client.signed_by("/app/v1/orders/search", "{}", &sign("another key", b"{}")),
            401,
        ),
        (client.request("create", order("kept-1").to_string()), 200),
    ] {
        assert_eq!(connection.send(&request).unwrap().status, status);
    }
    // If a body was not read, the connection is closed, and the response says so.
    let mut other = Connection::open(server.address).unwrap();
    let response = other.send(&client.request_to("/nowhere", "{}")).unwrap();
    assert_eq!(
        (response.status, response.header("Connection")),
        (404, Some("close"))
    );
    // Two pipelined requests get their responses in order.
    let request = client.request("search", "{\"size\":1}");
    let head = request.head() + "Content-Length: 10\r\n\r\n{\"size\":1}";
    connection.write(head.repeat(2).as_bytes()).unwrap();
    for _ in 0..2 {
        assert_eq!(connection.read().unwrap().status, 200);
    }
}

#[test]
fn invalid_http_gets_a_response_and_is_not_logged_as_an_error() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    for (bytes, status) in [
        (&b"\x16\x03\x01\x02\x00\x01\r\n\r\n"[..], 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", 400),
        (
            &[
                b"GET / HTTP/1.1\r\nHost: x\r\n",
                "X-A: y\r\n".repeat(200).as_bytes(),
                b"\r\n",
            ]
            .concat(),
            431,
        ),
    ] {
        let mut connection = Connection::open(server.address).unwrap();
        connection.write(bytes).unwrap();
        assert_eq!(connection.read().unwrap().status, status);
        // The server writes its log line before it closes the connection.
        assert!(connection.line().is_err());
    }
    client.call("search", &json!({})).ok();
    let log = server.log_up_to_now();
    assert!(!log.contains("ERROR"), "{log}");
}
