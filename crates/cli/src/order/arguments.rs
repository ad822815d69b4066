//! The arguments of `pressline order`.

use clap::{Args, Subcommand};
use pressline_domain::value::time::{InvalidTimestamp, Timestamp};

use crate::store::arguments::StoreName;

#[derive(Debug, Subcommand)]
pub(crate) enum OrderCommand {
    /// List a store's orders, newest first.
    List(OrderList),
    /// Show an order.
    Show {
        /// The store's id or prefix.
        #[arg(long)]
        store: StoreName,
        /// The order's order_id, its service order id such as DEMO-17, or its id.
        order: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct OrderList {
    /// The store's id or prefix.
    #[arg(long)]
    pub(crate) store: StoreName,
    /// Search words, matched by prefix: ids, names, e-mail addresses, phone numbers, SKUs, items.
    pub(crate) words: Vec<String>,
    /// Only orders created at or after this time: a UTC date, or a time such as
    /// 2026-01-01T06:30:00Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<Timestamp>,
    /// Only orders created until this time, or until the end of this date.
    #[arg(long, value_name = "TIME", value_parser = end)]
    pub(crate) to: Option<Timestamp>,
    /// Number of orders to list, at most 100.
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub(crate) size: u32,
    /// Continue after the list that ended with this cursor. Use the same words and times.
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// Parses the value of `--to`, a time or a date. A date includes its whole day.
fn end(text: &str) -> Result<Timestamp, InvalidTimestamp> {
    const LAST_OF_DAY: i64 = 24 * 60 * 60 * 1000 - 1;
    let moment: Timestamp = text.parse()?;
    // A time is longer than its date.
    let is_date = text.len() == "2026-01-01".len();
    Ok(if is_date {
        Timestamp::from_millis(moment.as_millis() + LAST_OF_DAY)
    } else {
        moment
    })
}
