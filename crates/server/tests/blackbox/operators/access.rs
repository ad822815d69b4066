//! Console access by the command line, and the audit log.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Operator;
use crate::common::{Site, on_both_databases};

on_both_databases!(
    a_sign_in_link_is_printed_once,
    the_link_begins_with_the_address_of_the_listener,
    links_are_refused_with_the_reason,
    changes_are_in_the_audit_log
);

fn create(site: &Site, name: &str, role: &str) {
    site.run(&["operator", "create", "--name", name, "--role", role])
        .ok();
}

/// Makes a sign-in link with the environment variable `key` set to `value`.
fn link_with(site: &Site, key: &str, value: &str) -> String {
    let words = ["--json", "operator", "sign-in", "Ana"];
    let mut command = site.command();
    let made = command.env(key, value).args(words).output().unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    made["link"].as_str().unwrap().to_owned()
}

fn a_sign_in_link_is_printed_once(site: &Site) {
    create(site, "Ana", "viewer");
    let sign_in = ["--json", "operator", "sign-in", "Ana"];
    let mut texts = BTreeSet::new();
    for _ in 0..2 {
        let made = site.run(&sign_in).json();
        assert_eq!(
            (&made["name"], &made["role"]),
            (&json!("Ana"), &json!("viewer"))
        );
        assert!(made["expiresAt"].is_string());
        let link = made["link"].as_str().unwrap();
        let text = link
            .strip_prefix("http://127.0.0.1:8081/console/sign-in?link=")
            .unwrap();
        assert!(text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()));
        texts.insert(text.to_owned());
    }
    assert_eq!(texts.len(), 2, "each link is another one");
    let shown = site.run(&["operator", "sign-in", "Ana"]).ok().out;
    for part in ["Link        http://", "expires", "works once"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    // Only digests are stored, and the audit log contains no link.
    let audit = site.run(&["--json", "audit"]).ok().out;
    assert!(texts.iter().all(|text| !audit.contains(text)));
}

fn the_link_begins_with_the_address_of_the_listener(site: &Site) {
    create(site, "Ana", "admin");
    let listen = "PRESSLINE__OPERATOR__LISTEN";
    for (key, value, expected) in [
        (listen, "0.0.0.0:9090", "http://127.0.0.1:9090/console/"),
        (
            listen,
            "desk.internal:9090",
            "http://desk.internal:9090/console/",
        ),
        (
            "PRESSLINE__OPERATOR__PUBLIC_URL",
            "https://desk.example.com",
            "https://desk.example.com/console/",
        ),
    ] {
        let link = link_with(site, key, value);
        assert!(link.starts_with(expected), "{link}");
    }
}

fn links_are_refused_with_the_reason(site: &Site) {
    create(site, "Carl", "carrier");
    create(site, "Ana", "operator");
    let sign_in = |name: &str| site.run(&["operator", "sign-in", name]);
    sign_in("Carl").fails(1, &["Carl", "carrier", "token"]);
    sign_in("Bob").fails(4, &["Bob"]);
    for (key, value, names) in [
        ("PRESSLINE__OPERATOR__LISTEN", "", "operator.listen"),
        (
            "PRESSLINE__OPERATOR__LISTEN",
            "127.0.0.1:0",
            "operator.public_url",
        ),
        (
            "PRESSLINE__OPERATOR__PUBLIC_URL",
            "desk.example.com",
            "without a path",
        ),
    ] {
        let mut command = site.command();
        command.env(key, value).args(["operator", "sign-in", "Ana"]);
        let ended = crate::common::Finished::new(&mut command);
        ended.fails(2, &[names]);
    }
}

fn changes_are_in_the_audit_log(site: &Site) {
    site.import_catalog();
    let server = site.serve();
    let admin = Operator::create(site, &server, "admin", &[]);
    let made = admin
        .call("stores/create", &json!({ "name": "Shop" }))
        .order();
    let store = made["storeId"].as_str().unwrap();
    let url = "https://hooks.example.com/?secret=abc";
    let hook = json!({ "url": url, "storeId": store });
    let hook = admin.call("webhooks/create", &hook).order();
    let webhook = hook["id"].as_str().unwrap();
    // Calls that change nothing or are refused are not logged.
    admin.call("stores/list", &json!({}));
    admin.call("stores/create", &json!({ "name": "" }));
    site.run(&["store", "disable", store]).ok();
    site.run(&["operator", "sign-in", "admin"]).ok();
    site.run(&["operator", "revoke", "admin"]).ok();

    let entries = site.run(&["--json", "audit"]).json();
    let entries: Vec<&Value> = entries.as_array().unwrap().iter().rev().collect();
    let shown: Vec<(&str, &str, &str)> = entries
        .iter()
        .map(|entry| {
            let who = entry["operator"]["name"].as_str().unwrap_or("-");
            let action = entry["action"].as_str().unwrap();
            (who, action, entry["subject"].as_str().unwrap())
        })
        .collect();
    let created = format!("{store} Shop");
    let disabled = format!("SHOP {store} disabled");
    let expected = [
        ("-", "catalog-imported", "products"),
        ("-", "operator-created", "admin admin"),
        ("admin", "store-created", created.as_str()),
        ("admin", "webhook-created", webhook),
        ("-", "store-changed", disabled.as_str()),
        ("-", "link-created", "admin"),
        ("-", "operator-revoked", "admin"),
    ];
    assert_eq!(shown, expected);
    assert!(entries[2]["requestId"].is_string());
    assert_eq!(entries[4]["requestId"], Value::Null);

    // The second page begins after the last entry of the first page.
    let first = site.run(&["--json", "audit", "--limit", "2"]).json();
    let last = first[1]["entryId"].as_str().unwrap();
    let second = ["--json", "audit", "--limit", "1", "--before", last];
    let second = site.run(&second).json();
    assert_eq!(second[0]["action"], "store-changed");
    let text = site.run(&["audit"]).ok().out;
    assert!(text.contains("command line  link-created  admin"), "{text}");
}

#[test]
fn an_untrusted_proxy_causes_a_warning_at_the_start() {
    let site = Site::sqlite();
    let url = ("PRESSLINE__OPERATOR__PUBLIC_URL", "https://desk.example");
    let proxies = ("PRESSLINE__HTTP__TRUSTED_PROXIES", "127.0.0.1");
    for (settings, is_warned) in [
        (vec![], false),
        (vec![url], true),
        (vec![url, proxies], false),
    ] {
        let log = site.serve_with(&settings).log_up_to_now();
        let warning = log.contains("http.trusted_proxies is empty");
        assert_eq!(warning, is_warned, "{settings:?}: {log}");
    }
}
