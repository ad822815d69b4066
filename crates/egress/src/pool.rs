//! Idle connections, kept for the next request to the same host and port.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pressline_kit::lock;
use pressline_kit::url::{Host, Scheme, Target};
use tokio::time::{Instant, sleep};

use crate::connection::Connection;

/// Minimum idle time of a connection that a sweep closes, and time between two sweeps.
const IDLE: Duration = Duration::from_secs(15);
/// Maximum number of idle connections to one receiver: a scheme, a host and a port.
const PER_RECEIVER: usize = 16;
/// Maximum number of idle connections to all receivers.
const ALL: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Receiver {
    scheme: Scheme,
    host: Host,
    port: u16,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

#[derive(Default)]
struct State {
    idle: HashMap<Receiver, Vec<Idle>>,
    count: usize,
    is_swept: bool,
}

#[derive(Default)]
pub(crate) struct Pool {
    state: Mutex<State>,
}

impl Pool {
    /// Takes the connection used last. The caller must pass only permitted `addresses`.
    pub(crate) fn take(&self, target: &Target, addresses: &[IpAddr]) -> Option<Connection> {
        let mut state = lock(&self.state);
        let receiver = receiver(target);
        let waiting = state.idle.get_mut(&receiver)?;
        let position = waiting.iter().rposition(|idle| {
            !idle.connection.is_closed() && addresses.contains(&idle.connection.address())
        })?;
        let idle = waiting.remove(position);
        if waiting.is_empty() {
            state.idle.remove(&receiver);
        }
        state.count = state.count.saturating_sub(1);
        Some(idle.connection)
    }

    pub(crate) fn keep(self: &Arc<Self>, target: &Target, connection: Connection) {
        let mut state = lock(&self.state);
        if state.count >= ALL {
            // Expired connections may still be counted.
            state.sweep();
        }
        if state.count >= ALL {
            return;
        }
        let waiting = state.idle.entry(receiver(target)).or_default();
        if waiting.len() >= PER_RECEIVER {
            return;
        }
        waiting.push(Idle {
            connection,
            since: Instant::now(),
        });
        state.count += 1;
        if !state.is_swept {
            // The task ends when no connection is idle, so that the next connection starts it
            // again.
            state.is_swept = true;
            drop(tokio::spawn(sweep(Arc::clone(self))));
        }
    }
}

impl State {
    fn sweep(&mut self) {
        for waiting in self.idle.values_mut() {
            waiting.retain(|idle| !idle.connection.is_closed() && idle.since.elapsed() < IDLE);
        }
        self.idle.retain(|_, waiting| !waiting.is_empty());
        self.count = self.idle.values().map(Vec::len).sum();
    }
}

async fn sweep(pool: Arc<Pool>) {
    loop {
        sleep(IDLE).await;
        let mut state = lock(&pool.state);
        state.sweep();
        if state.count == 0 {
            state.is_swept = false;
            return;
        }
    }
}

fn receiver(target: &Target) -> Receiver {
    Receiver {
        scheme: target.scheme(),
        host: target.host().clone(),
        port: target.port(),
    }
}
