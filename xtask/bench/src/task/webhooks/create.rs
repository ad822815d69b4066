//! New orders while ten endpoints are sent the events, while many calls wait for events, and without either.

use std::thread;
use std::time::Instant;

use serde_json::json;

use super::{OK, POLL_RATE, POLLS, Setup, begin, wait};
use crate::BenchError;
use crate::context::Context;
use crate::figures::{Round, Rounds, Spread};
use crate::goals::Goal;
use crate::load::Load;
use crate::report::{Table, median};
use crate::request::{Account, EVENTS, Orders};
use crate::task::create::orders;

/// What the server does besides creating orders.
#[derive(Debug, Clone, Copy)]
enum Besides {
    Nothing,
    /// It sends the events of the same store to ten endpoints.
    Sending,
    /// It has calls of another store that wait for events.
    Waiting,
}

const CANDIDATES: [Besides; 3] = [Besides::Nothing, Besides::Sending, Besides::Waiting];

/// What was measured of each of [`CANDIDATES`].
#[derive(Default)]
struct Measured {
    rounds: [Rounds; 3],
    /// Events that were sent each second while the orders were created.
    sent: Vec<f64>,
}

/// Measures, and adds the table and the figures of the goals to the report: those of sending and of waiting.
pub(super) fn run(
    context: &mut Context,
    setup: &Setup,
    goals: [Goal; 2],
) -> Result<(), BenchError> {
    let measured = measure(context, setup)?;
    let [plain, sending, waiting] = &measured.rounds;
    let (polls, sent) = (context.options.allowed(POLLS), Spread::of(measured.sent));
    let rows = [
        ("nothing else".to_owned(), plain),
        ("ten endpoints are sent the events".to_owned(), sending),
        (format!("{polls} calls wait for events"), waiting),
    ];
    let title = format!("create while …, {}", setup.name);
    context.report.tables.push(Table::of_rounds(title, rows));
    let notes = [
        format!("{} events a second were sent meanwhile", median(sent)),
        format!("{polls} calls"),
    ];
    for ((goal, rounds), note) in goals.into_iter().zip([sending, waiting]).zip(notes) {
        let ratio = rounds.ratio(plain, |round| round.rate);
        context.report.find(goal, ratio, note);
    }
    Ok(())
}

fn measure(context: &Context, setup: &Setup) -> Result<Measured, BenchError> {
    // Warms up connections and prepared statements; its figures do not count.
    for candidate in CANDIDATES {
        window(context, setup, candidate, &format!("WARM{candidate:?}"))?;
    }
    let mut measured = Measured::default();
    for round in context.rounds(&format!("create while …, {}", setup.name)) {
        let count = CANDIDATES.len();
        let turns = (0..count).map(|turn| (round + turn) % count);
        for at in turns {
            let (Some(candidate), Some(rounds)) = (CANDIDATES.get(at), measured.rounds.get_mut(at))
            else {
                continue;
            };
            let series = format!("R{round}{candidate:?}");
            let (done, sent) = window(context, setup, *candidate, &series)?;
            rounds.0.push(done);
            measured.sent.extend(sent);
        }
    }
    Ok(measured)
}

/// Measures one window. Returns how many events were sent each second, too, where they are sent.
fn window(
    context: &Context,
    setup: &Setup,
    candidate: Besides,
    series: &str,
) -> Result<(Round, Option<f64>), BenchError> {
    context.repeats.measure(|again| {
        context.cluster.settle()?;
        let series = format!("{series}{again}-");
        match candidate {
            Besides::Nothing => Ok((create(context, setup, &setup.plain, &series)?, None)),
            Besides::Sending => {
                let (round, sent) = sending(context, setup, &series)?;
                Ok((round, Some(sent)))
            }
            Besides::Waiting => Ok((waiting(context, setup, &series)?, None)),
        }
    })
}

/// Creates orders of a store.
fn create(
    context: &Context,
    setup: &Setup,
    account: &Account,
    series: &str,
) -> Result<Round, BenchError> {
    let samples = Orders::of_store(&context.samples, account);
    let work = orders(&setup.server, &samples, setup.connections);
    work.run(context, series, context.duration())
}

/// Creates orders of a store whose endpoints are sent the events. They are disabled between the windows, so that what was
/// not sent in time does not disturb the others.
fn sending(context: &Context, setup: &Setup, series: &str) -> Result<(Round, f64), BenchError> {
    let endpoints = &setup.heard;
    endpoints.enable_from_now(&setup.server)?;
    let before = endpoints.receiver.count();
    let round = create(context, setup, &endpoints.account, series)?;
    let sent = u32::try_from(endpoints.receiver.count() - before)?;
    endpoints.disable(&setup.server)?;
    Ok((round, f64::from(sent) * round.rate / round.operations))
}

/// Creates orders while calls of another store wait for events. They end by themselves: an event would let all of them read
/// at once.
fn waiting(context: &Context, setup: &Setup, series: &str) -> Result<Round, BenchError> {
    let (address, account) = (setup.server.address, &setup.quiet);
    let count = context.options.allowed(POLLS);
    let wait = wait(count, context.duration());
    let poll = json!({ "waitSeconds": wait.as_secs() }).to_string();
    let polls = vec![account.request(EVENTS, &poll); count];
    let polls = Load::once(address, count, wait, &polls).paced(POLL_RATE.into());
    let first = Instant::now();
    thread::scope(|scope| {
        let polls = scope.spawn(|| polls.run());
        thread::sleep(begin(count));
        let round = create(context, setup, &setup.plain, series)?;
        if first.elapsed() > wait {
            return Err("the calls that wait ended before the window".into());
        }
        let polls = polls.join();
        let polls = polls.map_err(|_| "the thread of the calls that wait panicked")?;
        polls?.all(OK)?;
        Ok(round)
    })
}
