//! The listener for operators: its endpoints and its configuration.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Operator;
use crate::common::{
    Finished, Request, Server, Site, TIMEOUT, assert_error, clean_command, on_both_databases,
    try_get, try_send, wait_for, workspace,
};
use crate::first_run::has_shell_tools;
use crate::recipes::recipes;

on_both_databases!(
    tokens_are_checked_and_used,
    a_revocation_takes_effect_within_five_seconds,
    neither_listener_serves_the_paths_of_the_other,
    each_token_has_its_own_rate_limit
);

fn tokens_are_checked_and_used(site: &Site) {
    let server = site.serve();
    let admin = Operator::create(site, &server, "admin", &[]);
    admin.call("stores/list", &json!({})).ok();
    let viewer = Operator::create(site, &server, "viewer", &[]);
    let refused = viewer.call("stores/list", &json!({}));
    assert_error(&refused, 403, "forbidden");
    // The token's secret with the id of another token.
    let wrong = Operator {
        token: admin.token.replace(&admin.token_id, &viewer.token_id),
        ..admin.clone()
    };
    let refused = wrong.call("stores/list", &json!({}));
    assert_error(&refused, 401, "permission_denied");
    assert_eq!(refused.header("WWW-Authenticate"), Some("Bearer"));
    // The minute of the last use is written in the background.
    let listed = wait_for("the last use", TIMEOUT, || {
        let listed = site.run(&["--json", "operator", "list"]).json();
        Some(listed).filter(|listed| listed[0]["tokens"][0]["lastUsedAt"].is_string())
    });
    let token = &listed[0]["tokens"][0];
    let [used, created] = ["lastUsedAt", "createdAt"].map(|field| token[field].as_str().unwrap());
    // A full minute, unless the token was created in that minute.
    assert!(used.ends_with(":00.000Z") || used == created, "{token}");
    assert!(used >= created, "{token}");
    let log = server.log_up_to_now();
    for secret in [&admin.token, &viewer.token] {
        let (_, secret) = secret.rsplit_once('_').unwrap();
        assert!(!log.contains(secret), "a token is in the log");
    }
}

fn a_revocation_takes_effect_within_five_seconds(site: &Site) {
    let server = site.serve();
    let admin = Operator::create(site, &server, "admin", &[]);
    admin.call("stores/list", &json!({})).ok();
    site.run(&["operator", "revoke", &admin.token_id]).ok();
    let begin = Instant::now();
    wait_for("the revocation", TIMEOUT, || {
        (admin.call("stores/list", &json!({})).status == 401).then_some(())
    });
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

fn neither_listener_serves_the_paths_of_the_other(site: &Site) {
    let (server, client) = site.open();
    let admin = Operator::create(site, &server, "admin", &[]);
    let for_operators = server.for_operators();
    // A store's signature is not valid for operators' endpoints, and a token is not valid for
    // stores' endpoints.
    let signed = client.request_to("/admin/v1/stores/list", "{}");
    let refused = try_send(for_operators, &signed).unwrap();
    assert_error(&refused, 401, "permission_denied");
    let create = Request::post("/app/v1/orders/create", "{}")
        .header("Authorization", &format!("Bearer {}", admin.token));
    assert_error(&client.send(&create), 401, "permission_denied");
    // The operators' listener does not have the path.
    assert_error(&try_send(for_operators, &create).unwrap(), 404, "not_found");
    assert_error(
        &client.send(&admin.request("stores/list", &json!({}))),
        404,
        "not_found",
    );
    for path in ["/livez", "/readyz", "/openapi.json", "/docs"] {
        assert_eq!(try_get(for_operators, path).unwrap().status, 200, "{path}");
    }
}

fn each_token_has_its_own_rate_limit(site: &Site) {
    let server = site.serve_with(&[("PRESSLINE__OPERATOR__PER_MINUTE", "3")]);
    let admin = Operator::create(site, &server, "admin", &[]);
    for left in [2, 1, 0] {
        let response = admin.call("stores/list", &json!({}));
        assert_eq!(
            response.header("RateLimit-Policy"),
            Some("\"token\";q=3;w=60")
        );
        let state = response.header("RateLimit").unwrap();
        assert!(
            state.starts_with(&format!("\"token\";r={left};")),
            "{state}"
        );
    }
    let refused = admin.call("stores/list", &json!({}));
    assert_error(&refused, 429, "rate_limited");
    assert!(refused.header("Retry-After").is_some());
    // Another token has its own limit.
    let other = Operator::create(site, &server, "admin", &["--expires", "1h"]);
    other.call("stores/list", &json!({})).ok();
}

#[test]
fn the_calls_of_the_guide_work_as_printed() {
    if !has_shell_tools() {
        return;
    }
    let guide = fs::read_to_string(workspace().join("docs/guides/operators.md")).unwrap();
    let calls = recipes(&guide);
    assert_eq!(calls.len(), 2);
    let site = Site::sqlite();
    let server = site.serve();
    let admin = Operator::create(&site, &server, "admin", &[]);
    for call in calls.values() {
        let mut command = Command::new("sh");
        command
            .args(["-c", call])
            .env("OPERATORS", format!("http://{}", admin.address))
            .env("TOKEN", &admin.token);
        let listed = Finished::new(&mut command).json();
        assert_eq!(
            (&listed["success"], &listed["data"]),
            (&json!(true), &json!([]))
        );
    }
}

#[test]
fn operators_are_served_at_the_configured_address() {
    let site = Site::sqlite();
    // An empty value disables the listener.
    let server = site.serve_with(&[("PRESSLINE__OPERATOR__LISTEN", "")]);
    assert!(!server.log_up_to_now().contains("for operators"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = site.command();
    command
        .arg("serve")
        .env("PRESSLINE__OPERATOR__LISTEN", &address);
    Finished::new(&mut command).fails(1, &[&address, "operator.listen"]);
    // A port alone is not an address.
    command.env("PRESSLINE__OPERATOR__LISTEN", "8081");
    Finished::new(&mut command).fails(2, &["operator.listen"]);
}

#[test]
fn a_second_server_serves_stores_although_the_operators_port_is_taken() {
    // The port is taken by this test, or already by another program.
    let _taken = TcpListener::bind("127.0.0.1:8081");
    let folder = tempfile::tempdir().unwrap();
    let mut command = clean_command(folder.path());
    command.env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0");
    let server = Server::start_as_set(command);
    assert_eq!(try_get(server.address, "/livez").unwrap().status, 200);
    let log = server.log_up_to_now();
    assert!(
        log.contains("operator.listen") && !log.contains("listening for operators"),
        "{log}"
    );
}
