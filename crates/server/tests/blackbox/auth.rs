//! Authentication of calls: signatures in all forms, timestamps, key rotation, disabled stores.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{
    Client, PATHS, PLAIN, Request, Site, assert_error, compact, on_both_databases, order, sign,
    sign_hex, unix_seconds, wait_for,
};

/// Time limit until revoked keys and disabled stores must get 401.
const TAKES_EFFECT: Duration = Duration::from_secs(5);

on_both_databases!(
    every_endpoint_requires_a_valid_signature,
    signatures_in_both_encodings_and_over_the_compact_body_are_accepted,
    a_signature_expires_with_its_timestamp,
    a_signed_call_is_refused_on_every_other_path,
    a_body_signature_is_refused_if_it_must_cover_the_path,
    a_store_setting_permits_unsigned_searches,
    keys_rotate_while_the_server_runs,
    revoked_keys_and_disabled_stores_are_refused_within_seconds,
);

/// Sends `request`, which must get a 401. Returns the body without `requestId` and `errors`: the
/// rest must be the same for all refusals.
#[track_caller]
fn refusal(client: &Client, request: &Request) -> Value {
    let response = client.send(request);
    let mut body = assert_error(&response, 401, "permission_denied").body;
    assert!(response.header("WWW-Authenticate").is_some(), "{response}");
    body["requestId"].take();
    body["errors"].take();
    body
}

fn every_endpoint_requires_a_valid_signature(site: &Site) {
    let (_server, client) = site.open();
    let body = order("unsigned").to_string();
    let mut refusals = Vec::new();
    for path in PATHS {
        let good = client.request_to(path, body.clone());
        let other_body = client.signed_by(path, body.clone(), &sign(&client.key, b"{}"));
        let resigned = |signature: &str| client.signed_by(path, body.clone(), signature);
        let right = sign(&client.key, body.as_bytes());
        refusals.extend(
            [
                good.clone().without("X-Service-Hmac-Sha256"),
                good.clone().without("X-Service-Store-Id"),
                good.clone()
                    .without("X-Service-Store-Id")
                    .header("X-Service-Store-Id", ""),
                good.clone()
                    .without("X-Service-Store-Id")
                    .header("X-Service-Store-Id", "' OR 1=1 --"),
                good.clone()
                    .without("X-Service-Store-Id")
                    .header("X-Service-Store-Id", "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e"),
                good.clone()
                    .header("X-Service-Hmac-Sha256", &sign(&client.key, b"{}")),
                other_body,
                resigned(""),
                resigned("x"),
                resigned(&right[..43]),
                resigned(&"A".repeat(10_000)),
                resigned(&sign("another key", body.as_bytes())),
                resigned(&sign("", body.as_bytes())),
                resigned(&sign_hex(&client.key, body.as_bytes())[..63]),
                resigned(&hex::encode(&right)),
            ]
            .map(|request| refusal(&client, &request)),
        );
    }
    assert!(
        refusals.iter().all(|body| body == &refusals[0]),
        "a refusal does not tell its reason: {refusals:#?}"
    );
    assert_eq!(client.found("unsigned"), Vec::<String>::new());
}

fn signatures_in_both_encodings_and_over_the_compact_body_are_accepted(site: &Site) {
    let (_server, client) = site.open();
    let pretty = serde_json::to_string_pretty(&order("encodings \" and  blanks\t")).unwrap();
    let pretty = pretty.replace("\\t", " ");
    let small = compact(&pretty);
    assert!(small.len() < pretty.len());
    let create = |body: &str, signature: &str| {
        client
            .send(&client.signed_by("/app/v1/orders/create", body, signature))
            .ok();
    };
    for text in [&pretty, &small] {
        create(&pretty, &sign(&client.key, text.as_bytes()));
        create(&pretty, &sign_hex(&client.key, text.as_bytes()));
        create(
            &pretty,
            &sign_hex(&client.key, text.as_bytes()).to_uppercase(),
        );
    }
    // The signed text is the body as sent, without white space; the body is never serialized again.
    let of_pretty = client.signed_by(
        "/app/v1/orders/create",
        small.as_str(),
        &sign(&client.key, pretty.as_bytes()),
    );
    refusal(&client, &of_pretty);
    let rewritten = serde_json::from_str::<Value>(r#"{"b":1,"a":1.50}"#)
        .unwrap()
        .to_string();
    let of_rewritten = client.signed_by(
        "/app/v1/orders/search",
        r#"{"b":1,"a":1.50}"#,
        &sign(&client.key, rewritten.as_bytes()),
    );
    refusal(&client, &of_rewritten);
    assert_eq!(client.search(&json!({})).len(), 1);
}

/// A search at `path`, signed with `timestamp` and `signed_path`.
fn timestamped(client: &Client, timestamp: &str, signed_path: &str, path: &str) -> Request {
    client.timestamped((path, signed_path), timestamp, "{ }")
}

fn a_signature_expires_with_its_timestamp(site: &Site) {
    let (server, client) = site.open();
    const SEARCH: &str = "/app/v1/orders/search";
    let search = |timestamp: String| timestamped(&client, &timestamp, SEARCH, SEARCH);
    for skew in [0, -290, 290] {
        client
            .send(&search((unix_seconds() + skew).to_string()))
            .ok();
    }
    let now = unix_seconds().to_string();
    client
        .send(&timestamped(
            &client,
            &now,
            "/api/v1/orders/search",
            "/api/v1/orders/search",
        ))
        .ok();
    for late in [-310, 310, -1_000_000_000] {
        let response = client.send(&search((unix_seconds() + late).to_string()));
        assert_error(&response, 401, "timestamp_out_of_range");
    }
    refusal(
        &client,
        &timestamped(&client, &now, "/app/v1/orders/create", SEARCH),
    );
    let compacted = sign(&client.key, format!("{now}.{SEARCH}.{{}}").as_bytes());
    refusal(
        &client,
        &client
            .signed_by(SEARCH, "{ }", &compacted)
            .header("X-Service-Timestamp", &now),
    );
    let of_body_alone = client
        .plain(SEARCH, "{ }")
        .header("X-Service-Timestamp", &now);
    refusal(&client, &of_body_alone);
    for odd in ["", "soon", "99999999999999999999", "-1"] {
        let status = client.send(&search(odd.to_owned())).status;
        assert_eq!(status, 401, "timestamp {odd:?}");
    }

    let strict = site.store(&server, &["--require-timestamp"]);
    assert_error(
        &strict.send(&strict.plain(SEARCH, "{}")),
        401,
        "timestamp_required",
    );
    strict
        .send(&timestamped(&strict, &now, SEARCH, SEARCH))
        .ok();
    refusal(
        &strict,
        &strict.signed_by(SEARCH, "{}", &sign("another key", b"{}")),
    );
}

fn a_signed_call_is_refused_on_every_other_path(site: &Site) {
    let (_server, client) = site.open();
    let now = unix_seconds().to_string();
    for signed_path in PATHS {
        for path in PATHS.into_iter().filter(|path| *path != signed_path) {
            refusal(&client, &timestamped(&client, &now, signed_path, path));
        }
    }
}

fn a_body_signature_is_refused_if_it_must_cover_the_path(site: &Site) {
    let (_server, client) = site.open();
    client.create(&order("captured"));
    let body = r#"{"order_id":"captured"}"#;
    for path in PATHS {
        let response = client.send(&client.plain(path, body));
        if PLAIN.contains(&path) {
            assert_ne!(response.status, 401, "{path}: {response}");
        } else {
            let error = assert_error(&response, 401, "timestamp_required");
            assert!(
                error.message.contains("sign `<timestamp>.<path>.<body>`"),
                "{response}"
            );
        }
        let forged = client.signed_by(path, body, &sign("another key", body.as_bytes()));
        refusal(&client, &forged);
    }
    assert_eq!(client.shown("captured")["version"], 1);
}

fn a_store_setting_permits_unsigned_searches(site: &Site) {
    let (server, usual) = site.open();
    let open = site.store(&server, &["--allow-unsigned-search"]);
    open.create(&order("open-1"));
    for path in ["/app/v1/orders/search", "/api/v1/orders/search"] {
        let unsigned = |client: &Client| {
            client
                .request_to(path, "{}")
                .without("X-Service-Hmac-Sha256")
        };
        let envelope = open.send(&unsigned(&open)).ok();
        assert_eq!(envelope["data"].as_array().unwrap().len(), 1);
        refusal(&usual, &unsigned(&usual));
        refusal(
            &open,
            &open.signed_by(path, "{}", &sign("another key", b"{}")),
        );
    }
    for operation in ["create", "create-label", "update"] {
        let unsigned = open
            .request(operation, order("open-2").to_string())
            .without("X-Service-Hmac-Sha256");
        refusal(&open, &unsigned);
    }
}

fn keys_rotate_while_the_server_runs(site: &Site) {
    let (_server, first) = site.open();
    first.search(&json!({}));
    let rotate = || {
        let made = site
            .run(&["--json", "store", "rotate-key", &first.store])
            .json();
        Client {
            key: made["secretKey"].as_str().unwrap().to_owned(),
            ..first.clone()
        }
    };
    let second = rotate();
    second.call("search", &json!({})).ok();
    first.call("search", &json!({})).ok();
    // A third key drops the oldest key. A store that is created while the server runs is known at
    // its first call.
    let third = rotate();
    wait_for("the third key", Duration::from_secs(2), || {
        (third.call("search", &json!({})).status == 200).then_some(())
    });
    second.call("search", &json!({})).ok();
    wait_for("the end of the first key", TAKES_EFFECT, || {
        (first.call("search", &json!({})).status == 401).then_some(())
    });
    let shown = site.run(&["--json", "store", "show", &first.store]).json();
    assert_eq!(shown["keys"].as_array().unwrap().len(), 2);
}

fn revoked_keys_and_disabled_stores_are_refused_within_seconds(site: &Site) {
    let (server, revoked) = site.open();
    let disabled = site.store(&server, &["--allow-unsigned-search"]);
    let made = site
        .run(&["--json", "store", "rotate-key", &revoked.store])
        .json();
    let kept = Client {
        key: made["secretKey"].as_str().unwrap().to_owned(),
        ..revoked.clone()
    };
    let oldest = made["keys"][0]["keyId"].as_str().unwrap();
    assert_ne!(oldest, made["keyId"]);
    for client in [&revoked, &disabled, &kept] {
        client.call("search", &json!({})).ok();
    }
    site.run(&["store", "revoke-key", &revoked.store, oldest])
        .ok();
    site.run(&["store", "disable", &disabled.store]).ok();
    let begin = Instant::now();
    for client in [&revoked, &disabled] {
        wait_for(
            "a refusal",
            TAKES_EFFECT.saturating_sub(begin.elapsed()),
            || {
                let response = client.call("search", &json!({}));
                (response.status != 200).then(|| assert_error(&response, 401, "permission_denied"))
            },
        );
    }
    kept.call("search", &json!({})).ok();
    refusal(
        &disabled,
        &disabled
            .request("search", "{}")
            .without("X-Service-Hmac-Sha256"),
    );

    site.run(&["store", "enable", &disabled.store]).ok();
    wait_for("the store to be served again", TAKES_EFFECT, || {
        (disabled.call("search", &json!({})).status == 200).then_some(())
    });
}
