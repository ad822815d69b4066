//! Paths, methods, media types, and bytes that are not HTTP.

use std::net::SocketAddr;

use crate::common::{Client, Connection, PATHS, Request, Site, assert_error, order};

/// Paths that resemble an endpoint's but do not exist.
const UNKNOWN_PATHS: [&str; 12] = [
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
];

const GOOD_MEDIA_TYPES: [&str; 3] = [
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json;charset=UTF-8",
];

const WRONG_MEDIA_TYPES: [&str; 6] = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "json",
];

#[test]
fn paths_methods_and_media_types_are_checked() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let body = order("media").to_string();
    let good = client.request("create", body.clone());
    assert_unknown_paths(&client, &body);
    assert_wrong_methods(&client, &body);
    assert_media_types(&client, &good);
    assert_order_of_checks(&client, &good);
    assert_eq!(client.found("media").len(), 1);
    assert_noise_is_refused(server.address);
    client.send(&good).ok();
}

fn assert_unknown_paths(client: &Client, body: &str) {
    for path in UNKNOWN_PATHS {
        for request in [client.request_to(path, body), Request::new("GET", path)] {
            assert_error(&client.send(&request), 404, "not_found");
        }
    }
}

fn assert_wrong_methods(client: &Client, body: &str) {
    for path in PATHS {
        for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"] {
            let request = Request {
                method,
                ..client.request_to(path, body)
            };
            let response = client.send(&request);
            assert_error(&response, 405, "method_not_allowed");
            assert_eq!(response.header("Allow"), Some("POST"), "{response}");
        }
    }
    for path in ["/livez", "/readyz", "/openapi.json"] {
        let response = client.send(&client.request_to(path, body));
        assert_error(&response, 405, "method_not_allowed");
        assert!(
            response.header("Allow").unwrap().contains("GET"),
            "{response}"
        );
    }
}

fn assert_media_types(client: &Client, good: &Request) {
    let untyped = good.clone().without("Content-Type");
    let typed = |value: &str| untyped.clone().header("Content-Type", value);
    let coded = |value: &str| good.clone().header("Content-Encoding", value);
    for value in GOOD_MEDIA_TYPES {
        client.send(&typed(value)).ok();
    }
    client.send(&coded("identity")).ok();
    let wrong_types = WRONG_MEDIA_TYPES.map(typed);
    let wrong_codings = ["gzip", "br", "deflate", "identity, gzip", "x"].map(coded);
    for request in wrong_types.iter().chain(&wrong_codings).chain([&untyped]) {
        assert_error(&client.send(request), 415, "unsupported_media_type");
    }
}

/// Asserts that checks happen in this order: path, method, size, media type, signature, body.
fn assert_order_of_checks(client: &Client, good: &Request) {
    let unsigned = good.clone().without("X-Service-Hmac-Sha256");
    let untyped = unsigned.clone().without("Content-Type");
    assert_error(&client.send(&untyped), 415, "unsupported_media_type");
    let broken = Request {
        body: b"{".to_vec(),
        ..unsigned
    };
    assert_error(&client.send(&broken), 401, "permission_denied");
}

fn assert_noise_is_refused(address: SocketAddr) {
    for noise in [
        "GET\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "POST /app/v1/orders/create HTTP/1.1\r\nno header\r\n\r\n",
    ] {
        let mut connection = Connection::open(address).unwrap();
        if let Ok(response) = connection.send_raw(noise.as_bytes()) {
            assert!((400..500).contains(&response.status), "{response}");
        }
    }
}
