//! `pressline files check`: verdicts, exit codes and messages.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};

use crate::common::{Finished, Site, on_both_databases};

on_both_databases!(the_product_is_read_from_the_database);

/// Two areas of 700 x 800 and 700 x 700 pixels.
const CATALOG: &str = "sku,name,price,area_id,area_name,size_width,size_height\n\
    TEE-M,Tee,8.00,front,Front side,700,800\n\
    TEE-M,Tee,8.00,back,Back,700,700\n\
    MUG-11,Mug,5.00,wrap,Wrap,700,700\n";

const SQUARE: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'>\
    <rect width='5' height='10'/></svg>";

fn check(site: &Site, arguments: &[&str]) -> Finished {
    let catalog = ["files", "check", "--catalog", "catalog.csv"];
    site.run(&[&catalog, arguments].concat())
}

fn codes(finished: Finished, code: i32, verdict: &str) -> Vec<Value> {
    assert_eq!(finished.code, code, "{}", finished.err);
    let document: Value = serde_json::from_str(&finished.out).unwrap();
    assert_eq!(document["verdict"], verdict, "{document}");
    let problems = document["problems"].as_array().unwrap();
    problems
        .iter()
        .map(|problem| problem["code"].clone())
        .collect()
}

#[test]
fn the_exit_code_is_the_verdict() {
    let site = Site::without_database();
    site.file("catalog.csv", CATALOG);
    site.file("square.svg", SQUARE);
    site.file("text.svg", SQUARE.replace("<rect", "<text>Hi</text><rect"));
    let square = |options: &[&str]| check(&site, &[&["square.svg", "--json"], options].concat());
    let passed = square(&["--sku", "TEE-M", "--area", "back"]);
    assert_eq!(codes(passed, 0, "pass"), Vec::<Value>::new());
    // The only area of a product, and an area by its name.
    assert_eq!(
        codes(square(&["--sku", "MUG-11"]), 0, "pass"),
        Vec::<Value>::new()
    );
    let wide = square(&["--sku", "TEE-M", "--area", "Front side"]);
    assert_eq!(wide.code, 2, "12 % too wide");
    assert_eq!(codes(wide, 2, "fail"), [json!("very_wrong_proportions")]);
    let text = check(&site, &["text.svg", "--sku", "MUG-11"]);
    assert_eq!(text.code, 2);
    assert!(
        text.out
            .starts_with("fail  text.svg on MUG-11, area wrap\n  svg, "),
        "{}",
        text.out
    );
    assert!(
        text.out.contains("error    text_not_outlined: "),
        "{}",
        text.out
    );
}

#[test]
fn failures_have_other_exit_codes_than_verdicts() {
    let site = Site::without_database();
    site.file("catalog.csv", CATALOG);
    site.file("square.svg", SQUARE);
    let fails = |arguments: &[&str], code: i32, says: &[&str]| {
        check(&site, arguments).fails(code, says);
    };
    fails(
        &["missing.png", "--sku", "MUG-11"],
        3,
        &["missing.png: cannot be read"],
    );
    fails(&[".", "--sku", "MUG-11"], 3, &["not a regular file"]);
    fails(
        &["square.svg", "--sku", "MUG-1"],
        4,
        &["`MUG-1` is not in catalog.csv", "MUG-11"],
    );
    fails(
        &["square.svg", "--sku", "TEE-M"],
        4,
        &["--area", "front, back"],
    );
    fails(
        &["square.svg", "--sku", "TEE-M", "--area", "sleeve"],
        4,
        &["no print area `sleeve`; it has front, back"],
    );
    fails(&["square.svg"], 2, &["--sku"]);
    site.run(&[
        "files",
        "check",
        "square.svg",
        "--sku",
        "MUG-11",
        "--catalog",
        "none.csv",
    ])
    .fails(3, &["none.csv"]);
}

#[test]
fn the_egress_settings_apply_to_addresses() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let length = SQUARE.len();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
            let _ = stream.write_all(format!("{head}{SQUARE}").as_bytes());
        }
    });
    let site = Site::without_database();
    site.file("catalog.csv", CATALOG);
    let url = format!("http://{address}/square.svg");
    let arguments = [
        "files",
        "check",
        &url,
        "--sku",
        "MUG-11",
        "--catalog",
        "catalog.csv",
        "--json",
    ];
    let refused = Finished::new(site.command().args(arguments));
    assert_eq!(codes(refused, 2, "fail"), [json!("unreachable")]);
    let mut permitted = site.command();
    permitted.env("PRESSLINE__EGRESS__ALLOW_STORES", "127.0.0.0/8");
    permitted.env("PRESSLINE__EGRESS__PORTS", address.port().to_string());
    let fetched = Finished::new(permitted.args(arguments));
    assert_eq!(codes(fetched, 0, "pass"), Vec::<Value>::new());
}

fn the_product_is_read_from_the_database(site: &Site) {
    site.import("catalog", CATALOG, &[]).ok();
    site.file("square.svg", SQUARE);
    let checked = |sku: &str| site.run(&["files", "check", "square.svg", "--sku", sku, "--json"]);
    assert_eq!(codes(checked("MUG-11"), 0, "pass"), Vec::<Value>::new());
    checked("MUG-1").fails(4, &["`MUG-1` is not in the catalog"]);
}
