//! The load generator. In a closed loop, each keep-alive connection sends its next request after
//! its response. In an open loop, requests are due at fixed times, whatever the server does. One
//! thread serves all connections unless it would be the limit, so that it takes little CPU from the
//! server.

mod connection;
mod plan;
mod worker;

use std::collections::BTreeMap;
use std::thread;
use std::time::Instant;

use crate::error::BenchError;
use crate::figures::Latencies;
use crate::process;
use crate::repeat::WrongStatus;
pub(crate) use plan::Load;
use worker::Worker;

pub(crate) const OK: u16 = 200;

#[derive(Debug, Default)]
pub(crate) struct LoadResult {
    /// Time from the first request to the last response.
    pub(crate) seconds: f64,
    pub(crate) latencies: BTreeMap<u16, Latencies>,
    pub(crate) own_cpu: f64,
    pub(crate) threads: usize,
}

impl LoadResult {
    pub(crate) fn statuses(&self) -> BTreeMap<u16, usize> {
        let each = self.latencies.iter();
        each.map(|(status, latencies)| (*status, latencies.count()))
            .collect()
    }

    pub(crate) fn responses(&self) -> usize {
        self.latencies.values().map(Latencies::count).sum()
    }

    pub(crate) fn of(&self, status: u16) -> Latencies {
        self.latencies.get(&status).cloned().unwrap_or_default()
    }

    pub(crate) fn rate_of(&self, status: u16) -> f64 {
        self.of(status).count() as f64 / self.seconds
    }

    /// Share of the time in which each thread was busy, from 0 to 1.
    pub(crate) fn busy(&self) -> f64 {
        self.own_cpu / self.seconds / self.threads.max(1) as f64
    }

    /// # Errors
    /// [`WrongStatus`] if a response has another status than `status`, or if there is no response.
    pub(crate) fn all(self, status: u16) -> Result<Self, BenchError> {
        if self.responses() > 0 && self.latencies.keys().all(|given| *given == status) {
            return Ok(self);
        }
        Err(Box::new(WrongStatus {
            wanted: status,
            got: self.statuses(),
        }))
    }
}

impl Load<'_> {
    /// # Errors
    /// Returns an error if the server is unreachable or sends no valid response within
    /// [`connection::TIMEOUT`].
    pub(crate) fn run(&self) -> Result<LoadResult, BenchError> {
        let workers = (0..self.threads)
            .map(|number| Worker::open(self, number))
            .collect::<Result<Vec<Worker<'_>>, BenchError>>()?;
        let cpu = process::own_cpu()?;
        let begin = Instant::now();
        let parts = thread::scope(|scope| {
            let workers: Vec<_> = workers
                .into_iter()
                .map(|worker| scope.spawn(move || worker.run(begin)))
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().map_err(|_| "a thread of the load panicked")?)
                .collect::<Result<Vec<_>, BenchError>>()
        })?;
        let mut result = LoadResult {
            seconds: begin.elapsed().as_secs_f64(),
            own_cpu: process::own_cpu()? - cpu,
            threads: self.threads,
            ..LoadResult::default()
        };
        for (status, latencies) in parts.into_iter().flatten() {
            result
                .latencies
                .entry(status)
                .or_default()
                .append(latencies);
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Starts a server that answers `GET` requests with the status that their path names.
    fn server(connections: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for _ in 0..connections {
                let (mut stream, _) = listener.accept().unwrap();
                thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(count @ 1..) = stream.read(&mut bytes) {
                        let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                        let status = text.split(['/', ' ']).nth(2).unwrap().to_owned();
                        // Sent in two parts, as a network may deliver it.
                        write!(stream, "HTTP/1.1 {status} X\r\nContent-").unwrap();
                        write!(stream, "Length: 2\r\n\r\nok").unwrap();
                    }
                });
            }
        });
        address
    }

    #[test]
    fn latencies_of_an_open_loop_count_from_the_due_time() {
        // There are more requests than connections: the last requests wait, and their wait counts.
        let address = server(1);
        let requests = [crate::request::get("/200")];
        let load = Load::once(address, 1, Duration::from_millis(20), &requests);
        let result = load.repeated().paced(1_000.0).run().unwrap();
        assert_eq!(result.responses(), 20);
        assert!(result.of(200).percentile(100) > 20.0);
    }

    #[test]
    fn two_threads_send_each_request_once_and_count_the_answers() {
        let requests: Vec<_> = (0..50)
            .map(|i| crate::request::get(if i % 5 == 0 { "/404" } else { "/200" }))
            .collect();
        let address = server(3);
        let load = Load::once(address, 3, Duration::from_secs(20), &requests);
        let result = load.by_threads(2).run().unwrap();
        assert_eq!(result.statuses(), BTreeMap::from([(200, 40), (404, 10)]));
        assert!(result.of(200).percentile(1) > 0.0);
        assert!(result.all(200).is_err());
    }
}
