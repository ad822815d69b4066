//! Reads numbers, and words of fixed lists, from the cells of a [`Row`].

use super::row::Row;
use super::spreadsheet::whole_number;
use pressline_domain::value::Tenths;
use pressline_kit::nearest::{nearest, suggestion};
use pressline_kit::text::excerpt;

impl Row {
    /// Returns 0 for a blank cell and, with a finding, an invalid cell. `what` names the unit.
    pub(crate) fn whole(&mut self, column: &str, what: &str) -> u32 {
        self.whole_or_blank(column, what).unwrap_or(0)
    }

    /// Returns `None` for a blank cell and, with a finding, an invalid cell. `what` names the unit.
    /// Use it instead of [`whole`](Self::whole) if 0 does not mean the same as a blank cell.
    pub(crate) fn whole_or_blank(&mut self, column: &str, what: &str) -> Option<u32> {
        self.number(column, |text| {
            let number = whole_number(text).parse();
            number.map_err(|_| format!("is not a whole number of {what}"))
        })
    }

    /// Returns `None` for a blank cell and, with a finding, an invalid cell. `what` names the unit.
    pub(crate) fn tenths(&mut self, column: &str, what: &str) -> Option<Tenths> {
        self.number(column, |text| {
            let problem = |_| format!("is not a number of {what} with at most one decimal");
            text.parse().map_err(problem)
        })
    }

    fn number<T>(&mut self, column: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let text = self.plain(column, true);
        if text.is_empty() {
            return None;
        }
        let read = parse(&text)
            .map_err(|problem| self.problem(column, format!("`{}` {problem}", excerpt(&text))));
        read.ok()
    }

    /// Returns `None` if the cell is blank or, with a finding, if `names` does not have the name.
    pub(crate) fn one_of<T: Copy>(
        &mut self,
        column: &str,
        names: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(column);
        if text.is_empty() {
            return None;
        }
        self.meant(column, &text, names)
    }

    /// Returns the values of the names in a list, or in a string separated by `|`. Leaves out a
    /// name that is repeated or not in `names`, with a finding.
    pub(crate) fn some_of<T: Copy>(&mut self, column: &str, names: &[(&'static str, T)]) -> Vec<T> {
        let entries = self.list(column);
        let values = entries.iter().map(|entry| self.meant(column, entry, names));
        values.flatten().collect()
    }

    fn meant<T: Copy>(
        &mut self,
        column: &str,
        text: &str,
        names: &[(&'static str, T)],
    ) -> Option<T> {
        let value = names
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, meant)| *meant);
        if value.is_none() {
            let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let near = suggestion(&nearest(text, all.iter().copied(), 1));
            let message = format!("`{text}` is not one of {}{near}", all.join(", "));
            self.problem(column, message);
        }
        value
    }
}
