//! The Fastify peer as a candidate.

use std::rc::Rc;

use super::orders;
use super::postgres::Names;
use crate::BenchError;
use crate::contest::Contest;
use crate::context::Context;
use crate::peer::Peer;
use crate::progress::say;
use crate::request::{Account, Orders};

/// Connections of the windows that compare sizes of its pools.
const CONNECTIONS: usize = 64;

/// Adds the peer without and with search words, where it can be installed.
pub(super) fn add(
    context: &Context,
    contest: &mut Contest,
    account: &Account,
    names: &Names,
) -> Result<(), BenchError> {
    // The smallest scale is for tests, which use no network.
    let Some(peer) = Peer::install(&context.options.output, context.options.tiny)? else {
        return Ok(());
    };
    let samples = Orders::of_store(&context.samples, account);
    for (words, name) in [(false, &names.fastify), (true, &names.fastify_words)] {
        let pool = best_pool(context, &peer, &samples, words)?;
        let server = Rc::new(peer.serve(context, account, words, pool)?);
        contest.add(name, orders(&server, &samples, names.connections));
    }
    Ok(())
}

/// The pool size with which the peer takes most orders.
fn best_pool(
    context: &Context,
    peer: &Peer,
    samples: &Orders,
    words: bool,
) -> Result<usize, BenchError> {
    let account = samples.accounts.first().ok_or("there is no store")?;
    let mut best = (0, 0.0);
    for pool in context.options.scale().pools.iter().copied() {
        let server = Rc::new(peer.serve(context, account, words, pool)?);
        let work = orders(&server, samples, context.options.allowed(CONNECTIONS));
        // The first run warms up the compiler of the JavaScript engine.
        work.run(context, &format!("WARM{pool}-"), context.duration())?;
        context.cluster.settle()?;
        let done = work.run(context, &format!("POOL{pool}-"), context.duration())?;
        if done.rate > best.1 {
            best = (pool, done.rate);
        }
    }
    say(&format!(
        "Fastify (search words: {words}) does best with pools of {} ({:.0} a second)",
        best.0, best.1
    ));
    Ok(best.0)
}
