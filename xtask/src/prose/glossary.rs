//! Names that contain a word which the glossary replaces.

use super::text::Declared;

/// Adverbs and participles that name no constant: a limit is named by its quantity.
const VAGUE_CONSTANTS: [&str; 11] = [
    "AT_ONCE", "GIVEN", "HELD", "KEPT", "LISTED", "LOGGED", "MADE", "MOST", "NAMED", "SENT",
    "SHOWN",
];

/// Participles that name no type: they don't say what the type is.
const PARTICIPLES: [&str; 13] = [
    "Asked", "Counted", "Done", "Found", "Given", "Held", "Kept", "Known", "Made", "Named", "Sent",
    "Shown", "Taken",
];

/// Participles that name no local variable: they don't say what the value is.
const VAGUE_LOCALS: [&str; 4] = ["done", "found", "kept", "named"];

/// Words of the glossary in `docs/CONTRIBUTING.md`.
pub(super) struct Glossary {
    /// Terms of several words, such as "print shop", between spaces.
    terms: Vec<String>,
    /// Words of the column "Not", between spaces. Entries of several words are left out.
    replaced: Vec<String>,
}

impl Glossary {
    /// Reads the table of `text` whose last column is "Not".
    pub(super) fn parse(text: &str) -> Self {
        let rows: Vec<Vec<_>> = text
            .lines()
            .skip_while(|line| *line != "| Term | Meaning | Not |")
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.split('|').map(str::trim).collect())
            .collect();
        let column = |index: usize| {
            let cells = rows.iter().filter_map(move |row| row.get(index));
            let entries = cells.flat_map(|cell| cell.split(", "));
            entries.filter(|entry| !entry.is_empty()).map(str::to_owned)
        };
        let spaced = |entry: String| format!(" {entry} ");
        let is_word = |entry: &String| !entry.contains(' ');
        Self {
            terms: column(1)
                .filter(|term| !is_word(term))
                .map(spaced)
                .collect(),
            replaced: column(3).filter(is_word).map(spaced).collect(),
        }
    }

    /// Returns the first replaced word that is a part of `name`, outside terms of several words.
    pub(super) fn replaced_word(&self, name: &str) -> Option<&str> {
        let words = words(name);
        let candidate = |text: &str| self.replaced.iter().find(|word| text.contains(*word));
        candidate(&words)?;
        let without_terms = self
            .terms
            .iter()
            .fold(words, |words, term| words.replace(term, " "));
        candidate(&without_terms).map(|word| word.trim())
    }
}

/// Returns whether a type or a constant is named by a participle, or a constant by an adverb.
pub(super) fn is_participle((_, keyword, name): &Declared<'_>) -> bool {
    match *keyword {
        "fn" | "mod" => false,
        "const" | "static" => VAGUE_CONSTANTS.contains(name),
        _ => PARTICIPLES.contains(name),
    }
}

/// Returns whether a local variable is named by a participle alone.
pub(super) fn is_vague_local(name: &str) -> bool {
    VAGUE_LOCALS.contains(&name)
}

/// Returns the words of `name` in lower case, each between spaces.
pub(super) fn words(name: &str) -> String {
    let mut words = " ".to_owned();
    for letter in name.chars() {
        if (letter == '_' || letter.is_uppercase()) && !words.ends_with(' ') {
            words.push(' ');
        }
        if letter != '_' {
            words.extend(letter.to_lowercase());
        }
    }
    words.push(' ');
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_by_their_words() {
        let glossary = Glossary::parse(
            "Text\n\n| Term | Meaning | Not |\n|---|---|---|\n| print shop | a business | shop (alone) |\n\
             | store | a shop | shop, merchant |\n\n| other | table | term |\n",
        );
        let word = |name| glossary.replaced_word(name);
        assert_eq!(word("MerchantId"), Some("merchant"));
        assert_eq!(word("of_shop"), Some("shop"));
        assert_eq!(word("PrintShop"), None);
        assert_eq!(word("Shopping"), None);
        assert_eq!(word("term"), None);
        assert_eq!(words("find_OrderId"), " find order id ");
    }

    #[test]
    fn locals_are_named_for_their_values() {
        assert!(is_vague_local("found"));
        assert!(!is_vague_local("found_orders"));
    }

    #[test]
    fn only_types_are_participles() {
        assert!(is_participle(&(1, "struct", "Kept")));
        assert!(!is_participle(&(1, "struct", "KeptFile")));
        assert!(!is_participle(&(1, "fn", "Kept")));
    }
}
