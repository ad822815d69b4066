//! Tests of the scan and of the compact form.
use std::borrow::Cow;

use super::*;

mod properties;

fn error(body: impl AsRef<[u8]>) -> (ScanErrorKind, u32, u32) {
    let error = scan(body.as_ref()).unwrap_err();
    (error.kind, error.line, error.column)
}

fn message(body: &str) -> String {
    scan(body.as_bytes()).unwrap_err().to_string()
}

#[test]
fn good_bodies() {
    let bodies = [
        "{}",
        " \t\r\n{ } \n",
        r#"{"a":[],"b":{},"c":[{}],"":0}"#,
        r#"{"n":[0,-0,1,-12.5,1e400,1E+2,0.1e-9,20.0]}"#,
        r#"{"w":[true,false,null]}"#,
        r#"{"s":"\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00 é😀 \u007f"}"#,
        r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#,
        r#"{"a":1,"A":2,"a ":3,"á":4,"a\u0301":5}"#,
    ];
    for body in bodies {
        assert_eq!(scan(body.as_bytes()).map(Scan::text), Ok(body));
    }
}

#[test]
fn places_of_errors_are_exact() {
    use ScanErrorKind as Kind;
    let cases: &[(&[u8], Kind, u32, u32)] = &[
        (b"", Kind::Empty, 1, 1),
        (b" \n ", Kind::Empty, 2, 2),
        (b"[]", Kind::NotAnObject, 1, 1),
        (b"\n\n  \"x\"", Kind::NotAnObject, 3, 3),
        (b"\xef\xbb\xbf{}", Kind::ByteOrderMark, 1, 1),
        (b"{\"a\":\n\"\xff\"}", Kind::NotUtf8, 2, 2),
        (b"{\"a\":\"\xc3\"}", Kind::NotUtf8, 1, 7),
        (b"{\"a\":\"\xed\xa0\x80\"}", Kind::NotUtf8, 1, 7),
        (b"{} {}", Kind::Trailing { found: '{' }, 1, 4),
        (b"{}\0", Kind::Trailing { found: '\0' }, 1, 3),
        (b"{\"a\":\"x\0\"}", Kind::Nul, 1, 8),
        (b"{\"a\":\"x\\u0000\"}", Kind::Nul, 1, 8),
        (b"{\"\\u0000\":1}", Kind::Nul, 1, 3),
        (b"{\"a\":\"x\ny\"}", Kind::ControlCharacter('\n'), 1, 8),
        (b"{\"a\":\"\x1f\"}", Kind::ControlCharacter('\x1f'), 1, 7),
        (b"{\"a\":\"\\x41\"}", Kind::Escape, 1, 7),
        (b"{\"a\":\"\\u12g4\"}", Kind::Escape, 1, 7),
        (b"{\"a\":\"\\u+123\"}", Kind::Escape, 1, 7),
        (b"{\"a\":\"\\u00\xc3\xa9\"}", Kind::Escape, 1, 7),
        (
            b"{\"a\":\"\\ud800\"}",
            Kind::LoneSurrogate { unit: 0xd800 },
            1,
            7,
        ),
        (
            b"{\"a\":\"\\ud800\\ud800\"}",
            Kind::LoneSurrogate { unit: 0xd800 },
            1,
            7,
        ),
        (
            b"{\"a\":\"-\\uDC00\"}",
            Kind::LoneSurrogate { unit: 0xdc00 },
            1,
            8,
        ),
        (
            b"{\"\\udbff!\":1}",
            Kind::LoneSurrogate { unit: 0xdbff },
            1,
            3,
        ),
    ];
    for (body, kind, line, column) in cases {
        assert_eq!(
            error(body),
            (kind.clone(), *line, *column),
            "{}",
            body.escape_ascii()
        );
    }
}

#[test]
fn columns_count_characters_and_lines_count_line_feeds() {
    assert_eq!(
        message("{\r\n \"é😀\": x}"),
        "line 2, column 8: unexpected character 'x'; expected a value (string, number, object, array, true, false or null)"
    );
}

/// Bodies with a syntax error, and the message for each.
const SYNTAX_ERRORS: [(&str, &str); 16] = [
    (
        "{",
        "line 1, column 2: the body ends too early; expected a key in double quotes, or `}`",
    ),
    (
        "{'a':1}",
        "line 1, column 2: unexpected character '\\''; expected a key in double quotes, or `}`",
    ),
    (
        "{\"a\":1,}",
        "line 1, column 8: unexpected character '}'; expected a key in double quotes",
    ),
    (
        "{\"a\" 1}",
        "line 1, column 6: unexpected character '1'; expected `:`",
    ),
    (
        "{\"a\":1 \"b\":2}",
        "line 1, column 8: unexpected character '\"'; expected `,` or `}`",
    ),
    (
        "{\"a\":[1 2]}",
        "line 1, column 9: unexpected character '2'; expected `,` or `]`",
    ),
    (
        "{\"a\":[1}",
        "line 1, column 8: unexpected character '}'; expected `,` or `]`",
    ),
    (
        "{\"a\":01}",
        "line 1, column 7: unexpected character '1'; expected a number without leading zeros",
    ),
    (
        "{\"a\":1.}",
        "line 1, column 8: unexpected character '}'; expected a digit",
    ),
    (
        "{\"a\":-}",
        "line 1, column 7: unexpected character '}'; expected a digit",
    ),
    (
        "{\"a\":1e}",
        "line 1, column 8: unexpected character '}'; expected a digit",
    ),
    (
        "{\"a\":tru}",
        "line 1, column 9: unexpected character '}'; expected true",
    ),
    (
        "{\"a\":\"x",
        "line 1, column 8: the body ends too early; expected the closing quotation mark of a string",
    ),
    (
        "{\"a\":\"x\\",
        "line 1, column 9: the body ends too early; expected the rest of an escape",
    ),
    (
        "{} //",
        "line 1, column 4: unexpected character '/' after the object; the body must be one JSON object and nothing else",
    ),
    (
        "{\"a\":\"\t\"}",
        "line 1, column 7: control characters in strings must be escaped; this is U+0009, written \\u0009",
    ),
];

#[test]
fn a_syntax_error_names_what_is_expected() {
    for (body, expected) in SYNTAX_ERRORS {
        assert_eq!(message(body), expected);
    }
}

#[test]
fn repeated_keys_are_found_everywhere() {
    let cases = [
        (r#"{"a":1,"a":2}"#, "a", 8),
        (r#"{"a":1,"\u0061":2}"#, "a", 8),
        (r#"{"\u0061":1,"b":0,"a":2}"#, "a", 19),
        (r#"{"\ud83d\ude00":1,"😀":2}"#, "😀", 19),
        (r#"{"x\/y":1,"x/y":2}"#, "x/y", 11),
        (r#"{"\t\n\"":1,"\u0009\u000A\u0022":2}"#, "\t\n\"", 13),
        (r#"{"x":[{"y":{"k":{},"z":[0],"k":{}}}]}"#, "k", 28),
        (r#"{"x":{"in":1},"in":1,"x":1}"#, "x", 22),
    ];
    for (body, key, column) in cases {
        let key = key.to_owned();
        assert_eq!(
            error(body),
            (ScanErrorKind::RepeatedKey { key }, 1, column),
            "{body}"
        );
    }
}

#[test]
fn a_repeated_key_is_shown_in_part() {
    let key = "é".repeat(50);
    let shown = format!("{}…", "é".repeat(40));
    let body = format!("{{\"{key}\":1,\"{key}\":2}}");
    assert_eq!(error(body).0, ScanErrorKind::RepeatedKey { key: shown });
}

#[test]
fn objects_with_many_keys() {
    for count in [15_usize, 16, 17, 18, 40, 100_000] {
        let keys: Vec<String> = (0..count)
            .map(|n| format!("\"k{n}\":{{\"k0\":0,\"k1\":0}}"))
            .collect();
        let body = format!("{{{}}}", keys.join(","));
        assert_eq!(scan(body.as_bytes()).map(Scan::text), Ok(body.as_str()));
        for repeated in [0, count / 2, count - 1] {
            let body = format!("{{{},\"\\u006b{repeated}\":0}}", keys.join(","));
            let key = format!("k{repeated}");
            assert_eq!(error(body).0, ScanErrorKind::RepeatedKey { key });
        }
    }
}

#[test]
fn depth_is_bounded_and_costs_no_stack() {
    let arrays = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(scan(arrays(MAX_DEPTH - 1).as_bytes()).is_ok());
    assert_eq!(error(arrays(MAX_DEPTH)), (ScanErrorKind::TooDeep, 1, 69));
    assert_eq!(
        error(format!("{{\"a\":{}", "[".repeat(1 << 20))).0,
        ScanErrorKind::TooDeep
    );
    let objects = |depth: usize| {
        format!(
            "{}{{}}{}",
            "{\"a\":".repeat(depth - 1),
            "}".repeat(depth - 1)
        )
    };
    assert!(scan(objects(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(error(objects(MAX_DEPTH + 1)).0, ScanErrorKind::TooDeep);
    let wide = format!("{{\"a\":[{}[]]}}", "[],{},".repeat(1000));
    assert!(scan(wide.as_bytes()).is_ok());
}

#[test]
fn compact_removes_white_space_between_tokens_only() {
    let cases: &[(&[u8], &[u8])] = &[
        (b"", b""),
        (b" \t\r\n", b""),
        (b"{}", b"{}"),
        (b" { } ", b"{}"),
        (
            b"{ \"a b\" : \"c \\\" d\" , \"e\" : [ 1 , 2 ] }\n",
            b"{\"a b\":\"c \\\" d\",\"e\":[1,2]}",
        ),
        (b"\"x\\\\\" \" y\"", b"\"x\\\\\"\" y\""),
        (b"{ \"never ends \\\" } ", b"{\"never ends \\\" } "),
        (b"{ \"a \\", b"{\"a \\"),
        (b"\x0b \xff \xc2\xa0", b"\x0b\xff\xc2\xa0"),
        (b"tr ue \\ \"", b"true\\\""),
    ];
    for (body, want) in cases {
        assert_eq!(&*compact(body), *want, "{}", body.escape_ascii());
    }
    assert!(matches!(compact(b"{\"a\":\" b \"}"), Cow::Borrowed(_)));
    assert!(matches!(compact(b"{}\n"), Cow::Owned(_)));
}
