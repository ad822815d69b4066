//! Pages of the feed at the first and at the latest events of the hot store.

use serde_json::{Value, json};

use super::{Instance, measure, number_of};
use crate::BenchError;
use crate::context::Context;
use crate::figures::{Rounds, Spread};
use crate::goals::Goal;
use crate::http;
use crate::report::Table;
use crate::request::EVENTS;

/// Events on a page, as many as there may be.
const PAGE: u64 = 500;
/// Times that a page is requested in a round.
const REPEATS: usize = 20;

/// Measures, and adds the table and the figure of the goal to the report.
pub(super) fn run(context: &mut Context, instance: &Instance) -> Result<(), BenchError> {
    let account = &instance.filled.hot.account;
    let request = |after: u64| {
        let body = json!({ "afterSequence": after, "limit": PAGE });
        account.request(EVENTS, &body.to_string())
    };
    let page = http::call(instance.server.address, &request(0))?;
    let page = page.ok()?.json()?;
    let last = page.get("lastSequence").and_then(Value::as_u64);
    let last = last.ok_or("a page of events names no last sequence")?;
    let latest = last.saturating_sub(PAGE);
    let mut pages = [0, latest].map(|after| (vec![request(after); REPEATS], Rounds::default()));
    for round in context.rounds("feed") {
        if round % 2 == 1 {
            pages.reverse();
        }
        for (requests, rounds) in &mut pages {
            rounds.0.push(measure(context, &instance.server, requests)?);
        }
        if round % 2 == 1 {
            pages.reverse();
        }
    }
    let [(_, first), (_, latest)] = &pages;
    let names = ["the first", "the latest"].map(|which| format!("{which} {PAGE} of {last}"));
    let table = Table::of_rounds("pages of events", names.into_iter().zip([first, latest]));
    let times = |rounds: &Rounds| rounds.each(|round| round.p50.unwrap_or_default());
    let ratio = Spread::of_ratios(&times(latest), &times(first));
    let note = format!("{} events of the store", number_of(last));
    context.report.tables.push(table);
    context.report.find(Goal::FeedDepth, ratio, note);
    Ok(())
}
