//! `pressline events`: prints the events of a store.

use std::time::Duration;

use clap::{Args, Subcommand};
use pressline_domain::check::{Field, limits};
use pressline_domain::event::{EventBody, FeedDraft, FeedError};
use pressline_domain::order::OrderError;
use pressline_host::terminal::{escape_json, escape_lines};
use serde::Deserialize;

use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::{ConfiguredProgram, Services};
use crate::stdout::write_out;
use crate::store::{self, StoreName};

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Print the events of a store in order of sequence, one per line.
    Tail(EventsTail),
}

#[derive(Debug, Args)]
pub(crate) struct EventsTail {
    /// The store's id or prefix.
    store: StoreName,
    /// Only events with a higher sequence number; 0 starts at the first event.
    #[arg(long, default_value_t = 0, value_name = "SEQUENCE", value_parser = clap::value_parser!(i64).range(0..))]
    after: i64,
    /// Only events of the given types, such as order.created,order.cancelled.
    #[arg(long, value_delimiter = ',', value_name = "TYPES")]
    types: Vec<String>,
    /// Wait for more events, until the command is interrupted.
    #[arg(long)]
    follow: bool,
}

// Pause between two queries with `--follow`.
const INTERVAL: Duration = Duration::from_secs(1);

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: EventsCommand,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    match command {
        EventsCommand::Tail(tail) => print_events(&services, tail, output).await,
    }
}

async fn print_events(services: &Services, tail: EventsTail, output: &Output) -> Result {
    let store = store::find(services, &tail.store.0).await?;
    let events = &services.events;
    let types: Vec<_> = tail.types.into_iter().map(Field::Value).collect();
    // Text output does not show the order, so events need not contain it.
    let include = if output.json { "order" } else { "changes" };
    let draft = FeedDraft {
        after_sequence: tail.after.into(),
        limit: i64::from(limits::EVENTS_ON_PAGE).into(),
        types: types.into(),
        include: include.into(),
        ..FeedDraft::default()
    };
    // Warnings are about the name of an order, and this request names none.
    let (mut wanted, _) = events.check(&store, &draft).await.map_err(refused)?;
    loop {
        let page = events.read(store.id, &wanted).await.map_err(unreadable)?;
        for event in &page.events {
            if !print_event(event, output)? {
                return Ok(());
            }
        }
        wanted.after = page.next_after;
        // More events are stored: read the next page without a pause.
        if page.next_after < page.last_sequence {
            continue;
        }
        if !tail.follow {
            return Ok(());
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

#[derive(Deserialize)]
struct EventLine {
    /// Absent in test events.
    sequence: Option<u64>,
    timestamp: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventLineData,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventLineData {
    service_order_id: Option<String>,
    version: Option<u32>,
    endpoint_id: Option<String>,
    actor: String,
}

pub(super) fn event_line(event: &[u8], json: bool) -> Result<String> {
    if json {
        return Ok(escape_json(&String::from_utf8_lossy(event)).into_owned());
    }
    let shown: EventLine = serde_json::from_slice(event)
        .map_err(|error| CommandError::other("the event cannot be shown", error))?;
    Ok(escape_lines(&shown.line()).into_owned())
}

/// Returns false if the reader closed the output, as `head` does.
fn print_event(event: &EventBody, output: &Output) -> Result<bool> {
    let line = event_line(&event.json, output.json)? + "\n";
    write_out(line.as_bytes()).map_err(|error| CommandError::other("standard output", error))
}

impl EventLine {
    fn line(&self) -> String {
        let data = &self.data;
        let sequence = self
            .sequence
            .map_or_else(|| "test".to_owned(), |number| number.to_string());
        let (timestamp, kind) = (&self.timestamp, &self.kind);
        let (subject, actor) = (data.subject(), &data.actor);
        format!("{sequence:>8}  {timestamp}  {kind:<23}  {subject}  {actor}")
    }
}

impl EventLineData {
    fn subject(&self) -> String {
        match (&self.service_order_id, self.version, &self.endpoint_id) {
            (Some(order), Some(version), _) => format!("{order} version {version}"),
            (_, _, Some(endpoint)) => format!("webhook {endpoint}"),
            _ => String::new(),
        }
    }
}

/// Names the option `--after` in the message about a position above the last sequence.
fn unreadable(error: FeedError) -> CommandError {
    match error {
        FeedError::PositionAhead { .. } => CommandError::Usage(format!("--after: {error}")),
        FeedError::Repository(error) => error.into(),
        other => CommandError::other("the events cannot be read", other),
    }
}

/// Names the option `--types` in messages, because no other option can be invalid.
fn refused(error: OrderError) -> CommandError {
    match error {
        OrderError::Invalid { violations, .. } => {
            let problems: Vec<String> = violations
                .iter()
                .map(|problem| &problem.message)
                .map(|text| format!("--types: {text}"))
                .collect();
            CommandError::Usage(problems.join("\n"))
        }
        OrderError::Repository(error) => error.into(),
        other => CommandError::other("the events cannot be read", other),
    }
}
