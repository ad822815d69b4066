//! Columns of import and export files.

/// Column of a file: its name, and the kind of its cells.
///
/// Files pass through spreadsheets, which change identifiers without a word: a reader can only
/// refuse such a cell if the column says that it holds identifiers. Hence the constructors, instead
/// of a default: prefer [`identifier`](Self::identifier) for everything that is looked up or
/// compared, and use [`text`](Self::text) only for words that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name in the header, such as `tracking_number`.
    pub name: &'static str,
    /// Kind of the cells.
    pub content: CellContent,
    /// Whether an export leaves out the column if all cells of all such columns are blank. So a
    /// file of data that does not use them is as it was before these columns existed.
    pub is_optional: bool,
}

/// Kind of the cells of a column. It decides which cells a reader refuses as changed by a
/// spreadsheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellContent {
    /// Text that names something and is compared exactly, such as a SKU. Also a list of such texts.
    Identifier {
        /// Characters by which people group the digits of a correct value, such as the points in
        /// `415.555.0111`. A space stands for all kinds of spaces.
        grouping: &'static [char],
    },
    /// Words for people, such as a name or an address. Any text is correct.
    Text,
    /// Amount, number, date or word of a fixed list. Its parser refuses everything else.
    Value,
}

impl Column {
    /// Column of identifiers, or of lists of identifiers.
    pub const fn identifier(name: &'static str) -> Self {
        Self::grouped(name, &[])
    }

    /// Column of identifiers that people write in groups of digits, separated by `grouping`.
    pub const fn grouped(name: &'static str, grouping: &'static [char]) -> Self {
        Self {
            name,
            content: CellContent::Identifier { grouping },
            is_optional: false,
        }
    }

    /// Column of words for people.
    pub const fn text(name: &'static str) -> Self {
        Self {
            name,
            content: CellContent::Text,
            is_optional: false,
        }
    }

    /// Column of amounts, numbers, dates, or words of a fixed list.
    pub const fn value(name: &'static str) -> Self {
        Self {
            name,
            content: CellContent::Value,
            is_optional: false,
        }
    }

    /// Returns the column as an optional one. Optional columns come after all others.
    pub const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }
}
