//! `pressline store`: creating, showing and changing stores.

use serde_json::{Value, json};

use super::UNKNOWN;
use crate::common::{Site, assert_members, on_both_databases};

on_both_databases!(stores_are_made_and_shown, stores_are_changed);

/// Fields of the JSON output of `store create`.
const MEMBERS: [&str; 13] = [
    "storeId",
    "name",
    "prefix",
    "currency",
    "test",
    "enabled",
    "strictCatalog",
    "requireTimestamp",
    "allowUnsignedSearch",
    "createdAt",
    "keys",
    "keyId",
    "secretKey",
];

/// Runs a command with `--json` and parses its output. `words` are separated by spaces; `more` are
/// further arguments.
#[track_caller]
fn run_json(site: &Site, words: &str, more: &[&str]) -> Value {
    let words = ["--json"].into_iter().chain(words.split(' '));
    let arguments: Vec<&str> = words.chain(more.iter().copied()).collect();
    site.run(&arguments).json()
}

#[track_caller]
fn create(site: &Site, name: &str) -> Value {
    let words = "store create --currency EUR --strict-catalog --name";
    run_json(site, words, &[name])
}

fn stores_are_made_and_shown(site: &Site) {
    assert_eq!(run_json(site, "store list", &[]), json!([]));
    let made = create(site, "Café Paris");
    for key in MEMBERS {
        assert!(made.get(key).is_some(), "no {key} in {made}");
    }
    assert_members(
        &made,
        &json!({
            "name": "Café Paris", "currency": "EUR", "test": false, "enabled": true, "strictCatalog": true,
            "requireTimestamp": false
        }),
    );
    let prefix = made["prefix"].as_str().unwrap();
    let is_of_prefix = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    assert!(
        prefix.starts_with("CAFE") && prefix.bytes().all(is_of_prefix),
        "{prefix}"
    );
    let secret = made["secretKey"].as_str().unwrap();
    assert!(secret.len() >= 32, "{secret}");
    let id = made["storeId"].as_str().unwrap();

    // A secret key is shown only once.
    let shown = site.run(&["--json", "store", "show", id]);
    assert!(!shown.out.contains(secret) && !shown.err.contains(secret));
    let shown = shown.json();
    assert_eq!(
        (&shown["storeId"], &shown["keys"][0]["keyId"]),
        (&made["storeId"], &made["keyId"])
    );
    assert!(shown.get("secretKey").is_none());

    let test = run_json(site, "store create --test --name", &["Try"]);
    assert_members(&test, &json!({ "name": "Try", "test": true }));
    let shown = site.run(&["store", "show", test["storeId"].as_str().unwrap()]);
    assert!(shown.out.contains("its orders are not made"), "{shown:?}");

    let same_name = run_json(site, "store create --name", &["Café Paris"]);
    assert_ne!(same_name["prefix"], made["prefix"], "prefixes are unique");
    site.run(&["store", "create", "--name", "X", "--prefix", prefix])
        .fails(1, &[prefix]);
    let listed = run_json(site, "store list", &[]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
}

fn stores_are_changed(site: &Site) {
    let made = create(site, "Shop");
    let id = made["storeId"].as_str().unwrap();
    let words = "store set --strict-catalog false --require-timestamp --name";
    assert_members(
        &run_json(site, words, &["Chez nous", id]),
        &json!({
            "name": "Chez nous", "strictCatalog": false, "requireTimestamp": true, "currency": "EUR"
        }),
    );
    assert_keys_are_rotated(site, &made);
    let disabled = run_json(site, "store disable", &[id]);
    assert_eq!(disabled["enabled"], false);
    let enabled = run_json(site, "store enable", &[id]);
    assert_eq!(enabled["enabled"], true);
    let text = site.run(&["store", "show", id]).ok().out;
    assert!(text.contains(id) && text.contains("Chez nous"), "{text}");
    assert_prefix_names_the_store(site, &made);
    assert_unknown_ids_are_refused(site, id);
}

fn assert_keys_are_rotated(site: &Site, made: &Value) {
    let id = made["storeId"].as_str().unwrap();
    let second = run_json(site, "store rotate-key", &[id]);
    assert_eq!(second["keys"].as_array().unwrap().len(), 2);
    assert_ne!(second["secretKey"], made["secretKey"]);
    let third = run_json(site, "store rotate-key", &[id]);
    let live: Vec<&Value> = third["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| &key["keyId"])
        .collect();
    assert_eq!(
        live,
        [&second["keyId"], &third["keyId"]],
        "the oldest is dropped"
    );
    let key = third["keyId"].as_str().unwrap();
    let revoked = run_json(site, "store revoke-key", &[id, key]);
    assert_eq!(revoked["keys"].as_array().unwrap().len(), 1);
}

/// Asserts that each command accepts the prefix of `made`, in upper or lower case, instead of its
/// id.
fn assert_prefix_names_the_store(site: &Site, made: &Value) {
    let prefix = made["prefix"].as_str().unwrap();
    let rotated = run_json(site, "store rotate-key", &[prefix]);
    let key = rotated["keyId"].as_str().unwrap();
    for (words, arguments) in [
        ("store show", vec![prefix]),
        (
            "store set",
            vec![&*prefix.to_lowercase(), "--name", "Chez vous"],
        ),
        ("store revoke-key", vec![prefix, key]),
        ("store disable", vec![prefix]),
        ("store enable", vec![prefix]),
    ] {
        let shown = run_json(site, words, &arguments);
        assert_eq!(shown["storeId"], made["storeId"], "{shown}");
    }
    site.run(&["store", "show", "NONE"]).fails(4, &["`NONE`"]);
}

fn assert_unknown_ids_are_refused(site: &Site, id: &str) {
    for arguments in [
        vec!["store", "show", UNKNOWN],
        vec!["store", "set", UNKNOWN, "--name", "x"],
        vec!["store", "rotate-key", UNKNOWN],
        vec!["store", "disable", UNKNOWN],
        vec!["store", "enable", UNKNOWN],
        vec!["store", "revoke-key", UNKNOWN, UNKNOWN],
        vec!["store", "revoke-key", id, UNKNOWN],
    ] {
        site.run(&arguments).fails(4, &[UNKNOWN]);
    }
}
