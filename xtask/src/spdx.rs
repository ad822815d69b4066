//! SPDX licence expressions: whether a list of accepted licences satisfies one.

/// Whether somebody who accepts exactly `accepted` may use what `expression` licenses. An exception belongs to its
/// licence: `Apache-2.0 WITH LLVM-exception` is a name of its own. The old `MIT/Apache-2.0` means `OR`.
pub(crate) fn satisfied(expression: &str, accepted: &[&str]) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut parser = Parser { words: spaced.split_whitespace().peekable(), accepted };
    let result = parser.alternatives()?;
    match parser.words.next() {
        None => Ok(result),
        Some(word) => Err(format!("unexpected `{word}`")),
    }
}

struct Parser<'a, I: Iterator<Item = &'a str>> {
    words: std::iter::Peekable<I>,
    accepted: &'a [&'a str],
}

impl<'a, I: Iterator<Item = &'a str>> Parser<'a, I> {
    /// `AND` binds closer than `OR`.
    fn alternatives(&mut self) -> Result<bool, String> {
        let mut result = self.conjunction()?;
        while self.words.next_if(|word| word.eq_ignore_ascii_case("OR")).is_some() {
            result |= self.conjunction()?;
        }
        Ok(result)
    }

    fn conjunction(&mut self) -> Result<bool, String> {
        let mut result = self.licence()?;
        while self.words.next_if(|word| word.eq_ignore_ascii_case("AND")).is_some() {
            result &= self.licence()?;
        }
        Ok(result)
    }

    fn licence(&mut self) -> Result<bool, String> {
        match self.words.next() {
            Some("(") => {
                let result = self.alternatives()?;
                match self.words.next() {
                    Some(")") => Ok(result),
                    _ => Err("a parenthesis is not closed".to_owned()),
                }
            }
            Some(word) if [")", "OR", "AND", "WITH"].contains(&word) => Err(format!("unexpected `{word}`")),
            Some(name) if self.words.next_if(|word| word.eq_ignore_ascii_case("WITH")).is_some() => {
                let exception = self.words.next().ok_or("WITH names no exception")?;
                Ok(self.accepts(&format!("{name} WITH {exception}")))
            }
            Some(name) => Ok(self.accepts(name)),
            None => Err("a licence is missing".to_owned()),
        }
    }

    fn accepts(&self, name: &str) -> bool {
        self.accepted.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCEPTED: [&str; 3] = ["MIT", "Apache-2.0 WITH LLVM-exception", "Zlib"];

    #[test]
    fn evaluates_expressions() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("MIT OR GPL-3.0-only", true),
            ("GPL-3.0-only/MIT", true),
            ("MIT AND GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT AND Zlib", true),
            ("(GPL-3.0-only OR MIT) AND AGPL-3.0-only", false),
            ("(MIT OR Apache-2.0) AND (Zlib)", true),
            ("Apache-2.0", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Zlib WITH LLVM-exception", false),
        ] {
            assert_eq!(satisfied(expression, &ACCEPTED), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn refuses_what_is_no_expression() {
        for expression in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT Zlib", "MIT WITH"] {
            assert!(satisfied(expression, &ACCEPTED).is_err(), "{expression}");
        }
    }
}
