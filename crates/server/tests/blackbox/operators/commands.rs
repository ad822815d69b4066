//! `pressline operator`: creating operators, and issuing and revoking their tokens.

use serde_json::{Value, json};

use crate::common::{Site, on_both_databases};

on_both_databases!(
    operators_are_made_and_listed,
    tokens_are_issued_and_revoked,
    wrong_arguments_are_refused
);

#[track_caller]
fn run(site: &Site, words: &str) -> Value {
    let words: Vec<&str> = ["--json", "operator"]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    site.run(&words).json()
}

fn members(document: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = document
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names
}

fn operators_are_made_and_listed(site: &Site) {
    assert_eq!(run(site, "list"), json!([]));
    let store = site
        .run(&["--json", "store", "create", "--name", "Shop"])
        .json();
    let bound = "create --name Ana --role viewer --store SHOP --store shop --expires 90d";
    let made = run(site, bound);
    let shape = [
        "expiresAt",
        "name",
        "operatorId",
        "role",
        "stores",
        "token",
        "tokenId",
    ];
    assert_eq!(members(&made), shape);
    assert_eq!(
        (&made["name"], &made["role"]),
        (&json!("Ana"), &json!("viewer"))
    );
    assert_eq!(made["stores"], json!([store["storeId"]]));
    let token = made["token"].as_str().unwrap();
    let id = made["tokenId"].as_str().unwrap();
    let secret = token.strip_prefix(&format!("plo_{id}_")).unwrap();
    assert!(
        secret.len() == 64 && secret.bytes().all(|b| b.is_ascii_hexdigit()),
        "{token}"
    );

    let free = run(site, "create --name Bob --role admin");
    assert_eq!(
        (&free["stores"], &free["expiresAt"]),
        (&Value::Null, &Value::Null)
    );

    let listed = site.run(&["--json", "operator", "list"]);
    assert!(!listed.out.contains(secret), "a token is shown once");
    let listed = listed.json();
    assert_eq!(listed[0]["name"], "Ana");
    assert_eq!(listed[1]["name"], "Bob");
    let tokens = &listed[0]["tokens"];
    assert_eq!(
        members(&tokens[0]),
        ["createdAt", "expiresAt", "lastUsedAt", "tokenId"]
    );
    assert_eq!(
        (&tokens[0]["tokenId"], &tokens[0]["lastUsedAt"]),
        (&made["tokenId"], &Value::Null)
    );
    assert_eq!(tokens[0]["expiresAt"], made["expiresAt"]);

    let text = site.run(&["operator", "list"]).ok().out;
    for part in ["Ana", "viewer", id, "last used never", "stores    all"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

fn tokens_are_issued_and_revoked(site: &Site) {
    let first = run(site, "create --name Ana --role operator");
    let second = run(site, "token Ana --expires 1h");
    assert_eq!(second["operatorId"], first["operatorId"]);
    assert_ne!(second["token"], first["token"]);
    let revoked = run(
        site,
        &format!("revoke {}", first["tokenId"].as_str().unwrap()),
    );
    assert_eq!(revoked["tokens"].as_array().unwrap().len(), 1);
    assert_eq!(revoked["tokens"][0]["tokenId"], second["tokenId"]);
    assert_eq!(run(site, "revoke Ana")["tokens"], json!([]));
    // The operator still exists and can get another token.
    assert_eq!(run(site, "token Ana")["operatorId"], first["operatorId"]);
}

fn wrong_arguments_are_refused(site: &Site) {
    site.run(&["operator", "create", "--name", "Ana", "--role", "viewer"])
        .ok();
    let create = |more: &[&str]| site.run(&[&["operator", "create"], more].concat());
    create(&["--name", "Ana", "--role", "admin"]).fails(1, &["Ana"]);
    create(&["--name", " ", "--role", "admin"]).fails(2, &["name"]);
    create(&["--name", "Bob", "--role", "boss"])
        .fails(2, &["viewer", "carrier", "operator", "admin"]);
    create(&["--name", "Bob", "--role", "admin", "--expires", "90"]).fails(2, &["90d"]);
    create(&["--name", "Bob", "--role", "admin", "--expires", "0s"]).fails(2, &["3650 days"]);
    create(&["--name", "Bob", "--role", "admin", "--store", "NONE"]).fails(4, &["NONE"]);
    site.run(&["operator", "token", "Bob"]).fails(4, &["Bob"]);
    site.run(&["operator", "revoke", "Bob"]).fails(4, &["Bob"]);
    let unknown = "0197f3c2-0000-7000-8000-00000000000f";
    site.run(&["operator", "revoke", unknown])
        .fails(4, &[unknown]);
    assert_eq!(run(site, "list").as_array().unwrap().len(), 1);
}
