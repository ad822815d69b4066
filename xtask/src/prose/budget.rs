//! `xtask/prose.toml`: the rules, and budgets that only shrink.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::text::{Kind, Passage};

/// A pattern of sentences to rewrite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) name: String,
    find: String,
    unless: Option<String>,
    #[serde(rename = "where")]
    kinds: Vec<Kind>,
    pub(super) bad: String,
    pub(super) good: String,
}

/// The compiled rules.
pub(super) struct Patterns<'a> {
    rules: Vec<(&'a Rule, Regex, Option<Regex>)>,
    /// All `find`, searched together: most passages match none.
    any: RegexSet,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(rules: &'a [Rule]) -> Result<Self, regex::Error> {
        let compiled = rules.iter().map(|rule| {
            let unless = rule.unless.as_deref().map(Regex::new).transpose()?;
            Ok((rule, Regex::new(&ascii(&rule.find))?, unless))
        });
        Ok(Self {
            any: RegexSet::new(rules.iter().map(|rule| ascii(&rule.find)))?,
            rules: compiled.collect::<Result<_, regex::Error>>()?,
        })
    }

    /// Returns the rules that match `passage`, each with its number of matches.
    pub(super) fn hits(&self, passage: &Passage) -> Vec<(&'a Rule, usize)> {
        let hits = self.any.matches(&passage.text);
        let matched = hits.iter().filter_map(|index| self.rules.get(index));
        matched
            .filter(|(rule, ..)| rule.kinds.contains(&passage.kind))
            .map(|(rule, find, unless)| {
                let text = match unless {
                    Some(unless) => unless.replace_all(&passage.text, "·"),
                    None => Cow::Borrowed(&*passage.text),
                };
                (*rule, find.find_iter(&text).count())
            })
            .collect()
    }
}

/// Replaces Unicode classes in `find`: they double the time of a build without optimization.
fn ascii(find: &str) -> String {
    find.replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", r"[[:word:]]")
}

/// Numbers of hits: the permitted or the measured values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Budgets {
    /// Hits by area and rule.
    pub(super) hits: BTreeMap<String, BTreeMap<String, usize>>,
}

/// The parsed file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    #[serde(rename = "rule")]
    pub(super) rules: Vec<Rule>,
    #[serde(default)]
    hits: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Settings {
    pub(super) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    pub(super) fn budgets(&self) -> Budgets {
        Budgets {
            hits: self.hits.clone(),
        }
    }
}

impl Budgets {
    /// Adds `count` hits of `rule` in `area`.
    pub(super) fn add(&mut self, area: &str, rule: &str, count: usize) {
        let rules = self.hits.entry(area.to_owned()).or_default();
        *rules.entry(rule.to_owned()).or_default() += count;
    }

    /// Returns the number of hits of `rule` in `area`, 0 without an entry.
    pub(super) fn of(&self, area: &str, rule: &str) -> usize {
        let rules = self.hits.get(area);
        rules
            .and_then(|rules| rules.get(rule))
            .copied()
            .unwrap_or_default()
    }

    /// Returns these budgets, lowered to the values of `measured`, but raised nowhere.
    pub(super) fn tightened(&self, measured: &Self) -> Self {
        let mut tightened = Self::default();
        for (area, rules) in &self.hits {
            for (rule, budget) in rules {
                let count = measured.of(area, rule).min(*budget);
                if count > 0 {
                    tightened.add(area, rule, count);
                }
            }
        }
        tightened
    }

    /// Replaces the budgets in `text`, the content of the file. They follow the rules.
    pub(super) fn written_to(&self, text: &str) -> String {
        let begin = text.find("\n[hits.");
        let rules = begin.and_then(|begin| text.get(..=begin));
        let mut out = rules.unwrap_or(text).to_owned();
        for (area, rules) in &self.hits {
            let _ = writeln!(out, "[hits.{area}]");
            for (rule, count) in rules {
                let _ = writeln!(out, "\"{rule}\" = {count}");
            }
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[[rule]]\nname = \"walrus\"\nfind = '\\bwalrus\\b'\nunless = 'old walrus'\n\
                        where = [\"doc\", \"test-name\"]\nbad = \"walrus\"\ngood = \"seal\"\n\n";

    fn passage(kind: Kind, text: &str) -> Passage {
        let text = text.to_owned();
        Passage {
            kind,
            line: 1,
            text,
        }
    }

    fn budgets(hits: &[(&str, &str, usize)]) -> Budgets {
        let mut budgets = Budgets::default();
        for (area, rule, count) in hits {
            budgets.add(area, rule, *count);
        }
        budgets
    }

    #[test]
    fn a_rule_counts_matches_in_its_kinds_of_text_without_exceptions() {
        let rules = Settings::parse(TEXT).unwrap().rules;
        let patterns = Patterns::new(&rules).unwrap();
        let hits = |kind, text| {
            let hits = patterns.hits(&passage(kind, text));
            hits.iter().map(|(_, count)| count).sum::<usize>()
        };
        assert_eq!(hits(Kind::Doc, "A walrus, another walrus."), 2);
        assert_eq!(hits(Kind::TestName, "a walrus swims"), 1);
        assert_eq!(hits(Kind::Doc, "An old walrus and a walrus."), 1);
        assert_eq!(hits(Kind::Doc, "An old walrus; walruses."), 0);
        assert_eq!(hits(Kind::String, "a walrus swims"), 0);
    }

    #[test]
    fn budgets_shrink_and_never_grow() {
        let budget = budgets(&[("api", "a", 3), ("api", "b", 1), ("cli", "a", 2)]);
        let measured = budgets(&[("api", "a", 2), ("cli", "a", 5), ("cli", "new", 1)]);
        let expected = budgets(&[("api", "a", 2), ("cli", "a", 2)]);
        assert_eq!(budget.tightened(&measured), expected);
    }

    #[test]
    fn an_update_rewrites_the_budgets_and_keeps_the_rules() {
        let mut budget = budgets(&[("api", "walrus", 3)]);
        let written = budget.written_to(TEXT);
        assert!(written.starts_with(TEXT), "{written}");
        assert_eq!(Settings::parse(&written).unwrap().budgets(), budget);
        assert_eq!(budget.written_to(&written), written);
        budget.hits.clear();
        let written = budget.written_to(&written);
        assert_eq!(budget.written_to(&written), written);
    }
}
