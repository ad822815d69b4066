//! Servers whose clock is wrong or jumps, by the library of `faketime`.

use std::process::Command;
use std::time::{Duration, Instant};

use pressline_testkit::tool;
use serde_json::{Value, json};

use crate::common::{Client, Server, Site, TIMEOUT, order, try_get, wait_for};

const GROUP: &str = "clocks";
/// File in the site's folder with the time of a server, such as `+600`.
const FILE: &str = "clock";
/// Time for which nothing may move. The wrong server would move all orders within two seconds.
const WATCHED: Duration = Duration::from_secs(4);
const ORDERS: usize = 20;

/// Starts a server whose clock [`set`] changes. Returns `None` without the library.
fn serve(site: &Site, seconds: i64) -> Option<Server> {
    let program = tool(GROUP, "faketime")?;
    // The program sets the variable that loads its library.
    let shown = Command::new(program).args(["-f", "+0s", "env"]).output();
    let shown = String::from_utf8(shown.unwrap().stdout).unwrap();
    let library = shown
        .lines()
        .find_map(|line| line.strip_prefix("LD_PRELOAD="))
        .expect("faketime loads a library");
    set(site, seconds);
    let mut command = site.command();
    command
        .arg("serve")
        .env("LD_PRELOAD", library)
        .env("FAKETIME_TIMESTAMP_FILE", site.folder().join(FILE))
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Some(Server::start(command))
}

/// Moves the clock of the server to `seconds` after the right time.
fn set(site: &Site, seconds: i64) {
    // Renamed, so that the server never reads half a file.
    let new = site.file("next-clock", format!("{seconds:+}"));
    std::fs::rename(new, site.folder().join(FILE)).unwrap();
}

fn ready(server: &Server) -> (u16, Value) {
    let response = try_get(server.address, "/readyz").unwrap();
    (response.status, response.json())
}

fn wait_for_status(server: &Server, status: u16) -> Value {
    wait_for(&format!("/readyz to respond {status}"), TIMEOUT, || {
        let (found, body) = ready(server);
        (found == status).then_some(body)
    })
}

fn statuses(client: &Client, order_id: &str) -> Value {
    client.stored(order_id)["itemStatuses"].clone()
}

#[test]
fn postgres_a_server_ten_minutes_ahead_moves_no_orders_of_another_server() {
    let site = Site::postgres();
    site.import_catalog();
    let right = site.serve();
    let client = site.store(&right, &["--cooling-off", "5m"]);
    let Some(ahead) = serve(&site, 600) else {
        return;
    };
    let names: Vec<String> = (0..ORDERS)
        .map(|number| format!("early-{number}"))
        .collect();
    for name in &names {
        client.create(&order(name));
    }
    let body = wait_for_status(&ahead, 503);
    let problem = body["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["name"] == "clock")
        .unwrap_or_else(|| panic!("{body}"));
    assert_eq!(problem["ok"], false);
    let text = problem["problem"].as_str().unwrap();
    assert!(text.contains("s ahead of the database's"), "{text}");
    assert!(
        ahead.log().contains("ahead of the database's"),
        "{}",
        ahead.log()
    );
    let begin = Instant::now();
    while begin.elapsed() < WATCHED {
        for name in &names {
            assert_eq!(statuses(&client, name), json!(["cooling-off"]), "{name}");
        }
    }
    // Signatures and orders of the wrong server have the database's time.
    let elsewhere = Client {
        address: ahead.address,
        ..client.clone()
    };
    elsewhere
        .call("history", &json!({ "order_id": names[0] }))
        .ok();
    let made = elsewhere.create(&order("late"));
    let newest = client.call("search", &json!({ "size": 1 })).ok();
    assert_eq!(newest["data"][0]["orderId"], "late");
    let after = client.create(&order("later"));
    let times = [&made, &after].map(|order| order["createdAt"].as_str().unwrap().to_owned());
    assert!(times[0] < times[1], "{times:?}");
    assert_eq!(ready(&right).0, 200);
    // The clock is set right.
    set(&site, 0);
    wait_for_status(&ahead, 200);
    wait_for("the log", TIMEOUT, || {
        ahead
            .log()
            .contains("agrees with the database's again")
            .then_some(())
    });
}

#[test]
fn postgres_a_server_five_seconds_behind_is_ready_and_warns() {
    let site = Site::postgres();
    let Some(behind) = serve(&site, -5) else {
        return;
    };
    let body = wait_for_status(&behind, 200);
    let warnings = body["warnings"].to_string();
    assert!(warnings.contains("5.0 s behind the database's"), "{body}");
    // A jump to far ahead, as after a suspended machine, and back.
    set(&site, 7200);
    wait_for_status(&behind, 503);
    set(&site, 0);
    let body = wait_for_status(&behind, 200);
    assert!(
        body["warnings"].to_string().contains("jumped back by 7200"),
        "{body}"
    );
    assert!(
        behind.log().contains("jumped forward by 7205"),
        "{}",
        behind.log()
    );
}

#[test]
fn sqlite_a_jump_is_logged_and_moves_no_orders_before_the_next_measurement() {
    let site = Site::sqlite();
    site.import_catalog();
    let Some(server) = serve(&site, 0) else {
        return;
    };
    let client = site.store(&server, &["--cooling-off", "5m"]);
    client.create(&order("calm"));
    set(&site, 600);
    wait_for("the log", TIMEOUT, || {
        server.log().contains("jumped forward by 600").then_some(())
    });
    let begin = Instant::now();
    while begin.elapsed() < WATCHED {
        let (status, body) = ready(&server);
        assert_eq!(status, 200);
        let warnings = body["warnings"].to_string();
        assert!(warnings.contains("jumped forward"), "{body}");
    }
    set(&site, 0);
    wait_for("the log", TIMEOUT, || {
        server.log().contains("jumped back by 600").then_some(())
    });
    assert_eq!(statuses(&client, "calm"), json!(["cooling-off"]));
}
