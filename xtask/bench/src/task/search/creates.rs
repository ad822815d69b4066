//! New orders where very many are stored.

use super::{Instance, number_of};
use crate::BenchError;
use crate::contest::Contest;
use crate::context::Context;
use crate::goals::Goal;
use crate::request::Orders;
use crate::task::create::orders;

/// What the goal is about.
const CONNECTIONS: usize = 64;

/// Measures new orders of the hot store in the smallest and the largest database, and adds the
/// figures to the report.
pub(super) fn run(context: &mut Context, instances: &[Instance]) -> Result<(), BenchError> {
    let (Some(smallest), Some(largest)) = (instances.first(), instances.last()) else {
        return Ok(());
    };
    let name = |instance: &Instance| format!("{} orders stored", number_of(instance.filled.orders));
    let mut contest = Contest::default();
    for instance in [smallest, largest] {
        let samples = Orders::of_store(&context.samples, &instance.filled.hot.account);
        let connections = context.options.allowed(CONNECTIONS);
        let work = orders(&instance.server, &samples, connections);
        contest.add(name(instance), work);
    }
    contest.measure(context, "create, many orders stored")?;
    let title = format!("create, PostgreSQL, {CONNECTIONS} connections, by orders stored");
    context.report.tables.push(contest.table(&title));
    let ratio = contest
        .rounds_of(&name(largest))
        .zip(contest.rounds_of(&name(smallest)))
        .and_then(|(large, small)| large.ratio(small, |round| round.rate));
    let note = format!("{} : {}", name(largest), name(smallest));
    context.report.find(Goal::CreateLarge, ratio, note);
    Ok(())
}
