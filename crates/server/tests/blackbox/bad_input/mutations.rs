//! Request bodies with random mutations.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};

use super::assert_in_order;
use crate::common::{Connection, Site, label, on_both_databases, order, update};

on_both_databases!(mutated_bodies_get_a_documented_response,);

/// Pieces of JSON and of invalid text, inserted at random places.
const PIECES: [&[u8]; 22] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"true",
    b"1e999",
    b"-",
    b"\0",
    b"\xff",
    b"\\u0000",
    b"\\ud834",
    b"\"order_id\":",
    b"0",
    b"99999999999",
    b"\n",
    b"\xf0\x9f\x98\x80",
    b"{\"a\":[",
];

/// Valid requests: endpoint and body. The order `seed` must exist.
fn seeds() -> [(&'static str, Value); 4] {
    let mut update = update("seed");
    update["line_items"] = json!([{ "appItemId": "x", "quantity": 2, "remove": false }]);
    update["version"] = json!(1);
    let search =
        json!({ "fromTime": 1_717_818_552_905_i64, "searchKey": "ana mug", "page": 1, "size": 5 });
    [
        ("create", order("seed")),
        ("create-label", label("seed-2")),
        ("update", update),
        ("search", search),
    ]
}

/// Changes a byte of `bytes`, or removes, inserts or copies a few bytes, up to three times.
fn mutate(bytes: &mut Vec<u8>, random: &mut Rng) {
    for _ in 0..=random.usize(..3) {
        let at = random.usize(..bytes.len());
        let end = (at + random.usize(..12)).min(bytes.len());
        match random.usize(..4) {
            0 => bytes[at] = random.u8(..),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, random.choice(PIECES).unwrap().iter().copied())),
            _ => {
                let copy = bytes[at..end].to_vec();
                let to = random.usize(..bytes.len());
                bytes.splice(to..to, copy);
            }
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
}

fn mutated_bodies_get_a_documented_response(site: &Site) {
    let (server, client) = site.open();
    client.create(&order("seed"));
    let seeds = seeds();
    let mut random = Rng::with_seed(20_240_608);
    let mut connection = Connection::open(server.address).unwrap();
    let mut statuses = BTreeMap::<u16, u32>::new();
    for round in 0..800 {
        let (operation, body) = &seeds[round % seeds.len()];
        let mut bytes = body.to_string().into_bytes();
        mutate(&mut bytes, &mut random);
        let response = connection.send(&client.request(operation, bytes.clone()));
        let response =
            response.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)));
        assert_in_order(&response, &bytes);
        *statuses.entry(response.status).or_default() += 1;
        if response.header("Connection") == Some("close") {
            connection = Connection::open(server.address).unwrap();
        }
    }
    let count = |status: u16| statuses.get(&status).copied().unwrap_or_default();
    assert!(count(400) > 200, "{statuses:?}");
    assert!(count(200) > 20, "{statuses:?}");
}
