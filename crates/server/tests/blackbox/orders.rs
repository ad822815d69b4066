//! `pressline order`: a print shop reads its orders on the command line.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{Client, Site, label, on_both_databases, order, update};

on_both_databases!(
    orders_are_listed,
    orders_are_listed_page_by_page,
    an_order_is_shown_by_each_of_its_names,
    orders_of_other_stores_are_not_shown,
    order_content_cannot_control_the_terminal
);

fn prefix(order: &Value) -> String {
    order["serviceOrderId"]
        .as_str()
        .unwrap()
        .rsplit_once('-')
        .unwrap()
        .0
        .to_owned()
}

fn orders_are_listed(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&order("shop-1"));
    // The longest order id, and a long name in double-width characters.
    let mut long = order(&"y".repeat(128));
    long["shipping_address"]["name"] = json!("注文".repeat(60));
    client.create(&long);
    client.call("create-label", &label("shop-3")).ok();
    let prefix = prefix(&made);

    let text = site
        .run(&["order", "list", "--store", &prefix.to_lowercase()])
        .ok()
        .out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines[0].starts_with("NUMBER") && lines[0].ends_with("TOTAL"),
        "{text}"
    );
    // The newest order comes first.
    assert!(
        lines[1].contains("shop-3") && lines[1].contains("(label)"),
        "{text}"
    );
    for cell in ["shop-1", "US Ana Souza", "  3  ", "31.14 USD"] {
        assert!(lines[3].contains(cell), "{cell}: {text}");
    }
    // Characters other than ASCII are counted as two columns.
    let widths = lines.iter().map(|line| {
        line.chars()
            .map(|c| if c.is_ascii() { 1 } else { 2 })
            .sum::<usize>()
    });
    assert!(
        widths.max().unwrap() <= 101,
        "an ellipsis counts twice here: {text}"
    );

    assert_list_is_filtered(site, &client, &made);
    let nothing = site
        .run(&["order", "list", "--store", &prefix, "nobody"])
        .ok();
    assert_eq!(nothing.out, "No such orders.\n");
}

/// Asserts that words and times filter the list of the three orders like a search.
fn assert_list_is_filtered(site: &Site, client: &Client, made: &Value) {
    let list = |store: &str, arguments: &[&str]| {
        let arguments = [&["--json", "order", "list", "--store", store], arguments].concat();
        site.run(&arguments).json()
    };
    let document = list(&client.store, &["souza", "shop-1"]);
    let searched = client.search(&json!({ "searchKey": "souza shop-1" }));
    assert_eq!(document["data"], json!(searched));
    assert_eq!(document["pageHasNext"], false);
    assert!(document.get("nextCursor").is_none(), "{document}");

    let prefix = prefix(made);
    let found = |times: &[&str]| list(&prefix, times)["data"].as_array().unwrap().len();
    let created = made["createdAt"].as_str().unwrap();
    assert_eq!(found(&["--from", &created[..10]]), 3);
    assert_eq!(found(&["--from", "2020-01-01", "--to", "2020-12-31"]), 0);
    // `--to` includes the order's own time.
    assert_eq!(found(&["--to", created]), 1);
}

fn orders_are_listed_page_by_page(site: &Site) {
    let (_server, client) = site.open();
    for number in 0..5 {
        client.create(&order(&format!("shop-{number}")));
    }
    let list = |arguments: &[&str]| {
        site.run(
            &[
                &[
                    "--json",
                    "order",
                    "list",
                    "--store",
                    &client.store,
                    "--size",
                    "2",
                ],
                arguments,
            ]
            .concat(),
        )
        .json()
    };
    let (mut names, mut page) = (Vec::new(), list(&[]));
    loop {
        names.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|order| order["orderId"].clone()),
        );
        let Some(cursor) = page["nextCursor"].as_str().map(str::to_owned) else {
            break;
        };
        page = list(&["--cursor", &cursor]);
    }
    assert_eq!(names, ["shop-4", "shop-3", "shop-2", "shop-1", "shop-0"]);
    let text = site
        .run(&["order", "list", "--store", &client.store, "--size", "2"])
        .ok()
        .out;
    assert!(
        text.contains("--cursor ") && text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );

    let wrong = |arguments: &[&str], named: &[&str]| {
        site.run(&[&["order", "list", "--store", &client.store], arguments].concat())
            .fails(2, named);
    };
    wrong(&["--size", "101"], &["--size", "100"]);
    wrong(&["--cursor", "x"], &["--cursor"]);
    wrong(&["--from", "yesterday"], &["--from", "2026-01-01"]);
    wrong(
        &["--from", "2026-02-01", "--to", "2026-01-01"],
        &["--from", "--to"],
    );
}

fn an_order_is_shown_by_each_of_its_names(site: &Site) {
    let (_server, client) = site.open();
    let body = order("shop-1");
    let made = client.create(&body);
    let mut change = update("shop-1");
    change["production_note"] = json!("Gift:\nno invoice");
    client.call("update", &change).ok();
    // Another order contains the first order's id.
    let mut other = order("shop-2");
    other["line_items"][0]["refId"] = made["id"].clone();
    client.create(&other);
    let stored = client.stored("shop-1");
    for name in ["orderId", "serviceOrderId", "id"] {
        let name = made[name].as_str().unwrap();
        assert_eq!(
            site.run(&["--json", "order", "show", "--store", &client.store, name])
                .json(),
            stored,
            "{name}"
        );
        let text = site
            .run(&["order", "show", "--store", &prefix(&made), name])
            .ok()
            .out;
        let files = body["line_items"][1]["fileUrls"].as_array().unwrap();
        let files = files.iter().map(|url| url.as_str().unwrap());
        for part in files.chain([
            "Ana Souza",
            "12 Market St",
            "94105",
            "California",
            "United States",
            "+1 415 555 0100",
            "2 x MUG-11  Mug, 11 oz  5.20 USD each",
            "note        Gift:",
            "no invoice",
            "31.14 USD",
            made["serviceOrderId"].as_str().unwrap(),
        ]) {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    // An order is looked up by its whole name, not by a prefix.
    site.run(&["order", "show", "--store", &client.store, "shop"])
        .fails(4, &["`shop`"]);
}

fn orders_of_other_stores_are_not_shown(site: &Site) {
    let (server, client) = site.open();
    let made = client.create(&order("shop-1"));
    let other = site.store(&server, &["--prefix", "OTHER"]);
    for name in ["orderId", "serviceOrderId", "id"] {
        site.run(&[
            "order",
            "show",
            "--store",
            &other.store,
            made[name].as_str().unwrap(),
        ])
        .fails(4, &["OTHER"]);
    }
    assert_eq!(
        site.run(&["--json", "order", "list", "--store", "OTHER"])
            .json()["data"],
        json!([])
    );
    site.run(&["order", "list", "--store", "OTHERS"])
        .fails(4, &["did you mean `OTHER`"]);
    site.run(&[
        "order",
        "list",
        "--store",
        "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e",
    ])
    .fails(4, &["0197f3c2"]);
    site.run(&["order", "list"]).fails(2, &["--store"]);
    site.run(&["order", "list", "--store", "not a name"])
        .fails(2, &["prefix"]);
}

fn order_content_cannot_control_the_terminal(site: &Site) {
    let (_server, client) = site.open();
    let mut body = order("shop-1");
    // Requests may contain this character, which reverses the text after it.
    let hidden = "Ana\u{202e}Souza";
    body["shipping_address"]["name"] = json!(hidden);
    client.create(&body);
    let texts = [
        vec!["order", "list", "--store", &client.store],
        vec!["order", "show", "--store", &client.store, "shop-1"],
    ];
    for arguments in texts {
        let text = site.run(&arguments).ok().out;
        assert!(
            !text.contains('\u{202e}') && text.contains("\\u{202e}"),
            "{text}"
        );
    }
}

#[test]
fn a_pager_that_closes_early_is_not_an_error() {
    let site = Site::sqlite();
    site.run(&["store", "create", "--name", "Printery", "--prefix", "PR"])
        .ok();
    let mut command: Command = site.command();
    let (reader, writer) = std::io::pipe().unwrap();
    // The pager has closed its end.
    drop(reader);
    let ended = command
        .args(["order", "list", "--store", "PR"])
        .stdin(Stdio::null())
        .stdout(writer)
        .status();
    assert_eq!(ended.unwrap().code(), Some(0));
}
