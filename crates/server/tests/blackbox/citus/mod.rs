//! Citus with three nodes: the steps of docs/SCALE.md from a single PostgreSQL, and the loss of a
//! node.

mod load;
mod lost_worker;
mod moved_shard;

use std::fs;

use pressline_testkit::Citus;
use serde_json::json;

use crate::common::{Site, order, update, workspace};

/// Returns the fenced block after the mark of step `name`.
fn step<'d>(document: &'d str, name: &str) -> &'d str {
    let mark = format!("<!-- step: {name} -->");
    let (_, rest) = document.split_once(&mark).unwrap();
    let (_, block) = rest.split_once("```").unwrap();
    let (_, block) = block.split_once('\n').unwrap();
    block.split_once("```").unwrap().0
}

const JIT_IS_OFF: &str = "DO $$ BEGIN ASSERT current_setting('jit') = 'off', 'jit is on'; END $$";

#[test]
fn the_steps_to_a_cluster_keep_all_orders() {
    let Some(cluster) = Citus::start(2).unwrap() else {
        return;
    };
    let document = fs::read_to_string(workspace().join("docs/SCALE.md")).unwrap();
    let database = cluster.create_databases().unwrap();
    let site = Site::elsewhere(database.url());
    let made = {
        let (server, client) = site.open();
        let made = client.create(&order("before"));
        drop(server);
        (client, made)
    };
    // Before the extension is installed.
    site.run(&["migrate", "--distribute"])
        .fails(3, &["citus", "docs/SCALE.md"]);

    database
        .execute_everywhere(step(&document, "every node"))
        .unwrap();
    cluster.share_password(&database).unwrap();
    let names = ["coordinator", "worker1", "worker2"].iter();
    let nodes = names.zip(cluster.ports()).fold(
        step(&document, "coordinator").to_owned(),
        |text, (name, port)| {
            let documented = format!("'{name}.internal', 5432");
            text.replace(&documented, &format!("'127.0.0.1', {port}"))
        },
    );
    database.execute(&nodes).unwrap();
    assert_eq!(
        step(&document, "shell").trim(),
        "pressline migrate --distribute"
    );
    let printed = site.run(&["migrate", "--distribute"]).ok().out;
    assert!(
        printed.contains("Distributed by store: store_counters, event_counters, orders, ")
            && printed.contains("Copied to every node: stores, "),
        "{printed}"
    );
    let again = site.run(&["migrate", "--distribute"]).ok().out;
    assert!(again.contains("distributed already"), "{again}");
    database.execute_everywhere(JIT_IS_OFF).unwrap();

    let server = site.serve();
    let (mut client, before) = made;
    client.address = server.address;
    assert_eq!(client.found("before"), ["before"]);
    assert_eq!(
        client.call("create", &order("before")).order()["id"],
        before["id"]
    );
    let after = client.create(&order("after"));
    assert_ne!(after["serviceOrderId"], before["serviceOrderId"]);
    let mut change = update("before");
    change["customer"]["last_name"] = json!("Lindqvist");
    client.call("update", &change).ok();
    assert_eq!(client.found("lindqvist"), ["before"]);
    let second = site.store(&server, &[]);
    second.create(&order("other"));
    assert_eq!(second.found("Ana"), ["other"]);
}

#[test]
fn distributing_needs_citus() {
    let site = Site::postgres();
    site.run(&["migrate", "--distribute"])
        .fails(3, &["citus", "CREATE EXTENSION", "docs/SCALE.md"]);
    let site = Site::sqlite();
    site.run(&["migrate", "--distribute"])
        .fails(2, &["PostgreSQL", "citus"]);
}
