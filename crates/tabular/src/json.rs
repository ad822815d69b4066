//! JSON files: a list of objects, each an entry.

use std::collections::HashSet;
use std::fmt;
use std::io;

use pressline_backoffice::import::catalog::{
    Cell, Finding, Findings, Layout, Record, Row, Sheet, Value,
};
use pressline_kit::nearest::{nearest, suggestion};
use pressline_kit::text::excerpt;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::lines::{Lines, too_many_rows};

/// Adds errors in an entry to `findings`, so that all are reported together. Fails if the file is
/// not a JSON list, or has more than `most_rows` entries and parts.
pub(crate) fn read(
    bytes: &[u8],
    layout: &'static Layout,
    most_rows: usize,
    findings: &mut Findings,
) -> Result<Vec<Record>, Findings> {
    // Some editors write a byte order mark; JSON forbids it.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    // Raw values keep the digits and the positions of the file.
    let list: Vec<&RawValue> = serde_json::from_slice(bytes).map_err(|error| at(&error))?;
    let mut reader = Reader {
        bytes,
        lines: Lines::new(bytes),
        layout,
        keys: keys(layout, false),
        part_keys: keys(layout, true),
        findings,
        rows: 0,
    };
    let mut records = Vec::new();
    for raw in list {
        records.extend(reader.record(raw));
        // Checked after each entry, so that a file that is too large is not read to its end.
        if reader.rows > most_rows {
            return Err(too_many_rows(reader.line(raw), most_rows).into());
        }
    }
    Ok(records)
}

fn keys(layout: &Layout, nested: bool) -> Vec<String> {
    let columns = layout.columns(nested).iter();
    let keys = columns.map(|column| key(layout, nested, column.name));
    keys.collect()
}

/// Returns `column` in camel case, without its CSV prefix if it belongs to a part (`nested`).
fn key(layout: &Layout, nested: bool, column: &str) -> String {
    let prefix = layout.nested.as_ref().filter(|_| nested);
    let name = prefix
        .and_then(|parts| column.strip_prefix(parts.prefix))
        .unwrap_or(column);
    let mut key = String::with_capacity(name.len());
    for (position, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if position > 0 => key.push(first.to_ascii_uppercase()),
            first => key.extend(first),
        }
        key.push_str(letters.as_str());
    }
    key
}

/// Returns the JSON key of `column`, for a part (`nested`) after the key of the list and a dot.
fn column_name(layout: &Layout, nested: bool, column: &str) -> String {
    let key = key(layout, nested, column);
    match layout.nested.as_ref().filter(|_| nested) {
        Some(parts) => format!("{}.{key}", parts.name),
        None => key,
    }
}

fn at(error: &serde_json::Error) -> Finding {
    let text = error.to_string();
    // A finding has its line already.
    let message = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(message, _)| message)
        .to_owned();
    // `serde_json` returns line 0 for an error without a position.
    let line = u64::try_from(error.line()).unwrap_or(1).max(1);
    Finding::of_row(line, message)
}

type RowValue<'r> = (u64, &'r RawValue);

struct Reader<'b, 'f> {
    bytes: &'b [u8],
    lines: Lines<'b>,
    layout: &'static Layout,
    keys: Vec<String>,
    part_keys: Vec<String>,
    findings: &'f mut Findings,
    /// Number of entries and parts read so far.
    rows: usize,
}

impl Reader<'_, '_> {
    fn record(&mut self, raw: &RawValue) -> Option<Record> {
        let line = self.line(raw);
        let (cells, parts) = self.object(raw, line, false)?;
        self.rows += 1 + parts.len();
        let row = Row::new(line, self.layout, false, column_name, cells);
        let mut nested = Vec::new();
        for (line, raw) in parts {
            if let Some((cells, _)) = self.object(raw, line, true) {
                nested.push(Row::new(line, self.layout, true, column_name, cells));
            }
        }
        Some(Record { row, nested })
    }

    /// Returns the cells of an entry or, if `nested`, of a part; for an entry, also the values of
    /// its parts. Returns `None`, and adds a finding, if `raw` is not an object.
    fn object<'r>(
        &mut self,
        raw: &'r RawValue,
        line: u64,
        nested: bool,
    ) -> Option<(Vec<Cell>, Vec<RowValue<'r>>)> {
        let Ok(Pairs(pairs)) = serde_json::from_str::<Pairs<'r>>(raw.get()) else {
            self.problem(line, "", "an object in braces belongs here".to_owned());
            return None;
        };
        let absent = Cell {
            value: Value::Absent,
            line,
            is_exact: true,
        };
        let mut cells = vec![absent; self.layout.columns(nested).len()];
        let mut parts = Vec::new();
        let mut seen = HashSet::new();
        for (key, value) in &pairs {
            let line = self.line(value);
            if !seen.insert(key.as_str()) {
                self.problem(line, key, "the object has this key twice".to_owned());
                continue;
            }
            let position = self.keys_of(nested).iter().position(|known| known == key);
            if let Some(cell) = position.and_then(|position| cells.get_mut(position)) {
                let value = cell_value(value);
                (cell.value, cell.line) = (value, line);
            } else if self.list(nested) == Some(key) {
                parts = self.parts(line, key, value);
            } else {
                self.unknown_key(line, key, nested);
            }
        }
        Some((cells, parts))
    }

    fn keys_of(&self, nested: bool) -> &[String] {
        if nested { &self.part_keys } else { &self.keys }
    }

    /// Returns the key of the list of parts; `None` for a part, and for entries without parts.
    fn list(&self, nested: bool) -> Option<&'static str> {
        let parts = self.layout.nested.as_ref().filter(|_| !nested);
        parts.map(|parts| parts.name)
    }

    fn parts<'r>(&mut self, line: u64, key: &str, value: &'r RawValue) -> Vec<RowValue<'r>> {
        let Ok(list) = serde_json::from_str::<Vec<&'r RawValue>>(value.get()) else {
            self.problem(line, key, "a list in brackets belongs here".to_owned());
            return Vec::new();
        };
        list.into_iter().map(|raw| (self.line(raw), raw)).collect()
    }

    fn unknown_key(&mut self, line: u64, key: &str, nested: bool) {
        let known = self.keys_of(nested).iter().map(String::as_str);
        let near = suggestion(&nearest(key, known.chain(self.list(nested)), 1));
        self.problem(line, key, format!("not a known key{near}"));
    }

    /// Returns the line of `value`, from 1. `value` must be borrowed from `self.bytes`.
    fn line(&mut self, value: &RawValue) -> u64 {
        let offset = (value.get().as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        self.lines.of(offset)
    }

    fn problem(&mut self, line: u64, column: &str, message: String) {
        self.findings.add(Finding {
            line,
            column: excerpt(column).into_owned(),
            message,
        });
    }
}

fn cell_value(raw: &RawValue) -> Value {
    let text = raw.get();
    match text.bytes().next() {
        Some(b'"') => serde_json::from_str(text).map_or(Value::Wrong("broken text"), Value::Text),
        Some(b'n') => Value::Absent,
        Some(b't' | b'f') => Value::Wrong("true or false"),
        Some(b'[') => {
            let texts =
                |list: Vec<&RawValue>| list.into_iter().map(text_only).collect::<Option<Vec<_>>>();
            let list = serde_json::from_str(text).ok().and_then(texts);
            list.map_or(Value::Wrong("a list of anything but texts"), Value::List)
        }
        Some(b'{') => {
            let pair = |(key, value): (String, &RawValue)| Some((key, plain(value)?));
            let parsed = serde_json::from_str::<Pairs<'_>>(text).ok();
            let pairs = parsed
                .and_then(|Pairs(pairs)| pairs.into_iter().map(pair).collect::<Option<Vec<_>>>());
            pairs.map_or(
                Value::Wrong("an object of anything but texts"),
                Value::Pairs,
            )
        }
        // The digits are kept as written: a float would change a price.
        _ => Value::Number(text.to_owned()),
    }
}

/// Returns the text of a string; `None` for other values. Lists have identifiers, and a program
/// that writes an identifier as a number has rounded it or dropped its zeros.
fn text_only(raw: &RawValue) -> Option<String> {
    match cell_value(raw) {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the text of a string, or the digits of a number as written; `None` for other values.
fn plain(raw: &RawValue) -> Option<String> {
    match cell_value(raw) {
        Value::Text(text) | Value::Number(text) => Some(text),
        _ => None,
    }
}

/// Key-value pairs of a JSON object in the sequence of the file, including repeated keys.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

pub(crate) fn write(sheet: &Sheet) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(&Document(sheet))?;
    text.push(b'\n');
    Ok(text)
}

/// [`Sheet`] that is serialized as a list of objects, one for each entry.
#[derive(Debug)]
pub struct Document<'s>(pub &'s Sheet);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let layout = self.0.content.layout();
        let (keys, part_keys) = (keys(layout, false), keys(layout, true));
        let name = layout.nested.as_ref().map(|parts| parts.name);
        serializer.collect_seq(self.0.rows.iter().map(|row| Object {
            keys: &keys,
            cells: &row.cells,
            list: name.filter(|_| !row.nested.is_empty()),
            part_keys: &part_keys,
            parts: &row.nested,
        }))
    }
}

struct Object<'s> {
    keys: &'s [String],
    cells: &'s [Value],
    /// Key under which `parts` are written as a list; `None` if there are no parts to write.
    list: Option<&'static str>,
    part_keys: &'s [String],
    parts: &'s [Vec<Value>],
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.keys.iter().zip(self.cells) {
            if *value != Value::Absent {
                map.serialize_entry(key, &Content(value))?;
            }
        }
        if let Some(list) = self.list {
            let part = |cells| Object {
                keys: self.part_keys,
                cells,
                list: None,
                part_keys: &[],
                parts: &[],
            };
            let parts: Vec<Object<'_>> = self.parts.iter().map(|cells| part(cells)).collect();
            map.serialize_entry(list, &parts)?;
        }
        map.end()
    }
}

struct Content<'s>(&'s Value);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Absent | Value::Wrong(_) => serializer.serialize_unit(),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Number(digits) => match digits.parse::<u64>() {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_str(digits),
            },
            Value::List(list) => list.serialize(serializer),
            Value::Pairs(pairs) => {
                serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}
