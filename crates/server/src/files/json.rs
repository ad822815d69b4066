//! Files in JSON: a list of objects, one for each entry.

use std::collections::HashSet;
use std::fmt;

use pressline_kit::nearest::nearest;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::lines::Lines;
use super::row::{Cell, Row};
use super::table::{Entry, Sheet, Value, too_many_rows};
use super::{Columns, Format, Problem, Problems, Shape, did_you_mean};

/// The entries of a file. What is wrong with one of them doesn't hide what is wrong with the next.
pub(super) fn read(
    bytes: &[u8],
    shape: &'static Shape,
    most_rows: usize,
    problems: &mut Problems,
) -> Result<Vec<Entry>, Problems> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let list: Vec<&RawValue> = serde_json::from_slice(bytes).map_err(|error| at(&error))?;
    let mut reader = Reader {
        bytes,
        lines: Lines::new(bytes),
        shape,
        problems,
        rows: 0,
    };
    let mut entries = Vec::new();
    for raw in list {
        entries.extend(reader.entry(raw));
        if reader.rows > most_rows {
            return Err(too_many_rows(reader.line(raw), most_rows).into());
        }
    }
    Ok(entries)
}

/// The problem that serde found in the whole file.
fn at(error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let message = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(message, _)| message)
        .to_owned();
    let line = u64::try_from(error.line()).unwrap_or(1).max(1);
    Problem {
        line,
        column: String::new(),
        message,
    }
}

/// A value and its line.
type Located<'r> = (u64, &'r RawValue);

struct Reader<'b, 'p> {
    bytes: &'b [u8],
    lines: Lines,
    shape: &'static Shape,
    problems: &'p mut Problems,
    /// How many entries were read, those of lists in them included.
    rows: usize,
}

impl Reader<'_, '_> {
    fn entry(&mut self, raw: &RawValue) -> Option<Entry> {
        let line = self.line(raw);
        let nested = self.shape.nested.as_ref();
        let list = nested.map(|nested| nested.key);
        let (cells, inner) = self.object(raw, line, self.shape.columns, list)?;
        self.rows += 1 + inner.len();
        let row = Row::new(line, Format::Json, self.shape, false, cells);
        let mut rows = Vec::new();
        for (line, raw) in inner {
            let columns = nested.map(|nested| nested.columns).unwrap_or_default();
            if let Some((cells, _)) = self.object(raw, line, columns, None) {
                rows.push(Row::new(line, Format::Json, self.shape, true, cells));
            }
        }
        Some(Entry { row, nested: rows })
    }

    /// The cells of an object, and the entries of the one list in it that is no cell.
    fn object<'r>(
        &mut self,
        raw: &'r RawValue,
        line: u64,
        columns: Columns,
        list: Option<&str>,
    ) -> Option<(Vec<Cell>, Vec<Located<'r>>)> {
        let Ok(Pairs(pairs)) = serde_json::from_str::<Pairs<'r>>(raw.get()) else {
            self.problem(line, "", "an object in braces belongs here".to_owned());
            return None;
        };
        let mut cells = vec![
            Cell {
                value: Value::Absent,
                line
            };
            columns.len()
        ];
        let mut inner = Vec::new();
        let mut seen = HashSet::new();
        for (key, value) in &pairs {
            let line = self.line(value);
            if !seen.insert(key.as_str()) {
                self.problem(line, key, "stands twice".to_owned());
                continue;
            }
            let at = columns.iter().position(|(_, json)| json == key);
            if let Some(cell) = at.and_then(|at| cells.get_mut(at)) {
                *cell = Cell {
                    value: cell_value(value),
                    line,
                };
            } else if list == Some(key) {
                match serde_json::from_str::<Vec<&'r RawValue>>(value.get()) {
                    Ok(list) => inner.extend(list.into_iter().map(|raw| (self.line(raw), raw))),
                    Err(_) => self.problem(line, key, "a list in brackets belongs here".to_owned()),
                }
            } else {
                let known = columns.iter().map(|(_, json)| *json).chain(list);
                let near = did_you_mean(&nearest(key, known, 1));
                self.problem(line, key, format!("no such key{near}"));
            }
        }
        Some((cells, inner))
    }

    /// Returns the line of a value that is borrowed from the text.
    fn line(&self, value: &RawValue) -> u64 {
        let offset = (value.get().as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        self.lines.of(offset)
    }

    fn problem(&mut self, line: u64, column: &str, message: String) {
        self.problems.add(Problem {
            line,
            column: column.to_owned(),
            message,
        });
    }
}

/// What stands in a cell.
fn cell_value(raw: &RawValue) -> Value {
    let text = raw.get();
    match text.bytes().next() {
        Some(b'"') => serde_json::from_str(text).map_or(Value::Wrong("broken text"), Value::Text),
        Some(b'n') => Value::Absent,
        Some(b't' | b'f') => Value::Wrong("true or false"),
        Some(b'[') => {
            let texts =
                |list: Vec<&RawValue>| list.into_iter().map(plain).collect::<Option<Vec<_>>>();
            let list = serde_json::from_str(text).ok().and_then(texts);
            list.map_or(Value::Wrong("a list of anything but texts"), Value::List)
        }
        Some(b'{') => {
            let pair = |(key, value): (String, &RawValue)| Some((key, plain(value)?));
            let pairs = serde_json::from_str::<Pairs<'_>>(text).ok();
            let pairs = pairs
                .and_then(|Pairs(pairs)| pairs.into_iter().map(pair).collect::<Option<Vec<_>>>());
            pairs.map_or(
                Value::Wrong("an object of anything but texts"),
                Value::Pairs,
            )
        }
        _ => Value::Number(text.to_owned()),
    }
}

/// A text or a number.
fn plain(raw: &RawValue) -> Option<String> {
    match cell_value(raw) {
        Value::Text(text) | Value::Number(text) => Some(text),
        _ => None,
    }
}

/// The keys of an object as they come, repeated ones too.
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

/// The text of a file.
pub(super) fn write(sheet: &Sheet) -> Result<Vec<u8>, std::io::Error> {
    let mut text = serde_json::to_vec_pretty(sheet)?;
    text.push(b'\n');
    Ok(text)
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (shape, columns) = (self.shape, self.shape.columns);
        serializer.collect_seq(self.rows.iter().map(|(row, nested)| Object {
            columns,
            row,
            nested,
            shape,
        }))
    }
}

/// A row with its keys in the order of the columns.
struct Object<'s> {
    columns: Columns,
    row: &'s [Value],
    nested: &'s [Vec<Value>],
    shape: &'static Shape,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for ((_, key), value) in self.columns.iter().zip(self.row) {
            if *value != Value::Absent {
                map.serialize_entry(key, value)?;
            }
        }
        if let Some(inner) = self
            .shape
            .nested
            .as_ref()
            .filter(|_| !self.nested.is_empty())
        {
            let object = |row| Object {
                columns: inner.columns,
                row,
                nested: &[],
                shape: self.shape,
            };
            let rows: Vec<Object<'_>> = self.nested.iter().map(|row| object(row)).collect();
            map.serialize_entry(inner.key, &rows)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::Wrong(_) => serializer.serialize_unit(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(digits) => match digits.parse::<u64>() {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_str(digits),
            },
            Self::List(list) => list.serialize(serializer),
            Self::Pairs(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for (key, value) in pairs {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
