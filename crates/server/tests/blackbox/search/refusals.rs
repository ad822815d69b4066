//! Refused searches.

use serde_json::{Value, json};

use super::order_ids;
use crate::common::{Site, assert_members, on_both_databases, order};

on_both_databases!(invalid_searches_are_refused);

/// Bodies without a cursor, and the invalid field of each.
fn wrong_filters() -> Vec<(Value, &'static str)> {
    let (later, earlier) = (1_717_818_552_906_i64, 1_717_818_552_905_i64);
    vec![
        (json!({ "page": 0 }), "page"),
        (json!({ "page": -1 }), "page"),
        (json!({ "page": 1_000_001 }), "page"),
        (json!({ "page": 1.5 }), "page"),
        (json!({ "page": "1" }), "page"),
        (json!({ "size": 0 }), "size"),
        (json!({ "size": 101 }), "size"),
        (json!({ "size": [20] }), "size"),
        (json!({ "fromTime": 1_717_818_552 }), "fromTime"),
        (json!({ "toTime": -5 }), "toTime"),
        (json!({ "toTime": 100_000_000_000_001_i64 }), "toTime"),
        (json!({ "fromTime": later, "toTime": earlier }), "fromTime"),
        (json!({ "searchKey": "x".repeat(256) }), "searchKey"),
        (json!({ "searchKey": "a b c d e f g h i j k" }), "searchKey"),
        (json!({ "searchKey": 7 }), "searchKey"),
    ]
}

/// Bodies with an invalid cursor, or with the `cursor` of a search for `ask` in another search.
fn wrong_cursors(cursor: &str) -> [Value; 6] {
    let mut tampered = cursor.to_owned();
    let last = tampered.pop();
    tampered.push(if last == Some('A') { 'B' } else { 'A' });
    [
        json!({ "cursor": "nonsense" }),
        json!({ "searchKey": "ask", "cursor": tampered }),
        json!({ "cursor": cursor, "page": 1, "searchKey": "ask" }),
        json!({ "cursor": cursor }),
        json!({ "cursor": cursor, "searchKey": "other" }),
        json!({ "cursor": cursor, "searchKey": "ask", "toTime": 1_917_818_552_906_i64 }),
    ]
}

fn invalid_searches_are_refused(site: &Site) {
    let (_server, client) = site.open();
    for i in 0..3 {
        client.create(&order(&format!("ask-{i}")));
    }
    let search = |body: Value| client.call("search", &body).ok();
    let first = search(json!({ "size": 1, "searchKey": "ask" }));
    let cursor = first["nextCursor"].as_str().unwrap();
    let followed = search(json!({ "size": 1, "searchKey": "ask", "cursor": cursor }));
    assert_eq!(order_ids(&followed), ["ask-1"]);
    assert!(followed.get("page").is_none(), "{followed}");
    assert_members(
        &followed,
        &json!({ "pageHasPre": true, "pageHasNext": true }),
    );

    let cursors = wrong_cursors(cursor).map(|body| (body, "cursor"));
    for (body, field) in wrong_filters().into_iter().chain(cursors) {
        assert_eq!(client.rejected("search", &body).fields(), [field], "{body}");
    }
    // A cursor is a digest of the filter and the id after which the page begins. No order has these
    // two ids: one is before and the other after all orders.
    for (digit, found) in [("0", 0), ("f", 3)] {
        let filter = &cursor[..16];
        let edge = format!("{filter}{}", digit.repeat(32));
        let page = search(json!({ "searchKey": "ask", "cursor": edge }));
        assert_eq!(order_ids(&page).len(), found, "{page}");
    }
    let all = json!({ "page": 0, "size": 0, "fromTime": -1, "searchKey": {} });
    assert_eq!(client.rejected("search", &all).errors.len(), 4);
    let odd = search(json!({ "serchKey": "ask" }));
    let message = odd["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains("searchKey"), "{odd}");
}
