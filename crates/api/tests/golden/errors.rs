//! The references of errors and warnings, generated from the table of errors and the issue codes.

use std::fmt::Write as _;

use pressline_domain::check::IssueCode;
use pressline_http::error::{self, Definition, Scope};

const HEAD: &str = "\
# Errors

This page is generated from the table in `crates/http/src/error.rs` and the codes in
`crates/domain/src/check/report/code.rs`.

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

`errors` lists at most 100 problems and then counts the rest. `warnings` has the same form and is present if a request
also caused warnings; `existing` is present only with `duplicate_order_id`. With `Accept: application/problem+json` the
body has the same members and also `type`, `title`, `status` and `detail` of RFC 9457.

With `invalid_json`, the entry of `errors` also has `line` and `column`, both from 1.

A request is checked in this order: path, method, declared size, content type, form of the authentication headers, size
as received, signature or token, rate, rights, JSON, fields, state. A request that fails before \"size as received\"
gets its response before the body is read, without `100 Continue`, and the connection is closed. Input that is not
HTTP gets a bare 400, 408 or 431 before all other checks.

An operation of [openapi.json](openapi.json) lists the errors that it can have.
Every error has `Vary: Accept`, and like every response to an operation `Cache-Control: no-store`.

| status | code | when | what to do | headers |
|---|---|---|---|---|
";

const ISSUES: &str = "
## The problems in `errors`

Each entry of `errors` has one of these codes. The codes of `warnings` are in
[API.md](API.md#warnings).

| code | meaning | what to do |
|---|---|---|
";

/// Returns the error reference, `docs/ERRORS.md`.
pub(crate) fn error_reference() -> String {
    let mut text = HEAD.to_owned();
    for definition in error::TABLE {
        writeln!(text, "{}", line(definition)).unwrap();
    }
    text.push_str(ISSUES);
    let codes = IssueCode::ALL.iter();
    for code in codes.filter(|code| code.severity().includes_error()) {
        writeln!(
            text,
            "| `{code}` | {} | {} |",
            code.meaning(),
            code.remedy()
        )
        .unwrap();
    }
    text
}

/// Returns the table of warning codes, in Markdown.
pub(crate) fn warning_reference() -> String {
    let mut text =
        "| Code | Meaning | What the service does | What to do |\n|---|---|---|---|\n".to_owned();
    let codes = IssueCode::ALL.iter();
    for code in codes.filter(|code| code.severity().includes_warning()) {
        writeln!(
            text,
            "| `{code}` | {} | {} | {} |",
            code.meaning(),
            code.effect(),
            code.remedy()
        )
        .unwrap();
    }
    text
}

fn line(definition: &Definition) -> String {
    let headers: Vec<String> = definition
        .headers
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let only = match definition.scope {
        Scope::Stores => " (Only operations of stores.)",
        Scope::Operators => " (Only operations of operators.)",
        Scope::Declared | Scope::Every | Scope::Elsewhere => "",
    };
    format!(
        "| {} | `{}` | {}{only} | {} | {} |",
        definition.status.as_u16(),
        definition.name,
        definition.when,
        definition.then,
        headers.join(", ")
    )
}
