//! Tests of the address rules: against their source, and with codes as people write them.
use std::collections::HashMap;

use proptest::prelude::*;
use regex::Regex;

use super::*;

const SOURCE: &str = include_str!("../../../tests/data/address_metadata.tsv");

fn country(code: &str) -> Country {
    Country::from_code(code).unwrap()
}

/// Returns the columns of the source: code, `require`, `fmt`, `zip`, `zipex`, `postprefix`.
fn source() -> Vec<Vec<&'static str>> {
    let lines = SOURCE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect()).collect()
}

fn iso_rows() -> impl Iterator<Item = (Country, Vec<&'static str>)> {
    let rows = source().into_iter();
    rows.filter_map(|row| Some((Country::from_code(row[0])?, row)))
}

#[test]
fn the_table_has_every_country_and_says_what_its_source_says() {
    let rows: HashMap<&str, Vec<&str>> = source().into_iter().map(|row| (row[0], row)).collect();
    for country in Country::all() {
        let row = &rows[country.code()];
        let or_usual = |key: usize, usual| if row[key].is_empty() { usual } else { row[key] };
        let (require, format) = (or_usual(1, "AC"), or_usual(2, "%C"));
        let has_codes = format.contains("%Z") && !row[3].is_empty();
        let wanted = [
            require.contains('C'),
            format.contains("%C"),
            require.contains('Z'),
            has_codes,
        ];
        let found = [
            country.requires_city(),
            country.has_cities(),
            country.requires_postal_code(),
            country.has_postal_codes(),
        ];
        assert_eq!(found, wanted, "{country:?}");
        assert!(
            !country.requires_city() || country.has_cities(),
            "{country:?}"
        );
        assert!(
            !country.requires_postal_code() || country.has_postal_codes(),
            "{country:?}"
        );
    }
    assert_eq!(
        Country::all()
            .filter(|country| !country.has_cities())
            .count(),
        7
    );
    assert_eq!(
        Country::all()
            .filter(|country| country.requires_postal_code())
            .count(),
        74
    );
}

#[test]
fn codes_as_the_posts_write_them_have_the_form() {
    let mut tried = 0;
    for (country, row) in iso_rows() {
        let examples = row[4].split(',').filter(|code| !code.is_empty());
        for example in examples {
            let plain = compact(example);
            for written in [
                example.to_owned(),
                example.to_lowercase(),
                plain.clone(),
                format!("{}{example}", row[5]),
                format!(" {}-{plain}", country.code()),
            ] {
                let problem = country.postal_code_problem(&written);
                assert_eq!(problem, None, "{country:?} {written:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1500, "{tried}");
}

/// Country, and codes that carriers accept there.
const RIGHT: [(&str, &str); 31] = [
    (
        "US",
        "02138|02138-1234|021381234|02138 1234|０２１３８|US-02138|96799",
    ),
    (
        "GB",
        "sw1a1aa|SW1A 1AA|SW1A-1AA|GIR 0AA|BFPO 61|JE2 4UE|m1 1ae",
    ),
    ("CA", "K1A0B1|k1a 0b1|K1A-0B1|K1A\u{a0}0B1"),
    ("NL", "1234AB|1234 ab|NL-1234 AB"),
    ("LV", "LV-1010|LV1010|1010|lv 1010"),
    ("SE", "SE-123 45|12345|123 45|S-123 45"),
    ("DE", "01067|D-01067|DE-01067|DEU 01067"),
    (
        "JP",
        "154-0023|1540023|１５４－００２３|１５４ー００２３|〒154-0023",
    ),
    ("GR", "105 58|10558|EL-10558|GR-105 58"),
    ("SG", "079903|S079903|S(079903)"),
    ("MX", "02860|C.P. 02860|CP 02860"),
    ("GL", "3900|DK-3900|GL-3900"),
    ("AX", "22100|FI-22100|AX-22100"),
    ("RE", "97400|F-97400|FR-97400"),
    ("PR", "00901|US-00901|PR 00901-1234"),
    ("BR", "40301-110|40301110|40.301-110"),
    ("PL", "00-950|00950|00‐950"),
    ("PT", "2725-079|2725079"),
    ("CH", "CH-2544|8001"),
    ("IE", "D02 AF30|d02af30|D6W XY00"),
    ("SA", "11564|١١٥٦٤|42316-2121"),
    ("EG", "12411|4450113"),
    ("KZ", "050012|A15E3B4"),
    ("SV", "CP 1101|1101"),
    ("VE", "1010|1010-A"),
    ("SH", "STHL 1ZZ|TDCU 1ZZ"),
    ("LI", "FL-9490|9490"),
    ("HT", "HT6110|6110"),
    ("MT", "VLT 1117|vlt1117"),
    ("TW", "104|10603|106409"),
    // Countries without a known form of codes.
    ("HK", "999077|anything"),
];

#[test]
fn spelling_does_not_matter() {
    for (code, list) in RIGHT {
        for written in list.split('|') {
            let problem = country(code).postal_code_problem(written);
            assert_eq!(problem, None, "{code} {written:?}");
        }
    }
}

/// Country, code of another form, and the code that probably was meant.
const WRONG: [(&str, &str, &str); 24] = [
    ("US", "2138", "02138"),
    ("US", "501", "00501"),
    ("US", "21381234", "02138-1234"),
    ("US", "2138-1234", "02138-1234"),
    ("US", "ABCDE", ""),
    ("US", "941056", ""),
    ("PR", "930", "00930"),
    ("DE", "1067", "01067"),
    ("FR", "1000", "01000"),
    ("JP", "600001", "060-0001"),
    ("BR", "1310100", "01310-100"),
    ("PL", "950", "00-950"),
    ("SG", "79903", "079903"),
    ("NO", "25", "0025"),
    ("AU", "800", "0800"),
    ("MX", "2860", "02860"),
    ("SK", "1001", "010 01"),
    // No code in Austria begins with 0.
    ("AT", "101", ""),
    ("GB", "XXXX", ""),
    ("GB", "SW1A", ""),
    ("CA", "D1A 0B1", ""),
    ("NL", "1234", ""),
    ("GB", "90210", ""),
    ("CN", "94105", "094105"),
];

#[test]
fn another_form_is_noticed_and_a_lost_zero_is_named() {
    for (code, written, probable) in WRONG {
        let problem = country(code)
            .postal_code_problem(written)
            .unwrap_or_else(|| panic!("{code} {written}"));
        assert_eq!(
            problem.probable.unwrap_or_default(),
            probable,
            "{code} {written}"
        );
        assert!(!problem.examples.is_empty());
    }
    for odd in ["", "-", "0".repeat(1_000_000).as_str(), "日本", "\0"] {
        let problem = country("US").postal_code_problem(odd);
        assert!(
            problem.is_some_and(|problem| problem.probable.is_none()),
            "{odd:.9}"
        );
    }
}

/// Each example without its first zeros is recognised, in each country whose codes may begin with 0.
#[test]
fn every_example_with_a_first_zero_is_found_again() {
    let mut tried = 0;
    for (country, row) in iso_rows() {
        for example in row[4].split(',') {
            let code = compact(example);
            let short = code.trim_start_matches('0');
            let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
            let lost = code.len() - short.len();
            if !is_number || lost == 0 || lost > MAX_LOST_ZEROS {
                continue;
            }
            // The rest has the form, too, where codes have several lengths.
            if let Some(problem) = country.postal_code_problem(short) {
                let probable = problem.probable.map(|code| compact(&code));
                assert!(
                    probable.is_some_and(|found| code.ends_with(&found)),
                    "{country:?} {short}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
}

/// Prefixes of the metadata such as `FL-` are known.
#[test]
fn exceptions_are_about_known_countries() {
    for (country, row) in iso_rows() {
        let prefix = compact(row[5]);
        let mut known = exceptions::prefixes(country.code());
        assert!(
            prefix.is_empty() || known.any(|known| known == prefix),
            "{country:?}"
        );
        for form in exceptions::further_forms(country.code()) {
            assert_ne!(form, country.rules().form);
        }
    }
}

/// Letters and digits of codes, so that random texts often have a form or nearly have it.
fn near_codes() -> impl Strategy<Value = String> {
    let random = "[A-Z0-9]{0,9}";
    let examples: Vec<String> = iso_rows()
        .flat_map(|(_, row)| row[4].split(',').map(compact).collect::<Vec<_>>())
        .collect();
    let changed = (proptest::sample::select(examples), "[A-Z0-9]?", 0..9_usize).prop_map(
        |(mut code, other, at)| {
            let at = at.min(code.len());
            code.replace_range(at..(at + 1).min(code.len()), &other);
            code
        },
    );
    prop_oneof![random, changed]
}

/// Country, the form as a regular expression, and the regular expression of the source.
static EXPRESSIONS: LazyLock<Vec<(Country, Regex, Regex)>> = LazyLock::new(|| {
    let whole = |form: &str| Regex::new(&format!("^(?:{form})$")).unwrap();
    let rows = iso_rows();
    rows.map(|(country, row)| (country, whole(country.rules().form), whole(row[3])))
        .collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn forms_match_like_the_regular_expressions_of_the_source(code in near_codes()) {
        for (country, of_form, of_source) in EXPRESSIONS.iter() {
            let ours = form::matches(country.rules().form, &code);
            prop_assert_eq!(ours, of_form.is_match(&code), "{:?} {}", country, code);
            // A text without separators that the source accepts has the form.
            prop_assert!(ours || !of_source.is_match(&code), "{:?} {}", country, code);
        }
    }
}
