//! CSV as spreadsheets write it: line ends, quotes, separators.

use pressline_backoffice::import::catalog::read_variants;
use pressline_tabular::read_at_most;

use super::*;

fn table(text: &str) -> Result<Rows, Findings> {
    rows(text, Content::Variants)
}

#[track_caller]
fn found(csv: &str) -> Vec<String> {
    problems(table(csv).and_then(read_variants))
}

fn names(csv: &str) -> Vec<String> {
    let variants = table(csv).and_then(read_variants).unwrap();
    variants
        .into_iter()
        .map(|variant| variant.name.clone())
        .collect()
}

#[test]
fn problems_have_the_line_of_their_row_for_all_line_ends() {
    let csv = "sku,name,price\nA,Mug,1\nB,Mug,cheap\n\n\nC,\"two\nlines\",dear\n\nD,Mug,free\n";
    let lines = [
        "line 3, price: `cheap`",
        "line 6, price: `dear`",
        "line 9, price: `free`",
    ];
    for line_end in ["\n", "\r\n", "\r"] {
        for start in ["", "\u{feff}"] {
            let found = found(&format!("{start}{}", csv.replace('\n', line_end)));
            assert_eq!(found.len(), 3, "{found:?}");
            for (problem, line) in found.iter().zip(lines) {
                assert!(problem.starts_with(line), "{line_end:?}: {problem}");
            }
        }
    }
}

#[test]
fn a_header_after_blank_lines_has_its_line() {
    assert_problems(
        table("\r\n\r\nsku,nam\r\n"),
        &[("line 3, nam", ""), ("line 3, name", "lacks")],
    );
    assert_problems(table("\n\n"), &[("line 1", "empty")]);
}

#[test]
fn json_with_crlf_has_its_lines() {
    let json = "[\r\n{\"sku\": \"A\",\r\n\r\n\"name\": 5}]";
    assert_problems(
        table(json).and_then(read_variants),
        &[("line 4, name", "not a number")],
    );
}

#[test]
fn text_after_a_closing_quote_is_an_error() {
    for line_end in ["\n", "\r\n"] {
        let csv =
            "\u{feff}sku,name,price\nA,\"Mug\"s,1\nB,\"two\n\nlines\" more,1\nC,\"a\" \"b\",1\n";
        let csv = csv.replace('\n', line_end);
        assert_problems(
            table(&csv),
            &[
                (
                    "line 2",
                    "cell 2 has text after its closing quote; inside a quoted text, write a quote twice",
                ),
                (
                    "line 5",
                    "cell 2 has text after its closing quote, which opens in line 3;",
                ),
                ("line 6", "cell 2 has text after its closing quote;"),
            ],
        );
    }
}

#[test]
fn an_unclosed_quote_is_reported_at_its_position() {
    let csv = "sku,name\r\nA,Mug\r\nB,\"Mug\r\nC,Mug\r\n\r\n";
    assert_problems(
        table(csv),
        &[("line 3", "the quote that opens cell 2 is never closed")],
    );
    assert_problems(table("sku,name\n\""), &[("line 2", "cell 1")]);
    assert_problems(table("sku,name\nA,\"a\"\""), &[("line 2", "cell 2")]);
}

#[test]
fn valid_quotes_are_read() {
    let csv = "sku,\"name\"\r\nA,\"a \"\"b\"\"\"\r\n\"B\",\"c,\r\nd\" \r\nC,5\" pipe\r\nD,\"\"\"\"\"\"\r\nE,\"end\"";
    assert_eq!(
        names(csv),
        ["a \"b\"", "c,\r\nd", "5\" pipe", "\"\"", "end"]
    );
}

#[test]
fn the_separator_is_detected() {
    // Spreadsheets in some languages write semicolons or tabs.
    for separator in [";", "\t"] {
        for csv in [
            "sku,name,price\nA,Mug,1.50\n",
            "\"SKU\",\"name\"\r\n\"A\",\"Mug\"\r\n",
        ] {
            let csv = format!("\u{feff}{}", csv.replace(',', separator));
            assert_eq!(names(&csv), ["Mug"]);
        }
        let csv = "sku,name\nA,\"one, two\"\nB,one, two\n".replace("A,", &format!("A{separator}"));
        let csv = csv.replace("sku,", &format!("sku{separator}"));
        let csv = csv.replace("B,", &format!("B{separator}"));
        assert_eq!(names(&csv), ["one, two", "one, two"]);
    }
    // A separator must be in the header.
    assert_eq!(names("sku,name\nA,a;b;c\n"), ["a;b;c"]);
    assert_problems(
        table("sku;nam\n"),
        &[
            ("line 1, nam", "did you mean `name`"),
            ("line 1, name", "lacks"),
        ],
    );
}

#[test]
fn a_long_header_is_refused_with_a_short_message() {
    // The message repeats only the beginning of the cell.
    let unknown = "ü".repeat(1_000_000);
    let excerpt = format!("line 1, {}…", "ü".repeat(40));
    let csv = format!("{unknown},sku,name\nA,B,C\n");
    assert_problems(table(&csv), &[(&excerpt, "not a known column")]);
    let csv = format!("sku,name{}\n", ",x".repeat(999));
    assert_problems(
        table(&csv),
        &[("line 1", "1001 cells; at most 1000 columns")],
    );
    let csv = format!("sku,name\nA,\"x\ny\"\nB{}\nC,z,\n", ",".repeat(1001));
    assert_problems(
        table(&csv),
        &[("line 4", "1002 cells; at most 1000 columns")],
    );
    assert_problems(
        table("sku,name\nC,z,y\n").and_then(read_variants),
        &[("line 2", "3 cells, and the header has 2")],
    );
}

#[test]
fn a_file_with_too_many_rows_is_refused() {
    let rows = |text: &str, format, limit| {
        let rows = read_at_most(limit, text.as_bytes(), format, Content::Variants);
        rows.map(|rows| rows.records.len())
            .map_err(|mut found| found.shown().to_vec())
    };
    let csv = |limit| rows("sku,name\nA,x\n\nB,x\nC,x\n", Format::Csv, limit);
    let refused = |line, limit: usize| {
        let message = format!("more than {limit} rows; split the file");
        Err(vec![Finding::of_row(line, message)])
    };
    assert_eq!((csv(3), csv(2)), (Ok(3), refused(5, 2)));
    // Print areas count as rows, too.
    let json = |limit| rows("[{},\n{\"areas\": [{}, {}]},\n{}]", Format::Json, limit);
    assert_eq!(
        (json(5), json(4), json(3)),
        (Ok(3), refused(3, 4), refused(2, 3))
    );
}
