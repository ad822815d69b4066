//! A page of orders as a table that fits into 100 columns.

use pressline_domain::order::Order;
use pressline_domain::value::page::Page;
use pressline_host::terminal::escape;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const COLUMNS: [&str; 6] = [
    "NUMBER",
    "ORDER ID",
    "CREATED (UTC)",
    "SHIP TO",
    "UNITS",
    "TOTAL",
];

/// Maximum width of `ORDER ID` in screen cells. The table then usually fits into 100 cells.
const ORDER_ID: usize = 20;
const SHIP_TO: usize = 18;

/// Index in [`COLUMNS`] from which on the columns have numbers and are right-aligned.
const FIRST_NUMBER: usize = 4;

pub(super) fn text(page: &Page<Order>) -> String {
    if page.entries.is_empty() {
        return "No such orders.".to_owned();
    }
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    rows.extend(page.entries.iter().map(row));
    let mut widths = [0; COLUMNS.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let mut lines: Vec<String> = rows.iter().map(|row| line(row, &widths)).collect();
    if let Some(cursor) = &page.next_cursor {
        lines.push(format!(
            "\nMore orders follow; continue with\n  --cursor {cursor}"
        ));
    }
    lines.join("\n")
}

fn row(order: &Order) -> [String; COLUMNS.len()] {
    let parts = order.parts();
    // To the minute: 2026-01-01T06:30:00.000Z becomes 2026-01-01 06:30.
    let created = parts.created_at().to_string().replace('T', " ");
    let units = parts.items.iter().map(|item| u64::from(item.quantity));
    [
        order.service_order_id.to_string(),
        cut(&escape(&order.shown_order_id()), ORDER_ID),
        created.chars().take(16).collect(),
        cut(&escape(&recipient(order)), SHIP_TO),
        units.sum::<u64>().to_string(),
        parts.bill.total().display(parts.currency).to_string(),
    ]
}

fn recipient(order: &Order) -> String {
    let Some(address) = &order.parts().shipping_address else {
        // Only an order with a prepared label can have no address.
        return "(label)".to_owned();
    };
    let country = address.country_code.as_deref().unwrap_or_default();
    format!("{country} {}", address.recipient().unwrap_or_default())
        .trim()
        .to_owned()
}

/// Returns `text`, cut to `width` screen cells if it is longer. A cut text ends with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |letter: &char| {
        taken += letter.width().unwrap_or(0);
        taken < width
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    short
}

fn line(row: &[String; COLUMNS.len()], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
        let space = " ".repeat(width.saturating_sub(cell.width()));
        let (before, after) = if column < FIRST_NUMBER {
            ("", space.as_str())
        } else {
            (space.as_str(), "")
        };
        let gap = if column > 0 { "  " } else { "" };
        line.push_str(&format!("{gap}{before}{cell}{after}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_by_the_cells_that_they_take() {
        for (text, short) in [
            ("Ana Souza", "Ana Souza"),
            ("Ana Souza II", "Ana Souz…"),
            ("注文注文注文", "注文注文…"),
        ] {
            assert_eq!(cut(text, 9), short);
        }
    }
}
