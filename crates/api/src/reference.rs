//! The error reference as a document for people, made from the table of errors.

use std::fmt::Write as _;

use pressline_http::error::{Row, Scope, TABLE};

const HEAD: &str = "\
# Errors

This page is generated from the table in `crates/http/src/error.rs`.

Every error is a JSON object of one shape:

```json
{
  \"success\": false,
  \"message\": \"what is wrong and what would be right, for people\",
  \"data\": null,
  \"code\": \"what kind of error it is, for programs\",
  \"errors\": [{ \"field\": \"line_items[1].quantity\", \"code\": \"out_of_range\", \"message\": \"…\" }],
  \"requestId\": \"as in the header X-Request-Id\"
}
```

`errors` lists at most 100 problems and then counts the rest. `warnings`, of the same form, is there where a request also
had something worth knowing; `existing` only with `duplicate_order_id`. With `Accept: application/problem+json` the same
members come beside `type`, `title`, `status` and `detail` of RFC 9457.

With `invalid_json`, the entry of `errors` also has `line` and `column`, both from 1.

A request is checked in this order: path, method, declared size, content type, form of the authentication headers, size
as received, signature, rate, JSON, fields, state. What fails before \"size as received\" is answered before the body is
read, without `100 Continue`, and the connection is closed. What cannot be read as HTTP at all is answered with a bare
400, 408 or 431 before any of that.

Every error has `Vary: Accept`, and like every response to an operation `Cache-Control: no-store`.

| status | code | when | what to do | headers |
|---|---|---|---|---|
";

/// The error reference, in Markdown.
#[must_use]
pub fn error_reference() -> String {
    let mut text = HEAD.to_owned();
    for row in TABLE {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(row));
    }
    text
}

fn line(row: &Row) -> String {
    let headers: Vec<String> = row.headers.iter().map(|name| format!("`{name}`")).collect();
    let only = match row.scope {
        Scope::Only(operations) => format!(" (Only `{}`.)", operations.join("`, `")),
        Scope::Every | Scope::Elsewhere => String::new(),
    };
    format!(
        "| {} | `{}` | {}{only} | {} | {} |",
        row.status.as_u16(),
        row.name,
        row.when,
        row.then,
        headers.join(", ")
    )
}
