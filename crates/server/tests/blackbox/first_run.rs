//! The first run in an empty folder: the service starts and prints commands that work unchanged
//! when pasted.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use pressline_testkit::tool;
use serde_json::{Value, json};

use crate::common::{
    Connection, Finished, Request, Server, TIMEOUT, clean_command, try_get, try_send, wait_for,
};

/// Starts the service without configuration, except for a free port: 8080 may be in use.
fn start(folder: &Path) -> Server {
    let mut command = clean_command(folder);
    command.env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0");
    Server::start(command)
}

/// Returns the printed commands, from `PRESSLINE=` to the last call.
pub(crate) fn block(server: &Server) -> String {
    wait_for("the block to paste", TIMEOUT, || {
        let output = server.output();
        let begin = output.find("PRESSLINE=http://")?;
        // The last call reads the history.
        let end = begin + output[begin..].find("call orders/history")?;
        let end = end + output[end..].find('\n')?;
        Some(output[begin..end].to_owned())
    })
}

/// Returns the value of the variable `name` in the block.
pub(crate) fn variable(block: &str, name: &str) -> String {
    let line = block
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name}=")));
    line.unwrap_or_else(|| panic!("no {name} in {block}"))
        .trim_matches(['\'', '"'])
        .to_owned()
}

/// Starts a server with the demo store. Returns its URL, the store's id and its secret key as
/// variables.
pub(crate) fn demo(folder: &Path) -> (Server, [(&'static str, String); 3]) {
    let server = start(folder);
    let block = block(&server);
    let variables = ["PRESSLINE", "STORE", "KEY"].map(|name| (name, variable(&block, name)));
    (server, variables)
}

/// Returns whether the programs of the printed block and of the guides are installed.
pub(crate) fn has_shell_tools() -> bool {
    ["bash", "curl", "openssl"]
        .iter()
        .all(|program| tool("curl", program).is_some())
}

/// A printed response: its path and status, and the fields shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FirstRunOutput {
    pub(crate) called: String,
    pub(crate) fields: Vec<String>,
}

impl FirstRunOutput {
    /// Parses the output of a printed block. A line without indent begins a response.
    pub(crate) fn read(output: &str) -> Vec<Self> {
        let mut responses: Vec<Self> = Vec::new();
        for line in output.lines() {
            assert!(line.chars().count() <= 102, "{line}");
            match line.strip_prefix("  ") {
                Some(field) => responses.last_mut().unwrap().fields.push(field.to_owned()),
                None => responses.push(Self {
                    called: line.to_owned(),
                    fields: Vec::new(),
                }),
            }
        }
        responses
    }
}

fn paste(shell: &str, block: &str) -> Vec<FirstRunOutput> {
    let mut command = Command::new(shell);
    let ended = Finished::from(command.arg("-c").arg(block).output().unwrap()).ok();
    assert_eq!(ended.err, "", "{ended:?}");
    FirstRunOutput::read(&ended.out)
}

/// Returns the responses of the printed block, for the order `number` that can be edited until
/// `editable`.
fn expected(number: &str, editable: &str) -> [FirstRunOutput; 8] {
    // 2 x 5.20 + 8.75, 4.00 for the back, 7.99 for three units.
    let total = r#""totalCost":31.14"#;
    let expected: [(&str, &str, [&str; 2]); 8] = [
        ("orders/create", "OK", [number, total]),
        ("orders/create", "Already exists", [number, total]),
        ("orders/update", "OK", [r#""version":2"#, total]),
        ("orders/search", "OK", [number, r#""version":2"#]),
        (
            "orders/get",
            "OK",
            [r#""itemStatuses":["cooling-off"]"#, editable],
        ),
        (
            "orders/process-now",
            "OK",
            [r#""itemStatuses":["ready"]"#, r#""version":3"#],
        ),
        (
            "orders/move",
            "OK",
            [r#""result":"moved""#, r#""itemStatuses":["in-production"]"#],
        ),
        (
            "orders/history",
            "OK",
            [r#""sequence":4"#, r#""type":"order.status_changed""#],
        ),
    ];
    expected.map(|(path, message, fields)| {
        let message = format!(r#""message":"{message}""#);
        let listener = if path == "orders/move" {
            "admin"
        } else {
            "app"
        };
        FirstRunOutput {
            called: format!("/{listener}/v1/{path} 200"),
            fields: std::iter::once(message)
                .chain(fields.map(str::to_owned))
                .collect(),
        }
    })
}

/// Runs `block`: it creates an order twice, updates it, searches for it, reads it, begins its
/// production and prints its history.
pub(crate) fn assert_block_works(block: &str) {
    let responses = paste("sh", block);
    let number = responses[0].fields[1].as_str();
    assert!(number.starts_with(r#""serviceOrderId":""#), "{number}");
    let editable = responses[4].fields[2].clone();
    assert_eq!(responses, expected(number, &editable));
    assert!(editable.starts_with(r#""editableUntil":""#), "{editable}");
    let again = paste("bash", block);
    assert_eq!(again.len(), responses.len());
    assert_eq!(again[0], responses[1]);
    assert_eq!(again[7], responses[7], "nothing has changed");
    let wrong = paste(
        "bash",
        &block.replace(
            "TEE-UNISEX-BLACK-M\",\"quantity\":1",
            "TEE\",\"quantity\":0",
        ),
    );
    assert_eq!(wrong[0].called, "/app/v1/orders/create 400");
    let errors = wrong[0].fields.last().unwrap();
    assert!(errors.starts_with(r#""errors":[{"#), "{wrong:?}");
}

#[test]
fn the_first_run_explains_itself() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    wait_for("the first response", TIMEOUT, || {
        try_get(server.address, "/livez")
            .ok()
            .filter(|a| a.status == 200)
    });
    assert_eq!(try_get(server.address, "/readyz").unwrap().status, 200);
    let block = block(&server);
    let key = variable(&block, "KEY");
    assert!(
        server
            .output()
            .contains(&format!("http://{}/docs", server.address))
    );
    assert!(!server.log().contains(&key), "the log holds the key");

    let data = folder.path().join("data");
    assert!(data.join("pressline.db").is_file());
    let mode = |name: &str| fs::metadata(data.join(name)).unwrap().permissions().mode() & 0o777;
    for file in [
        "pressline.db.master-key",
        "pressline.db",
        "pressline.db-wal",
        "pressline.db-shm",
    ] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
    assert_eq!(mode("."), 0o700);

    if has_shell_tools() {
        assert_block_works(&block);
    }

    // On a second start the store exists, and its key is not shown again.
    drop(server);
    let server = start(folder.path());
    let store = variable(&block, "STORE");
    let output = wait_for("the words of the second start", TIMEOUT, || {
        Some(server.output()).filter(|output| output.contains("rotate-key"))
    });
    assert!(
        output.contains(&store) && !output.contains(&key) && !output.contains("KEY="),
        "{output}"
    );
    let database = folder.path().join("data/pressline.db").canonicalize();
    for told in [
        format!("http://{}/console;", server.for_operators()),
        "`pressline operator sign-in demo`".to_owned(),
        "`pressline operator token NAME`".to_owned(),
        "Ctrl-C stops it".to_owned(),
        "private port".to_owned(),
        "`Sunday Prints` and its orders are made up".to_owned(),
        format!("Data: {}", database.unwrap().display()),
    ] {
        assert!(output.contains(&told), "no `{told}` in {output}");
    }
}

#[test]
fn a_configured_database_gets_no_demo_store() {
    let site = crate::common::Site::sqlite();
    let server = site.serve();
    assert_eq!(site.run(&["--json", "store", "list"]).json(), json!([]));
    assert_eq!(server.output(), "");
}

fn call_as_operator(server: &Server, token: &str, path: &str, body: &Value) -> Value {
    let request = Request::post(path, body.to_string())
        .header("Content-Type", "application/json")
        .header("Authorization", &format!("Bearer {token}"));
    let response = try_send(server.for_operators(), &request).unwrap();
    response.ok()
}

#[test]
fn the_first_run_creates_a_day_of_demo_orders() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    let token = variable(&block(&server), "TOKEN");
    let call = |path: &str, body: Value| call_as_operator(&server, &token, path, &body);

    // The newest order is placed last.
    let newest = wait_for("the newest order", TIMEOUT, || {
        let found = call(
            "/admin/v1/orders/search",
            json!({"searchKey": "sunday-1154"}),
        );
        found["data"].as_array()?.first().cloned()
    });
    assert_eq!(newest["serviceOrderId"], "SUN-154");
    assert_eq!(newest["itemStatuses"], json!(["cooling-off"]));

    let counts = call("/admin/v1/queue/counts", json!({}));
    let counts = counts["data"].as_object().unwrap();
    let none: Vec<&String> = counts.keys().filter(|key| counts[*key] == 0).collect();
    assert!(counts.len() == 11 && none.is_empty(), "{counts:?}");
    let found = |filter: Value| call("/admin/v1/orders/search", filter)["data"].clone();
    let labels = found(json!({"types": ["label"]}));
    assert!(!labels.as_array().unwrap().is_empty());
    let unpriced = found(json!({"searchKey": "MUG-20OZ-RED"}));
    assert!(!unpriced.as_array().unwrap().is_empty());
    let packed = wait_for("a batch that is half packed", TIMEOUT, || {
        let found = call("/admin/v1/batches/search", json!({}));
        let batch = found["data"].as_array()?.first()?["batch"].clone();
        let batch = call("/admin/v1/batches/get", json!({ "batch": batch }));
        let lines = batch["data"]["items"].as_array()?.iter();
        let packed: Vec<bool> = lines
            .map(|line| line["item"]["steps"][2]["done"] != 0)
            .collect();
        let count = packed.iter().filter(|packed| **packed).count();
        (2 * count == packed.len()).then_some(packed)
    });
    assert_eq!(packed.len(), 12);
    assert!(!server.log().contains("not complete"), "{}", server.log());
}

#[test]
fn the_first_run_prints_a_link_that_opens_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    block(&server);
    let output = server.output();
    let link = output
        .lines()
        .find_map(|line| line.strip_prefix("Console: "));
    let operators = server.for_operators();
    let path = link.unwrap().strip_prefix(&format!("http://{operators}"));
    // The `Host` header is required: without TLS, the console refuses other hosts.
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {operators}\r\n\r\n",
        path.unwrap()
    );
    let mut browser = Connection::open(operators).unwrap();
    let page = browser.send_raw(request.as_bytes()).unwrap();
    assert_eq!(page.status, 200);
    assert!(page.text().contains("<button"), "{}", page.text());
    let secret = path.unwrap().split('=').next_back().unwrap();
    assert!(!server.log().contains(secret), "the log holds the link");
}

#[test]
fn the_demo_orders_can_be_disabled() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = clean_command(folder.path());
    command
        .env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0")
        .env("PRESSLINE__DEMO__ORDERS", "false");
    let server = Server::start(command);
    let token = variable(&block(&server), "TOKEN");
    let stores = call_as_operator(&server, &token, "/admin/v1/stores/list", &json!({}));
    assert_eq!(stores["data"].as_array().unwrap().len(), 1);
}
