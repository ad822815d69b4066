//! Matches a postal code with its form.
//!
//! A form is a regular expression for a whole text, of the few parts that the metadata use: `A`,
//! `\d`, `[A-Z0-9]`, `(…|…)`, `?`, `{3}` and `{4,5}`. Texts are short, so that the positions that a
//! part can end at fit in the bits of a number.

/// Bit `n` stands for the position after `n` bytes of the text.
type Positions = u64;

pub(super) fn matches(form: &str, text: &str) -> bool {
    let end = text.len();
    if end >= 64 {
        return false;
    }
    let mut reader = Reader {
        form: form.as_bytes(),
        text: text.as_bytes(),
    };
    reader.alternatives(1) & (1 << end) != 0
}

struct Reader<'a> {
    /// The rest of the form.
    form: &'a [u8],
    text: &'a [u8],
}

impl Reader<'_> {
    /// Returns the positions that the alternatives up to `)` or the end lead to from `starts`.
    fn alternatives(&mut self, starts: Positions) -> Positions {
        let mut ends = self.sequence(starts);
        while self.skip(b"|") {
            ends |= self.sequence(starts);
        }
        ends
    }

    fn sequence(&mut self, starts: Positions) -> Positions {
        let mut positions = starts;
        while let Some(first) = self.form.first()
            && !b"|)".contains(first)
        {
            positions = self.repeated(positions);
        }
        positions
    }

    /// Reads a part and the number of its repetitions.
    fn repeated(&mut self, starts: Positions) -> Positions {
        let part = self.form;
        let once = self.part(starts);
        if self.skip(b"?") {
            return starts | once;
        }
        if !self.skip(b"{") {
            return once;
        }
        let least = self.number();
        let most = if self.skip(b",") {
            self.number()
        } else {
            least
        };
        self.skip(b"}");
        let after = self.form;
        let (mut positions, mut ends) = (starts, if least == 0 { starts } else { 0 });
        for count in 1..=most {
            self.form = part;
            positions = self.part(positions);
            if count >= least {
                ends |= positions;
            }
        }
        self.form = after;
        ends
    }

    fn part(&mut self, starts: Positions) -> Positions {
        if self.skip(b"(") {
            self.skip(b"?:");
            let ends = self.alternatives(starts);
            self.skip(b")");
            return ends;
        }
        if self.skip(b"\\d") {
            return self.step(starts, |byte| byte.is_ascii_digit());
        }
        if self.skip(b"[") {
            let class = self.class();
            return self.step(starts, |byte| {
                class.iter().any(|range| range.contains(&byte))
            });
        }
        let literal = self.next();
        self.step(starts, |byte| Some(byte) == literal)
    }

    /// Reads a class up to its `]`.
    fn class(&mut self) -> Vec<std::ops::RangeInclusive<u8>> {
        let mut class = Vec::new();
        while !self.skip(b"]") {
            if self.skip(b"\\d") {
                class.push(b'0'..=b'9');
                continue;
            }
            let Some(first) = self.next() else {
                break;
            };
            let last = if self.skip(b"-") { self.next() } else { None };
            class.push(first..=last.unwrap_or(first));
        }
        class
    }

    /// Moves each of the positions `starts` over a byte of the text that `is_meant` accepts.
    fn step(&self, starts: Positions, is_meant: impl Fn(u8) -> bool) -> Positions {
        let bytes = self.text.iter().enumerate();
        let moved = bytes.filter(|(at, byte)| starts & (1 << at) != 0 && is_meant(**byte));
        moved.fold(0, |ends, (at, _)| ends | (1 << (at + 1)))
    }

    fn number(&mut self) -> u32 {
        let mut number = 0;
        while let Some(digit) = self.form.first().filter(|byte| byte.is_ascii_digit()) {
            number = number * 10 + u32::from(digit - b'0');
            self.next();
        }
        number
    }

    fn skip(&mut self, expected: &[u8]) -> bool {
        let rest = self.form.strip_prefix(expected);
        self.form = rest.unwrap_or(self.form);
        rest.is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.form.split_first()?;
        self.form = rest;
        Some(*first)
    }
}
