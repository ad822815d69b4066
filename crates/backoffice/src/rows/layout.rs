//! Layouts of import and export files, and the values of their cells.

use super::column::Column;

/// Separator between the entries of a cell, such as `Standard|Express`.
pub const LIST_SEPARATOR: char = '|';

/// Kind of data to import or export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Variants with their print areas; columns `sku`, `name` and others.
    Variants,
    /// Price lists of the service and of stores.
    Prices,
    /// Zones and shipping rates.
    Shipping,
    /// Fee schedules of the service and of stores.
    Fees,
}

/// Layout of an import or export file: its columns, and options for reading it.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Columns, in the order of an export.
    pub columns: &'static [Column],
    /// Names of the columns that a header must have.
    pub required: &'static [&'static str],
    /// Separator between key and value in a cell of pairs, such as `size=M`.
    pub pair_separator: char,
    /// Layout of an entry's parts, such as a variant's print areas; `None` if it has no parts.
    pub nested: Option<Nested>,
    /// Columns that a header may name, although their cells are not read.
    pub ignored: &'static [&'static str],
}

/// Layout of the parts of an entry, such as a variant's print areas. In JSON, they are a list in
/// the entry; in CSV, each part has its own row.
#[derive(Debug, PartialEq, Eq)]
pub struct Nested {
    /// Key of the list in JSON, such as `areas`.
    pub name: &'static str,
    /// Prefix of the columns of parts in CSV, such as `area_`, so that they differ from columns of
    /// the entry. JSON keys do not have the prefix.
    pub prefix: &'static str,
    /// Columns of a part, in the order of an export.
    pub columns: &'static [Column],
}

impl Layout {
    pub(crate) const EMPTY: Self = Self {
        columns: &[],
        required: &[],
        pair_separator: '=',
        nested: None,
        ignored: &[],
    };

    /// Returns the columns of an entry or, if `nested` is `true`, of its parts.
    pub fn columns(&self, nested: bool) -> &'static [Column] {
        match &self.nested {
            Some(parts) if nested => parts.columns,
            _ if nested => &[],
            _ => self.columns,
        }
    }

    /// Returns the columns of a CSV row: first of the entry, then of a part.
    pub fn flat_columns(&self) -> impl Iterator<Item = &'static Column> + Clone + use<> {
        self.columns(false).iter().chain(self.columns(true))
    }

    /// Returns the names of the columns of a CSV row, for a header or a message.
    pub fn flat_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.flat_columns().map(|column| column.name)
    }
}

impl Content {
    /// Returns the file layout of this kind of data.
    pub fn layout(self) -> &'static Layout {
        match self {
            Self::Variants => &VARIANTS,
            Self::Prices => &PRICES,
            Self::Shipping => &SHIPPING,
            Self::Fees => &FEES,
        }
    }
}

const VARIANTS: Layout = Layout {
    columns: &[
        Column::identifier("sku"),
        Column::identifier("product"),
        Column::text("product_name"),
        Column::text("name"),
        Column::text("options"),
        Column::value("price"),
        Column::value("currency"),
        Column::identifier("ship_classes"),
        Column::value("weight_g"),
        Column::value("state"),
    ],
    required: &["sku", "name"],
    nested: Some(Nested {
        name: "areas",
        prefix: "area_",
        columns: &[
            Column::identifier("area_id"),
            Column::text("area_name"),
            Column::text("size"),
            Column::text("note"),
            Column::value("size_width"),
            Column::value("size_height"),
            Column::value("requirement"),
            Column::identifier("require_for"),
            Column::value("extra_fee"),
            Column::value("formats").optional(),
            Column::value("max_mb").optional(),
            Column::value("width_mm").optional(),
            Column::value("height_mm").optional(),
            Column::value("dpi").optional(),
            Column::value("min_dpi").optional(),
            Column::value("aspect_tolerance").optional(),
            Column::value("alpha").optional(),
            Column::value("colour").optional(),
            Column::value("bleed_mm").optional(),
        ],
    }),
    ..Layout::EMPTY
};

const PRICES: Layout = Layout {
    columns: &[
        Column::identifier("store"),
        Column::identifier("sku"),
        Column::value("price"),
        Column::value("currency"),
        Column::value("valid_from"),
    ],
    required: &["sku", "price", "valid_from"],
    ..Layout::EMPTY
};

const SHIPPING: Layout = Layout {
    columns: &[
        Column::identifier("zone"),
        Column::identifier("places"),
        Column::identifier("ship_class"),
        Column::value("currency"),
        Column::value("first_unit"),
        Column::value("further_unit"),
        Column::value("weight_steps"),
        Column::value("free_from"),
    ],
    required: &["zone", "places", "ship_class", "first_unit", "further_unit"],
    pair_separator: ':',
    ..Layout::EMPTY
};

const FEES: Layout = Layout {
    columns: &[
        Column::identifier("store"),
        Column::text("name"),
        Column::value("fee"),
        Column::value("amount"),
        Column::value("currency"),
        Column::value("per"),
        Column::value("orders"),
        Column::identifier("skus"),
        Column::identifier("zones"),
    ],
    required: &["name", "fee", "amount", "per"],
    ..Layout::EMPTY
};

/// Value of a cell, read from a table or from JSON.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// Blank cell.
    Absent,
    /// String. It may contain several entries, separated by [`LIST_SEPARATOR`].
    Text(String),
    /// Number, as written in the source, such as `5.20`.
    Number(String),
    /// List of strings, such as `["Standard", "Express"]` in JSON.
    List(Vec<String>),
    /// Key-value pairs, such as `{"size": "M"}` in JSON.
    Pairs(Vec<(String, String)>),
    /// Unacceptable value, described for messages, such as `a list of anything but texts`.
    Wrong(&'static str),
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Absent
        } else {
            Self::Text(text)
        }
    }

    pub(crate) fn number(number: u32) -> Self {
        // An import reads a blank number as 0.
        if number == 0 {
            Self::Absent
        } else {
            Self::Number(number.to_string())
        }
    }

    pub(crate) fn list(list: &[String]) -> Self {
        if list.is_empty() {
            Self::Absent
        } else {
            Self::List(list.to_vec())
        }
    }

    pub(crate) fn pairs(pairs: Vec<(String, String)>) -> Self {
        if pairs.is_empty() {
            Self::Absent
        } else {
            Self::Pairs(pairs)
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(list) => list.is_empty(),
            Self::Number(_) | Self::Pairs(_) | Self::Wrong(_) => false,
        }
    }
}
