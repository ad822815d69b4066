//! Tests of folding, of the words of texts, and of search keys.

mod phone;
mod variants;

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

fn set_of(text: &str) -> WordSet {
    let mut set = WordSet::default();
    set.text(text);
    set
}

fn phone_set(text: &str) -> WordSet {
    let mut set = WordSet::default();
    set.phone(text);
    set
}

fn list(set: &WordSet) -> Vec<String> {
    set.iter().map(str::to_owned).collect()
}

fn words_of(text: &str) -> Vec<String> {
    list(&set_of(text))
}

fn phone_words(text: &str) -> Vec<String> {
    list(&phone_set(text))
}

#[test]
fn folding() {
    let cases = [
        ("Đỗ", "do"),
        ("NGUYỄN Văn Đức", "nguyen van duc"),
        ("Straße ẞ", "strasse ss"),
        (
            "Ærøskøbing Łódź İzmir ıspanak",
            "aeroskobing lodz izmir ispanak",
        ),
        ("ＡＢＣ１２ ﬁn ①", "abc12 fin 1"),
        ("٠٩٠ १२३", "090 123"),
        ("ΣΟΦΟΣ σοφός", "σοφοσ σοφοσ"),
        ("Ёлка Київ", "елка киів"),
        ("東京 とうきょう が 서울", "東京 とうきょう が 서울"),
        ("أحمد हिन्दी ไทย", "أحمد हिन्दी ไทย"),
        ("+84\u{202d}90\u{202c} a\u{200b}b", "+8490 ab"),
        ("100%_*'\"", "100%_*'\""),
        ("20×30", "20x30"),
    ];
    for (text, want) in cases {
        assert_eq!(fold(text), want, "{text}");
    }
}

#[test]
fn words_are_indexed_whole_and_split_at_punctuation() {
    assert_eq!(
        words_of("Shop-1-8533"),
        ["shop-1-8533", "shop", "1", "8533"]
    );
    assert_eq!(
        words_of("  Đỗ,\tAnna (VIP) #1001"),
        ["do", "anna", "vip", "1001"]
    );
    assert_eq!(words_of("(a-b)"), ["a-b", "a", "b"]);
    assert_eq!(words_of("-- हिन्दी"), ["हिन्दी"]);
    assert_eq!(words_of("a\u{0}b\u{3000}c\u{a0}d"), ["a", "b", "c", "d"]);
    assert!(words_of(" \n").is_empty());
}

#[test]
fn an_email_address_gives_itself_the_parts_before_the_at_and_its_domain() {
    assert_eq!(
        words_of("a.b@mail.x-y.com"),
        ["a.b@mail.x-y.com", "a", "b", "mail.x-y.com"]
    );
    assert_eq!(
        words_of("<Ana+Test@example.com>,"),
        ["ana+test@example.com", "ana", "test", "example.com"]
    );
    assert_eq!(
        words_of("ana@localhost"),
        ["ana@localhost", "ana", "localhost"]
    );
    // Not an address: split at all punctuation.
    assert_eq!(words_of("a@b@c"), ["a@b@c", "a", "b", "c"]);
    assert_eq!(words_of("2@5.00/pc"), ["2@5.00/pc", "2", "5", "00", "pc"]);
    assert_eq!(words_of("b@-a.com"), ["b@-a.com", "b", "a", "com"]);
    assert_eq!(words_of("@example.com"), ["example.com", "example", "com"]);
}

#[test]
fn a_uuid_is_one_word() {
    let id = "0190F5A0-7000-7000-8000-00000000000b";
    assert_eq!(words_of(id), [id.to_lowercase()]);
    assert_eq!(
        words_of(&format!("{{{id}}} x-1")),
        [&id.to_lowercase(), "x-1", "x", "1"]
    );
    // One digit less, and then a character that is not a hexadecimal digit.
    assert_eq!(words_of(&id[..35]).len(), 6);
    assert_eq!(words_of(&id.replace('F', "g")).len(), 6);
}

#[test]
fn a_set_keeps_what_begins_no_other_word() {
    let mut set = WordSet::default();
    set.text("shop-1-8533")
        .text("Shop shopping 1")
        .phone("+84 90-123");
    // `84`, `90`, `shop` and `1` are prefixes of other words.
    let kept = [
        "090123",
        "123",
        "8490123",
        "8533",
        "90-123",
        "90123",
        "shop-1-8533",
        "shopping",
    ];
    assert_eq!(list(&set.reduced()), kept);
    assert!(list(&WordSet::default().reduced()).is_empty());
}

fn finds(key: &str, words: &WordSet) -> bool {
    SearchKey::parse(key).unwrap().unwrap().matches(words)
}

/// Search keys that must find the words in [`keys_find_words_that_begin_alike`].
const FOUND: [&str; 32] = [
    "do",
    "ĐỖ",
    "van do",
    "shop",
    "SHOP-1-85",
    "8533",
    "shop 8533 an",
    "100%",
    "100%_c",
    "cotton",
    "o'br",
    "O'Brien@ex",
    "+84 90 123 4567",
    "+8490123",
    "90",
    "#8533",
    "Văn,",
    "(shop-1)",
    "\"an\"",
    "_cotton",
    "1%",
    "d_",
    "example.c",
    "@example.com",
    "901234567",
    "0901234567",
    "90-123-4567",
    "(90) 123-4567",
    "84.90.123",
    "123 4567",
    "1234567",
    "4567",
];

/// Search keys that must not find the words in [`keys_find_words_that_begin_alike`].
const NOT_FOUND: [&str; 11] = [
    "hop",
    "o brien x",
    "%",
    "*",
    "\"",
    "do -",
    "com",
    "533",
    "234567",
    "do lan",
    "100%cotton",
];

#[test]
fn keys_find_words_that_begin_alike() {
    let mut set = WordSet::default();
    set.text("shop-1-8533")
        .text("Đỗ Văn An")
        .text("100%_cotton")
        .text("o'brien@example.com")
        .phone("+84 (90) 123-4567");
    let words = set.reduced();
    for key in FOUND {
        assert!(finds(key, &words), "{key} is not found");
    }
    for key in NOT_FOUND {
        assert!(!finds(key, &words), "{key} is found");
    }
}

#[test]
fn alternatives_of_key_words() {
    let alternatives = |text: &str| -> Vec<Vec<String>> {
        let key = SearchKey::parse(text).unwrap().unwrap();
        let words = key.words().iter();
        words
            .map(|word| word.alternatives().map(str::to_owned).collect())
            .collect()
    };
    assert_eq!(alternatives("90 123"), [["90"], ["123"]]);
    let number = alternatives("090 123");
    assert_eq!(
        number,
        [["090", "090123", "+90123"], ["123", "090123", "+90123"]]
    );
    assert_eq!(
        alternatives("(090)12-3"),
        [["090)12-3", "090123", "+90123"]]
    );
    assert_eq!(
        alternatives("O’Brien '"),
        [vec!["o'brien", "obrien"], vec!["'"]]
    );
    assert_eq!(alternatives("+ - 1a-2"), [["+"], ["-"], ["1a-2"]]);
}

#[test]
fn limits_of_keys() {
    assert_eq!(SearchKey::parse(""), Ok(None));
    assert_eq!(SearchKey::parse(" \t\u{3000}\u{200b} "), Ok(None));
    assert!(SearchKey::parse(&"é".repeat(255)).is_ok());
    assert_eq!(
        SearchKey::parse(&"é".repeat(256)),
        Err(SearchKeyError::TooLong(256))
    );
    assert!(SearchKey::parse("1 2 3 4 5 6 7 8 9 10").is_ok());
    let error = SearchKey::parse("1 2 3 4 5 6 7 8 9 10 11").unwrap_err();
    assert_eq!(error.to_string(), "must have at most 10 words, not 11");
}

#[test]
fn long_words_are_cut_alike() {
    let text = "㎢".repeat(200);
    let words = set_of(&text);
    assert!(
        words
            .iter()
            .all(|word| word.chars().count() <= MAX_WORD_CHARS)
    );
    assert!(finds(&text, &words));
    let digits = "1-".repeat(400);
    assert!(
        phone_words(&digits)
            .iter()
            .all(|word| word.len() <= MAX_WORD_CHARS)
    );
}

/// Tests with U+3316: it folds to six characters, the largest growth of a letter in practice.
#[test]
fn words_count_that_begin_within_the_first_characters_of_the_folded_text() {
    let text = vec!["\u{3316}".repeat(3); 64].join(" ");
    let word = fold(&"\u{3316}".repeat(3));
    assert_eq!(word.chars().count(), 18);
    let words = set_of(&text);
    // 14 words begin at the characters 0, 19, …, 247. The last word ends after the limit and is
    // whole nevertheless.
    assert_eq!(list(&words), vec![word; 14]);
    assert!(finds(&text[..text.len() / 8], &words));

    // The limit also applies to the pieces of one word, and each piece is found by all its
    // prefixes.
    let part = format!("{}-{}-end", "x".repeat(250), "\u{3316}".repeat(40));
    let words = set_of(&part);
    assert_eq!(
        words
            .iter()
            .map(|word| word.chars().count())
            .collect::<Vec<_>>(),
        [255, 250, 240]
    );
    assert!(finds(&"\u{3316}".repeat(40), &words) && finds(&"x".repeat(250), &words));
}

#[test]
fn a_text_that_grows_finds_itself() {
    for text in [
        "\u{3316}".repeat(255),
        format!("ab {}", "\u{3316}".repeat(252)),
        "\u{fdfa} ".repeat(2),
    ] {
        let words = set_of(&text);
        assert!(
            words
                .iter()
                .all(|word| word.chars().count() <= MAX_WORD_CHARS)
        );
        assert!(finds(text.trim(), &words), "{text}");
    }
}

#[test]
fn words_fit_up_to_a_number_of_bytes() {
    let word = "x".repeat(200 - WORD_OVERHEAD);
    let mut words = WordSet::default();
    assert!(fit(&words));
    for _ in 0..MAX_WORDS_BYTES / 200 {
        words.text(&word);
    }
    assert!(fit(&words));
    assert!(!fit(words.text("x")));
}

/// Generates texts in the scripts of real orders, with white space and punctuation, and random
/// texts.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9ĐỗéßĂıøÅ+(). \\-_%*'\"@]{0,40}",
        "[а-яЁА-Яα-ωΑ-Ω東京가-깋أबि ,]{0,20}",
        any::<String>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_twice_changes_nothing(text in any_text()) {
        let once = fold(&text);
        prop_assert_eq!(fold(&once), once);
    }

    #[test]
    fn case_does_not_count(text in "[A-Za-z0-9ĐỗéßĂıøÅа-яЁА-Яα-ωΑ-Ω .\\-]{0,40}") {
        prop_assert_eq!(fold(&text.to_uppercase()), fold(&text));
        prop_assert_eq!(fold(&text.to_lowercase()), fold(&text));
    }

    #[test]
    fn accents_do_not_count(text in "[a-z ]{0,20}", mark in "[\u{300}-\u{344}]") {
        let accented: String = text.chars().flat_map(|c| [Some(c), mark.chars().next().filter(|_| c != ' ')]).flatten().collect();
        prop_assert_eq!(fold(&accented), fold(&text));
        prop_assert_eq!(fold(&accented.nfc().collect::<String>()), fold(&text));
    }

    #[test]
    fn every_beginning_of_every_word_finds_the_text(text in any_text(), other in any_text(), at in any::<prop::sample::Index>(), chars in 1_usize..20) {
        let mut set = WordSet::default();
        set.text(&other).phone(&text);
        let index = set.reduced();
        let of_text = phone_set(&text);
        let words = list(&of_text);
        if !words.is_empty() {
            let key: String = at.get(&words).chars().take(chars).collect();
            // Half a letter of some scripts folds to another letter; typing it is not typing the
            // beginning of the word.
            if fold(&key) == key {
                prop_assert!(finds(&key, &index), "{} in {:?}", key, index);
                prop_assert!(finds(&key, &of_text));
            }
        }
    }

    #[test]
    fn keys_find_what_each_of_their_words_finds(text in any_text(), key in "[a-e+0-9 .\\-]{1,12}") {
        let words = set_of(&text);
        if let Some(whole) = SearchKey::parse(&key).ok().flatten() {
            let each = key.split_whitespace().all(|word| finds(word, &words));
            prop_assert_eq!(whole.matches(&words), each);
        }
    }

    #[test]
    fn sets_are_sorted_and_lose_nothing(texts in prop::collection::vec(any_text(), 0..4), key in "[a-z0-9]{1,3}") {
        let mut set = WordSet::default();
        for text in &texts {
            set.text(text);
        }
        let all = set.clone();
        let reduced = set.reduced();
        prop_assert_eq!(finds(&key, &reduced), finds(&key, &all));
        let kept = list(&reduced);
        prop_assert!(kept.is_sorted());
        for (at, word) in kept.iter().enumerate() {
            prop_assert!(kept.iter().enumerate().all(|(other, begun)| at == other || !begun.starts_with(word.as_str())));
        }
    }
}
