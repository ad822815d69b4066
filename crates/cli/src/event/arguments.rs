//! The arguments of `pressline events`.

use clap::{Args, Subcommand};

use crate::store::arguments::StoreName;

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Print the events of a store in order of sequence, one per line.
    Tail(EventsTail),
}

#[derive(Debug, Args)]
pub(crate) struct EventsTail {
    /// The store's id or prefix.
    pub(crate) store: StoreName,
    /// Only events with a higher sequence number; 0 starts at the first event.
    #[arg(long, default_value_t = 0, value_name = "SEQUENCE", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) after: i64,
    /// Only events of the given types, such as order.created,order.cancelled.
    #[arg(long, value_delimiter = ',', value_name = "TYPES")]
    pub(crate) types: Vec<String>,
    /// Wait for more events, until the command is interrupted.
    #[arg(long)]
    pub(crate) follow: bool,
}
