//! The columns of what can be imported and exported.

/// Separates the entries of a cell that has several, such as `Standard|Express`.
pub const LIST_SEPARATOR: char = '|';

/// What can be imported and exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Variants with their print areas.
    Variants,
    /// Price lists: the service's, and those of stores.
    Prices,
    /// Zones and shipping rates.
    Shipping,
    /// Schedules of fees: the service's, and those of stores.
    Fees,
}

/// The columns of one kind of content.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// The columns, in the order in which they are written.
    pub columns: &'static [&'static str],
    /// The columns that every source with a header names.
    pub required: &'static [&'static str],
    /// Separates key and value in a cell of pairs, such as `size=M`.
    pub pair_separator: char,
    /// The parts that an entry has several of.
    pub nested: Option<Nested>,
    /// Columns that a header may have and whose cells are not read.
    pub ignored: &'static [&'static str],
    /// Whether a leading apostrophe before a formula character is removed: such cells come from exports for
    /// spreadsheets.
    pub is_marked: bool,
}

/// The parts that an entry has several of: a list in it, or one row each where rows are flat.
#[derive(Debug, PartialEq, Eq)]
pub struct Nested {
    /// The name of the list.
    pub name: &'static str,
    /// What flat rows put before those of its columns that would be ambiguous.
    pub prefix: &'static str,
    /// The columns of a part.
    pub columns: &'static [&'static str],
}

impl Layout {
    /// Returns the columns of an entry, or those of its parts.
    pub fn columns(&self, nested: bool) -> &'static [&'static str] {
        match &self.nested {
            Some(parts) if nested => parts.columns,
            _ if nested => &[],
            _ => self.columns,
        }
    }

    /// Returns all columns of a flat row: those of the entry, then those of a part.
    pub fn flat_columns(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.columns(false)
            .iter()
            .chain(self.columns(true))
            .copied()
    }
}

impl Content {
    /// Returns the columns.
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
        "sku",
        "product",
        "product_name",
        "name",
        "options",
        "price",
        "currency",
        "ship_classes",
        "weight_g",
        "state",
    ],
    required: &["sku", "name"],
    pair_separator: '=',
    nested: Some(Nested {
        name: "areas",
        prefix: "area_",
        columns: &[
            "area_id",
            "area_name",
            "size",
            "note",
            "size_width",
            "size_height",
            "requirement",
            "require_for",
            "extra_fee",
        ],
    }),
    ignored: &[],
    is_marked: false,
};

const PRICES: Layout = Layout {
    columns: &["store", "sku", "price", "currency", "valid_from"],
    required: &["sku", "price", "valid_from"],
    pair_separator: '=',
    nested: None,
    ignored: &[],
    is_marked: false,
};

const SHIPPING: Layout = Layout {
    columns: &[
        "zone",
        "places",
        "ship_class",
        "currency",
        "first_unit",
        "further_unit",
        "weight_steps",
        "free_from",
    ],
    required: &["zone", "places", "ship_class", "first_unit", "further_unit"],
    pair_separator: ':',
    nested: None,
    ignored: &[],
    is_marked: false,
};

const FEES: Layout = Layout {
    columns: &[
        "store", "name", "fee", "amount", "currency", "per", "orders", "skus", "zones",
    ],
    required: &["name", "fee", "amount", "per"],
    pair_separator: '=',
    nested: None,
    ignored: &[],
    is_marked: false,
};
