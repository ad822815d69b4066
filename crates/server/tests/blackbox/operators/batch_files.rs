//! `Download files` of the console: a ZIP file with a batch's print files, from hosts of many
//! kinds.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::{Value, json};
use zip::ZipArchive;

use super::console::{Browser, PLAIN, create, leads, shows, signed_in};
use crate::common::{
    Connection, Request, Response, Server, Site, TIMEOUT, on_both_databases, order,
};

on_both_databases!(
    the_zip_file_of_a_batch_lists_missing_files,
    files_are_not_fetched_from_private_addresses,
    a_disconnected_browser_stops_the_downloads
);

/// Serves files until the test process ends.
struct Host {
    address: SocketAddr,
    /// Number of bytes of an endless file that were sent when its connection ended.
    sent: Receiver<usize>,
}

impl Host {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, sent) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let sender = sender.clone();
                // Only the caller notices a lost connection.
                thread::spawn(move || stream.map(|stream| answer(stream, &sender)));
            }
        });
        Self { address, sent }
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    fn permitted(&self) -> [(&'static str, String); 2] {
        [
            ("PRESSLINE__EGRESS__ALLOW_STORES", "127.0.0.0/8".to_owned()),
            ("PRESSLINE__EGRESS__PORTS", self.address.port().to_string()),
        ]
    }
}

/// Responds to a request, depending on the file name, and closes the connection.
fn answer(mut stream: TcpStream, sender: &Sender<usize>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
    let path = first.split(' ').nth(1).unwrap();
    let name = path.split('?').next().unwrap().trim_start_matches('/');
    let head = match name {
        "back.pdf" => "200 OK\r\ncontent-length: 4\r\n\r\nback",
        "gone.png" => "404 Not Found\r\ncontent-length: 4\r\n\r\ngone",
        "moved.png" => "302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n",
        "broken.png" => "200 OK\r\ncontent-type: image/png\r\ncontent-length: 99\r\n\r\nhalf",
        "huge.png" => "200 OK\r\ncontent-length: 200000001\r\n\r\n",
        "endless.png" => "200 OK\r\n\r\n",
        _ => "200 OK\r\ncontent-type: image/png\r\ncontent-length: 5\r\n\r\nfront",
    };
    let _ = stream.write_all(format!("HTTP/1.1 {head}").as_bytes());
    let mut count = 0;
    while name == "endless.png" && stream.write_all(&[b'x'; 4096]).is_ok() {
        count += 4096;
    }
    if count > 0 {
        let _ = sender.send(count);
    }
}

/// Starts a server with a batch of `items`. Returns a signed-in browser.
fn shop(site: &Site, items: &[Value], settings: &[(&'static str, String)]) -> (Server, Browser) {
    site.import_catalog();
    let mut all = vec![PLAIN];
    all.extend(settings.iter().map(|(name, value)| (*name, value.as_str())));
    let server = site.serve_with(&all);
    let client = site.store(&server, &["--prefix", "SUN", "--cooling-off", "0"]);
    let mut placed = order("A-1");
    placed["line_items"] = json!(items);
    client.create(&placed);
    create(site, "Ana");
    let mut browser = signed_in(site, &server, "Ana");
    browser.get("/console");
    let codes: Vec<String> = (1..=items.len()).map(|n| format!("SUN-1-{n}")).collect();
    let fields: Vec<(&str, &str)> = codes.iter().map(|code| ("item", code.as_str())).collect();
    let made = browser.post("/console/batches", &fields);
    leads(&made, "/console/batches/BATCH-1");
    (server, browser)
}

fn entries(response: &Response) -> BTreeMap<String, String> {
    assert_eq!(response.status, 200, "{response}");
    assert_eq!(response.header("Content-Type"), Some("application/zip"));
    let mut archive = ZipArchive::new(Cursor::new(&response.body)).unwrap();
    let mut entries = BTreeMap::new();
    for position in 0..archive.len() {
        let mut entry = archive.by_index(position).unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        entries.insert(entry.name().unwrap().into_owned(), text);
    }
    entries
}

const FILES: &str = "/console/batches/BATCH-1/files.zip";

fn the_zip_file_of_a_batch_lists_missing_files(site: &Site) {
    let host = Host::start();
    let item = |sku: &str, names: &[&str]| {
        let urls: Vec<String> = names.iter().map(|name| host.url(name)).collect();
        json!({ "sku": sku, "quantity": 2, "fileUrls": urls })
    };
    let items = [
        item("TEE-M", &["front.png", "back.pdf?a=..%2F", "front"]),
        item("MUG-11", &["gone.png"]),
        item("MUG-11", &["moved.png"]),
        item("MUG-11", &["broken.png"]),
        item("MUG-11", &["huge.png"]),
    ];
    let (_server, mut browser) = shop(site, &items, &host.permitted());
    let page = browser.get("/console/batches/BATCH-1");
    shows(&page, FILES);
    let response = browser.get(FILES);
    let name = response.header("Content-Disposition").unwrap();
    assert_eq!(name, "attachment; filename=\"BATCH-1.zip\"");
    let entries = entries(&response);
    let names: Vec<&str> = entries.keys().map(String::as_str).collect();
    let expected = [
        "SUN-1-1_back-2_x2.png",
        "SUN-1-1_back_x2.pdf",
        "SUN-1-1_front_x2.png",
        "SUN-1-4_wrap_x2.png",
        "manifest.csv",
        "missing.txt",
    ];
    assert_eq!(names, expected);
    assert_eq!(entries["SUN-1-1_front_x2.png"], "front");
    assert_eq!(entries["SUN-1-1_back_x2.pdf"], "back");
    assert_eq!(entries["SUN-1-4_wrap_x2.png"], "half");
    let missing = &entries["missing.txt"];
    for line in [
        "SUN-1-2, Wrap: the host answered with the status 404. http://",
        "SUN-1-3, Wrap: the address redirects to another address (status 302), which is not followed.",
        "SUN-1-4_wrap_x2.png is not complete, do not print it: the host ended the connection after 4 bytes.",
        "SUN-1-5, Wrap: the file is larger than 200 MB.",
    ] {
        assert!(missing.contains(line), "{line} in {missing}");
    }
    let manifest = &entries["manifest.csv"];
    assert_eq!(manifest.lines().count(), 8, "{manifest}");
    assert!(
        manifest.contains("SUN-1-1_front_x2.png,SUN-1-1,TEE-M,\"Shirt, M\",Front,2,5,complete,,")
    );
    assert!(manifest.contains("SUN-1-4,MUG-11,\"Mug, 11 oz\",Wrap,2,4,incomplete,"));
}

fn files_are_not_fetched_from_private_addresses(site: &Site) {
    let host = Host::start();
    let item = json!({ "sku": "MUG-11", "quantity": 1, "fileUrls": [host.url("front.png")] });
    let (_server, mut browser) = shop(site, &[item], &[]);
    let entries = entries(&browser.get(FILES));
    let missing = &entries["missing.txt"];
    assert!(
        missing.contains("the address is not permitted"),
        "{missing}"
    );
    assert_eq!(entries.len(), 2);
}

fn a_disconnected_browser_stops_the_downloads(site: &Site) {
    let host = Host::start();
    let item = json!({ "sku": "MUG-11", "quantity": 1, "fileUrls": [host.url("endless.png")] });
    let (server, browser) = shop(site, &[item], &host.permitted());
    let request = browser.with_cookies(Request::new("GET", FILES));
    for _ in 0..6 {
        let mut connection = Connection::open(server.for_operators()).unwrap();
        let head = format!("{}\r\n", request.head());
        connection.write(head.as_bytes()).unwrap();
        assert_eq!(connection.line().unwrap(), "HTTP/1.1 200 OK");
        while !connection.line().unwrap().is_empty() {}
        // The length of the first chunk: the file has begun.
        connection.line().unwrap();
        drop(connection);
        // The host has sent no more than the buffers on the way hold, and the download slot is free
        // again.
        let sent = host.sent.recv_timeout(TIMEOUT).unwrap();
        assert!(sent < 100_000_000, "{sent}");
    }
}
