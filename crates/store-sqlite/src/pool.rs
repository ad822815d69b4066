//! The connection pool for reads.

use std::fmt::Display;
use std::sync::{Arc, Mutex};

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::Result;
use pressline_kit::lock;
use pressline_store_kit::{CallPermit, CallPermits};

use crate::SqliteConfig;
use crate::connection::{Opener, Purpose, is_broken};
use crate::error::{Failure, repository};
use crate::time_limit::TimeLimit;

/// Connections are opened when a call first needs them, and kept for later calls.
pub(crate) struct Pool {
    opener: Arc<Opener>,
    permits: CallPermits,
    idle: Mutex<Vec<Reader>>,
    config: SqliteConfig,
}

struct Reader {
    connection: SqliteConnection,
    limit: TimeLimit,
}

impl Pool {
    pub(crate) fn new(opener: &Arc<Opener>, config: &SqliteConfig) -> Self {
        Self {
            opener: Arc::clone(opener),
            permits: CallPermits::new(config.readers, config.searches, config.pool_wait),
            idle: Mutex::default(),
            config: config.clone(),
        }
    }

    pub(crate) async fn call<T, W>(self: &Arc<Self>, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        self.work(self.permits.acquire().await?, work).await
    }

    /// Serves stores with waiting searches round-robin.
    pub(crate) async fn search<T, W>(
        self: &Arc<Self>,
        store: impl Display + Send,
        work: W,
    ) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        self.work(self.permits.acquire_search(&store.to_string()).await?, work)
            .await
    }

    async fn work<T, W>(self: &Arc<Self>, permit: CallPermit, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        let pool = Arc::clone(self);
        permit.run(move |_| pool.on_connection(work)).await
    }

    fn on_connection<T>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
    ) -> Result<T> {
        let mut reader = self.reader()?;
        reader.limit.begin(self.config.read_timeout);
        let result = work(&mut reader.connection);
        // A connection with an open or broken transaction is closed, as is a connection after a
        // panic of `work`.
        if !is_broken(&mut reader.connection) {
            lock(&self.idle).push(reader);
        }
        result.map_err(repository)
    }

    fn reader(&self) -> Result<Reader> {
        if let Some(idle) = lock(&self.idle).pop() {
            return Ok(idle);
        }
        let mut connection = self.opener.open(Purpose::Read)?;
        let limit =
            TimeLimit::install(&mut connection).map_err(|error| repository(error.into()))?;
        Ok(Reader { connection, limit })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use tokio::task::JoinHandle;

    use super::*;

    /// Returns a pool of two connections with a limit of 1 search.
    fn pool(folder: &std::path::Path) -> Arc<Pool> {
        let config = SqliteConfig {
            readers: 2,
            searches: 1,
            ..SqliteConfig::default()
        };
        let opener = Opener::new(&folder.join("orders.db"), &config, None).unwrap();
        Arc::new(Pool::new(&Arc::new(opener), &config))
    }

    /// Returns work that reports when it has started, and continues when the gate is opened.
    fn held() -> (
        impl FnOnce(&mut SqliteConnection) -> Result<(), Failure> + Send,
        Receiver<()>,
        Sender<()>,
    ) {
        let (begins, begun) = channel();
        let (gate, opened) = channel::<()>();
        let work = move |_: &mut SqliteConnection| {
            let _ = begins.send(());
            // An error means that the gate was dropped, which opens it, too.
            let _ = opened.recv();
            Ok(())
        };
        (work, begun, gate)
    }

    /// Starts a search of store `a`. Dropping the returned gate ends the search.
    async fn search_that_is_held(pool: &Arc<Pool>) -> (JoinHandle<Result<()>>, Sender<()>) {
        let (work, begun, gate) = held();
        let pool = Arc::clone(pool);
        let searching = tokio::spawn(async move { pool.search("a", work).await });
        tokio::task::spawn_blocking(move || begun.recv().unwrap())
            .await
            .unwrap();
        (searching, gate)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn searches_leave_connections_for_everything_else() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let (searching, gate) = search_that_is_held(&pool).await;
        // A search of another store waits for the running search; other calls do not.
        let mut waiting = Box::pin(pool.search("b", |_| Ok(2)));
        assert!(polled_once(&mut waiting).await.is_none());
        for _ in 0..3 {
            assert_eq!(pool.call(|_| Ok(1)).await.unwrap(), 1);
        }
        drop(gate);
        searching.await.unwrap().unwrap();
        assert_eq!(waiting.await.unwrap(), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_call_that_was_given_up_while_it_waited_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let (searching, gate) = search_that_is_held(&pool).await;
        let (starts, started) = channel();
        let mut given_up = Box::pin(pool.search("a", move |_| {
            let _ = starts.send(());
            Ok(())
        }));
        assert!(polled_once(&mut given_up).await.is_none());
        drop(given_up);
        drop(gate);
        searching.await.unwrap().unwrap();
        pool.search("a", |_| Ok(())).await.unwrap();
        assert!(started.try_recv().is_err());
    }

    /// Polls `future` once, and returns its output if it is ready.
    async fn polled_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(
            |context| match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
                std::task::Poll::Pending => std::task::Poll::Ready(None),
            },
        )
        .await
    }
}
