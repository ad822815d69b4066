//! The references of errors, warnings and file problems, generated from their tables.

use std::fmt::Write as _;

use pressline_domain::check::IssueCode;
use pressline_domain::media::ProblemCode;
use pressline_http::error::{self, Definition, Scope};

const HEAD: &str = "\
# Errors

This page is generated from the table in `crates/http/src/error.rs` and the codes in
`crates/domain/src/check/report/code.rs` and `crates/domain/src/media/code.rs`.

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

const FILE_PROBLEMS: &str = "
## The problems of files

A print file is compared with the
[rules of its print area](guides/bring-your-catalog.md#what-a-print-area-asks-of-its-files), a prepared label with usual
labels. The verdict is `fail` with an error, else `warn` with a warning, else `pass`. A store may take an acceptable
error upon itself. These problems are not in `errors` or `warnings`.

- **Effective dpi** are `dpi` x min(width / required width, height / required height), rounded down. In a PDF, the
  image of the lowest resolution on the first page counts, if the page (its trim box, else its media box) fills the
  area; in an SVG, the embedded image of the lowest resolution. Both are rounded to the nearest number. Vector files
  without images have no effective dpi.
- **Required pixels** are `sizeWidth` x `sizeHeight`, else the millimetres with bleed on each side at `dpi`. An area
  without both has none, and then nothing about size is checked. A trim box is compared with the millimetres without
  bleed.
- **Proportions** differ by a percentage of the smaller quotient: 1010 x 1000 and 1000 x 1010 differ from a square by
  1 %. A file that fits only when turned by 90 degrees is measured as turned.
- A fact that is not known is not a problem, for example whether pixels are transparent if only the header was read.

| code | severity | meaning | what to do |
|---|---|---|---|
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
    text.push_str(FILE_PROBLEMS);
    for code in ProblemCode::ALL {
        writeln!(text, "{}", problem_line(*code)).unwrap();
    }
    text
}

fn problem_line(code: ProblemCode) -> String {
    let acceptable = if code.is_acceptable() {
        ", acceptable"
    } else {
        ""
    };
    format!(
        "| `{code}` | {}{acceptable} | {} | {} |",
        code.severity().as_str(),
        code.meaning(),
        code.remedy()
    )
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
