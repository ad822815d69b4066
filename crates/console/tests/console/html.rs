//! A small HTML parser that covers the templates, and checks of the pages' structure.

use std::collections::BTreeSet;

const VOID: [&str; 5] = ["br", "input", "link", "meta", "hr"];
/// Attributes that refer to the `id` of another element.
const REFERENCES: [&str; 5] = [
    "for",
    "list",
    "aria-describedby",
    "aria-labelledby",
    "aria-controls",
];

#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// Text content, including the text of child elements.
    pub(crate) text: String,
    /// Names of the enclosing elements, outermost first.
    pub(crate) within: Vec<String>,
}

impl Element {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Returns whether it is a visible `input`, `select` or `textarea`.
    fn is_field(&self) -> bool {
        let is_hidden = self.get("type") == Some("hidden") || self.get("hidden").is_some();
        ["input", "select", "textarea"].contains(&self.name.as_str()) && !is_hidden
    }
}

/// Parses a page. Panics if end tags do not match.
pub(crate) fn read(page: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = page;
    while let Some((text, tag)) = rest.split_once('<') {
        for at in &open {
            elements[*at].text.push_str(text);
        }
        let (tag, after) = split_tag(tag);
        rest = after;
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().map(|at| elements[at].name.clone());
            assert_eq!(last.as_deref(), Some(name), "before {rest:.200}");
            continue;
        }
        let mut element = element(tag.trim_end_matches('/'));
        element.within = open.iter().map(|at| elements[*at].name.clone()).collect();
        let is_closed = tag.ends_with('/') || VOID.contains(&element.name.as_str());
        elements.push(element);
        if !is_closed {
            open.push(elements.len() - 1);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    elements
}

/// Splits at the first `>` outside quotes.
fn split_tag(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '>') => return (&text[..at], &text[at + 1..]),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    panic!("a tag does not end: {text:.200}");
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace());
        let (attribute, after) = rest.split_at(end.unwrap_or(rest.len()));
        let Some(quoted) = after.strip_prefix('=') else {
            attributes.push((attribute.to_owned(), String::new()));
            rest = after;
            continue;
        };
        let quote = quoted.chars().next().unwrap();
        assert!(quote == '"' || quote == '\'', "no quotes in <{tag}>");
        let (value, after) = quoted[1..].split_once(quote).unwrap();
        attributes.push((attribute.to_owned(), value.to_owned()));
        rest = after;
    }
    Element {
        name: name.to_owned(),
        attributes,
        ..Element::default()
    }
}

/// Asserts the rules of every page: structure, accessible names, and no foreign resources.
pub(crate) fn assert_well_made(path: &str, page: &str) -> Vec<Element> {
    assert!(page.starts_with("<!DOCTYPE html>"), "{path}");
    let elements = read(page);
    let count = |name: &str| elements.iter().filter(|element| element.is(name)).count();
    for name in ["html", "title", "h1", "main"] {
        assert_eq!(count(name), 1, "{path}: <{name}>");
    }
    let ids: Vec<&str> = elements.iter().filter_map(|it| it.get("id")).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(distinct.len(), ids.len(), "{path}: an id twice in {ids:?}");
    let mut level = 0;
    for element in &elements {
        assert_harmless(path, element);
        assert_refers(path, element, &distinct);
        assert_named(path, element, &elements);
        assert_reads_well(path, element);
        let heading = element.name.strip_prefix('h').map(str::parse::<u32>);
        if let Some(Ok(next)) = heading {
            assert!(next <= level + 1, "{path}: h{next} after h{level}");
            level = next;
        }
    }
    elements
}

/// Asserts that counts of 1 use the singular, and that no API message with backticks is shown.
fn assert_reads_well(path: &str, element: &Element) {
    // Backticks of a hostile test string, not of a message.
    let text = element.text.replace("` onclick=`alert(1)", "");
    assert!(!text.contains('`'), "{path}: {text}");
    for noun in [
        "items", "units", "orders", "rows", "parcels", "files", "stores",
    ] {
        for (at, found) in element.text.match_indices(&format!("1 {noun}")) {
            let before = element.text[..at].chars().next_back();
            let is_one = before.is_none_or(|c| !c.is_ascii_digit() && !",.-".contains(c));
            assert!(!is_one, "{path}: `{found}` in {}", element.text);
        }
    }
}

/// Asserts that an element runs no inline code and loads no foreign resources.
fn assert_harmless(path: &str, element: &Element) {
    let of_others = ["iframe", "img", "style", "object", "embed", "base", "audio"];
    assert!(
        !of_others.contains(&element.name.as_str()),
        "{path}: {element:?}"
    );
    for (name, value) in &element.attributes {
        let runs = name.starts_with("on") || name == "style" || name == "srcdoc";
        let is_known = name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == ':');
        assert!(!runs && is_known, "{path}: {element:?}");
        if !["href", "src", "action", "formaction"].contains(&name.as_str()) {
            continue;
        }
        let is_own = value.starts_with("/console") || value.starts_with('#');
        let is_link = element.is("a")
            && (value.starts_with("https://") || value.starts_with("http://"))
            && element
                .get("rel")
                .is_some_and(|rel| rel.contains("noreferrer"));
        assert!(is_own || is_link, "{path}: {element:?}");
    }
    if element.is("script") {
        assert!(
            element.get("src").is_some() && element.text.is_empty(),
            "{path}"
        );
    }
    if element.is("a")
        && element
            .get("href")
            .is_some_and(|href| href.starts_with("http"))
    {
        assert!(
            element.within.contains(&"main".to_owned()),
            "{path}: {element:?}"
        );
    }
}

/// Asserts that the ids in [`REFERENCES`] and in anchors are in `ids`.
fn assert_refers(path: &str, element: &Element, ids: &BTreeSet<&str>) {
    for name in REFERENCES {
        for id in element.get(name).unwrap_or_default().split_whitespace() {
            assert!(ids.contains(id), "{path}: no `{id}` for {element:?}");
        }
    }
    let anchor = element.get("href").and_then(|href| href.strip_prefix('#'));
    if let Some(id) = anchor {
        assert!(ids.contains(id), "{path}: no `{id}` for {element:?}");
    }
}

/// Asserts that links, buttons, headings and fields have an accessible name.
fn assert_named(path: &str, element: &Element, all: &[Element]) {
    let label = element.get("aria-label").unwrap_or_default();
    if element.is_field() {
        let id = element.get("id").unwrap_or("-");
        let mut labels = all.iter().filter(|other| other.is("label"));
        let is_labelled = labels.any(|other| other.get("for") == Some(id));
        assert!(
            is_labelled || !label.is_empty(),
            "{path}: no label for {element:?}"
        );
    }
    if [
        "a", "button", "summary", "legend", "h1", "h2", "h3", "title",
    ]
    .contains(&&*element.name)
    {
        let is_named = !element.text.trim().is_empty() || !label.is_empty();
        assert!(is_named, "{path}: no name for {element:?}");
    }
    if element.is("button") {
        assert!(element.get("type").is_some(), "{path}: {element:?}");
    }
    if element.is("th") {
        assert!(element.get("scope").is_some(), "{path}: {element:?}");
    }
    // On narrow screens, rows become lists, and each value shows its label.
    let is_value = element.is("td") && element.within.contains(&"tbody".to_owned());
    if is_value {
        assert!(element.get("data-label").is_some(), "{path}: {element:?}");
    }
    let is_posted = element.is("form") && element.get("method") == Some("post");
    if is_posted {
        let action = element.get("action").unwrap_or_default();
        assert!(action.starts_with("/console"), "{path}: {element:?}");
    }
}

#[test]
fn pages_are_read_as_browsers_do() {
    let elements = read(
        "<!doctype html><main><a href=\"/x?a>b\">A <b>c</b></a><br><input id='x' required></main>",
    );
    let names: Vec<&str> = elements.iter().map(|element| &*element.name).collect();
    assert_eq!(names, ["main", "a", "b", "br", "input"]);
    assert_eq!(elements[1].text, "A c");
    assert_eq!(elements[1].get("href"), Some("/x?a>b"));
    assert_eq!(elements[4].get("required"), Some(""));
    assert_eq!(elements[2].within, ["main", "a"]);
}
