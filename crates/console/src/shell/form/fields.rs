//! Fields of a form or a query: names with texts, in the order in which they were sent.

use actix_web::web::Query;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use pressline_domain::check::Field;

/// Characters to percent-encode: all except the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Names and values, in the order of the request. A name may occur several times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses `application/x-www-form-urlencoded`. Invalid UTF-8 is replaced.
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = Query::<Vec<(String, String)>>::from_query(text);
        Self(pairs.map(Query::into_inner).unwrap_or_default())
    }

    pub(crate) fn new<N: Into<String>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let pairs = pairs.into_iter();
        Self(
            pairs
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the first value of the field `name`; empty if the form lacks the field.
    pub(crate) fn get(&self, name: &str) -> &str {
        let mut fields = self.iter();
        fields
            .find(|(other, _)| *other == name)
            .map_or("", |(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.iter().any(|(other, _)| other == name)
    }

    pub(crate) fn all<'a, 'n>(
        &'a self,
        name: &'n str,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        let same = move |(other, _): &(&str, &str)| *other == name;
        self.iter().filter(same).map(|(_, value)| value)
    }

    pub(crate) fn chooses(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|chosen| chosen == value)
    }

    /// Returns the trimmed value of `name`; `Absent` if the value is blank.
    pub(crate) fn text(&self, name: &str) -> Field<String> {
        match self.get(name).trim() {
            "" => Field::Absent,
            text => Field::Value(text.to_owned()),
        }
    }

    /// Returns `Absent` if the value of `name` is blank, `Wrong` if it is not an integer.
    pub(crate) fn integer(&self, name: &str) -> Field<i64> {
        Field::parsed(self.get(name), "an integer", |text| text.parse().ok())
    }

    /// Returns `true` if the checkbox `name` is ticked, else `Absent`.
    pub(crate) fn tick(&self, name: &str) -> Field<bool> {
        self.has(name).then_some(true).into()
    }

    pub(crate) fn flag(&self, name: &str) -> Field<bool> {
        // An unticked checkbox is not sent, and means false.
        Field::Value(!matches!(self.get(name), "" | "false" | "0" | "off"))
    }

    /// Returns the trimmed values of `name` that are not blank; `Absent` if there are none.
    pub(crate) fn texts(&self, name: &str) -> Field<Vec<Field<String>>> {
        let texts: Vec<_> = self
            .all(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| Field::Value(text.to_owned()))
            .collect();
        if texts.is_empty() {
            Field::Absent
        } else {
            Field::Value(texts)
        }
    }

    /// Returns a copy without the fields `names`, and without blank fields.
    pub(crate) fn without(&self, names: &[&str]) -> Self {
        Self::new(
            self.iter()
                .filter(|(name, value)| !names.contains(name) && !value.trim().is_empty()),
        )
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn address(&self, path: &str) -> String {
        if self.is_empty() {
            return path.to_owned();
        }
        format!("{path}?{}", self.encoded())
    }

    pub(crate) fn encoded(&self) -> String {
        let pairs = self
            .iter()
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_written_alike() {
        let fields = Fields::parse("a=1&b=x+y&a=%C3%A4%26&empty=&flag");
        assert_eq!(fields.get("a"), "1");
        assert_eq!(fields.all("a").collect::<Vec<_>>(), ["1", "ä&"]);
        assert_eq!((fields.get("b"), fields.get("none")), ("x y", ""));
        assert!(fields.has("empty") && fields.has("flag") && !fields.has("none"));
        let shown = fields.without(&["b"]);
        assert_eq!(shown.address("/x"), "/x?a=1&a=%C3%A4%26");
        assert_eq!(Fields::parse(&shown.encoded()), shown);
        assert_eq!(Fields::default().address("/x"), "/x");
    }

    #[test]
    fn texts_become_fields_of_the_domain() {
        let fields = Fields::parse("size=50&wrong=x&text=+a+&blank=+&on=on&off=false&many=a&many=");
        assert_eq!(fields.integer("size"), Field::Value(50));
        assert!(matches!(fields.integer("wrong"), Field::Wrong(_)));
        assert_eq!(fields.integer("none"), Field::Absent);
        assert_eq!(fields.text("text"), Field::Value("a".to_owned()));
        assert_eq!(fields.text("blank"), Field::Absent);
        assert_eq!(fields.flag("on"), Field::Value(true));
        assert_eq!(fields.flag("off"), Field::Value(false));
        assert_eq!(fields.flag("none"), Field::Value(false));
        let many = vec![Field::Value("a".to_owned())];
        assert_eq!(fields.texts("many"), Field::Value(many));
        assert_eq!(fields.texts("none"), Field::Absent);
    }
}
