//! Suggests the known names that a mistyped name most likely meant.

/// Maximum length of a name for which similar names are suggested, in letters and digits.
const MAX_NAME_CHARS: usize = 64;
/// Maximum number of edits between a mistyped name and a suggested name, however long the name is.
const MAX_DISTANCE: usize = 4;
/// Maximum number of edits by which a suggested name is farther than the nearest name.
const MAX_LAG: usize = 1;
/// Number of buckets for counting characters, to rule out distant names cheaply.
const BUCKETS: usize = 64;

/// Returns up to `limit` names of `known` that are nearest to `name`: the nearest first, equally
/// near names in alphabetical order.
///
/// Ignores case and the style of joining words (`ship_class` equals `shipClass`). Apart from that,
/// a suggested name may differ by one edit for every three characters of `name`, and by four edits
/// at most: insertions, deletions, replacements and swaps of neighbours. A `name` of up to two
/// characters only matches itself. Besides the nearest names, only names a single edit farther are
/// suggested.
///
/// Takes a single pass over `known`. Computes the exact distance only for names of similar length
/// and letters, and for fewer names once good matches are found.
pub fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let mut plain = String::new();
    let Some(wanted) = Letters::new(name, &mut plain).filter(|_| limit > 0) else {
        return Vec::new();
    };
    let mut bound = MAX_DISTANCE.min(wanted.chars / 3);
    let mut best: Vec<Candidate<'a>> = Vec::new();
    let mut buffer = String::new();
    for known in known {
        let Some(letters) = Letters::new(known, &mut buffer) else {
            continue;
        };
        if wanted.least_distance(&letters) > bound {
            continue;
        }
        let distance = strsim::osa_distance(&plain, &buffer);
        if distance > bound {
            continue;
        }
        let candidate = Candidate { distance, known };
        // A name that occurs twice in `known` is already in the list.
        if let Err(at) = best.binary_search(&candidate) {
            best.insert(at, candidate);
            best.truncate(limit);
        }
        if let Some(nearest) = best.first() {
            bound = bound.min(nearest.distance + MAX_LAG);
        }
        // A full list only improves with names that are at least as near as its last.
        if let (true, Some(worst)) = (best.len() == limit, best.last()) {
            bound = bound.min(worst.distance);
        }
    }
    // The bound may have shrunk after a candidate was added.
    best.retain(|candidate| candidate.distance <= bound);
    best.into_iter().map(|candidate| candidate.known).collect()
}

/// The order of the fields gives the sort order of the suggestions.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<'a> {
    distance: usize,
    known: &'a str,
}

struct Letters {
    chars: usize,
    counts: [u8; BUCKETS],
}

impl Letters {
    /// Counts the characters of `name` in lower case, without `_`, `-` and spaces, and writes them
    /// to `plain`. Returns `None` if no character or more than [`MAX_NAME_CHARS`] remain.
    fn new(name: &str, plain: &mut String) -> Option<Self> {
        plain.clear();
        let mut letters = Self {
            chars: 0,
            counts: [0; BUCKETS],
        };
        for c in name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')) {
            // Most names are ASCII and need no Unicode tables.
            if c.is_ascii() {
                letters.push(c.to_ascii_lowercase(), plain)?;
            } else {
                c.to_lowercase().try_for_each(|c| letters.push(c, plain))?;
            }
        }
        (letters.chars > 0).then_some(letters)
    }

    fn push(&mut self, c: char, plain: &mut String) -> Option<()> {
        self.chars += 1;
        if self.chars > MAX_NAME_CHARS {
            return None;
        }
        plain.push(c);
        // `MAX_NAME_CHARS` keeps each count within a byte.
        *self.counts.get_mut(c as usize % BUCKETS)? += 1;
        Some(())
    }

    /// Returns a lower bound of the edit distance: an edit adds and removes at most one character.
    fn least_distance(&self, other: &Self) -> usize {
        // No sum exceeds `MAX_NAME_CHARS`, so that sums of bytes suffice, which compile to a
        // handful of vector instructions.
        let pairs = || self.counts.iter().zip(&other.counts);
        let more: u8 = pairs().map(|(a, b)| a.saturating_sub(*b)).sum();
        let fewer: u8 = pairs().map(|(a, b)| b.saturating_sub(*a)).sum();
        usize::from(more.max(fewer))
    }
}

/// Returns a question such as ``did you mean `MUG-11` or `MUG-15`?``; empty without `names`.
pub fn did_you_mean<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    format!("did you mean {}?", names.join(" or "))
}

/// Returns [`did_you_mean`] after a semicolon, for the end of a message; empty without `names`.
pub fn suggestion<S: AsRef<str>>(names: &[S]) -> String {
    match did_you_mean(names) {
        none if none.is_empty() => none,
        question => format!("; {question}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::nearest::*;
    use proptest::prelude::*;

    #[test]
    fn suggests_what_was_meant() {
        let known = [
            "ship_class",
            "fileUrls",
            "first_name",
            "last_name",
            "address1",
            "address2",
            "zip",
        ];
        let cases: &[(&str, &[&str])] = &[
            ("shipClass", &["ship_class"]),
            ("SHIP-CLASS", &["ship_class"]),
            ("fileUrl", &["fileUrls"]),
            ("fristname", &["first_name"]),
            ("adress1", &["address1", "address2"]),
            ("adress", &["address1", "address2"]),
            ("zpi", &["zip"]),
            ("zp", &[]),
            ("colour", &[]),
            ("x", &[]),
            ("", &[]),
            ("___", &[]),
        ];
        for (name, want) in cases {
            assert_eq!(nearest(name, known, 2), *want, "{name}");
        }
    }

    #[test]
    fn nearest_first_then_by_the_alphabet_and_no_name_twice() {
        let known = [
            "MUG-12OZ", "MUG-11OZ", "MUG-13OZ", "MUG-15", "MUG-11OZ", "mug-11oz",
        ];
        assert_eq!(
            nearest("mug11oz", known, 3),
            ["MUG-11OZ", "mug-11oz", "MUG-12OZ"]
        );
        let mut turned = known;
        turned.reverse();
        assert_eq!(
            nearest("mug11oz", turned, 3),
            ["MUG-11OZ", "mug-11oz", "MUG-12OZ"]
        );
        assert!(nearest("mug11oz", known, 0).is_empty());
    }

    #[test]
    fn names_of_any_length_and_script_are_survived() {
        let long = "x".repeat(100_000);
        assert!(nearest(&long, [long.as_str()], 3).is_empty());
        assert!(nearest("xxxx", [long.as_str(), ""], 3).is_empty());
        assert_eq!(nearest("größe", ["Größen", "grösse"], 3), ["Größen"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_filter_rejects_nothing_near(a in "[a-eA-E_é]{1,12}", b in "[a-eA-E_é]{1,12}") {
            let (mut plain_a, mut plain_b) = (String::new(), String::new());
            let letters = (Letters::new(&a, &mut plain_a), Letters::new(&b, &mut plain_b));
            if let (Some(a), Some(b)) = letters {
                prop_assert!(a.least_distance(&b) <= strsim::osa_distance(&plain_a, &plain_b));
            }
        }

        #[test]
        fn the_shrinking_bound_changes_nothing(name in "[a-c]{3,9}", known in prop::collection::vec("[a-c]{1,9}", 0..30), limit in 0_usize..5) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let mut all = nearest(&name, known.iter().copied(), usize::MAX);
            all.truncate(limit);
            prop_assert_eq!(nearest(&name, known.iter().copied(), limit), all);
        }
    }
}
