//! The connections that read, and one blocking hop over them.

use std::sync::{Arc, Mutex, PoisonError};

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{FairPermit, FairPermits, blocking};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use crate::SqliteConfig;
use crate::connection::{Opener, Purpose};
use crate::error::Failure;
use crate::time_limit::TimeLimit;
use crate::writer::is_broken;

/// Connections that read. A call holds a permit before it takes a thread, so that there are never
/// more blocked threads than connections, and those who wait are served in their order.
///
/// Searches need a second permit, of which there are fewer: however many stores search, connections
/// are left for authentication, pricing and replays.
pub(crate) struct Pool {
    opener: Arc<Opener>,
    permits: Arc<Semaphore>,
    searches: Arc<FairPermits>,
    idle: Mutex<Vec<Reader>>,
    config: SqliteConfig,
}

/// A connection that reads.
struct Reader {
    connection: SqliteConnection,
    limit: TimeLimit,
}

impl Pool {
    /// Connections that are opened when they are first needed.
    pub(crate) fn new(opener: &Arc<Opener>, config: &SqliteConfig) -> Self {
        Self {
            opener: Arc::clone(opener),
            permits: Arc::new(Semaphore::new(config.readers.min(Semaphore::MAX_PERMITS))),
            searches: FairPermits::new(config.searches),
            idle: Mutex::default(),
            config: config.clone(),
        }
    }

    /// Does work on a connection.
    pub(crate) async fn call<T, W>(self: &Arc<Self>, work: W) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        self.work(Instant::now() + self.config.pool_wait, None, work)
            .await
    }

    /// Does the work of a search on a connection, in the store's turn.
    pub(crate) async fn search<T, W>(
        self: &Arc<Self>,
        store: &str,
        work: W,
    ) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        let deadline = Instant::now() + self.config.pool_wait;
        let search = timeout_at(deadline, self.searches.acquire(store)).await;
        let search = search.map_err(|_| unavailable("too many searches are running"))?;
        self.work(deadline, Some(search), work).await
    }

    async fn work<T, W>(
        self: &Arc<Self>,
        deadline: Instant,
        search: Option<FairPermit>,
        work: W,
    ) -> Result<T, RepositoryError>
    where
        T: Send + 'static,
        W: FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    {
        let permits = Arc::clone(&self.permits);
        let permit = match timeout_at(deadline, permits.acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(closed)) => return Err(RepositoryError::Unavailable(closed.into())),
            Err(_) => return Err(unavailable("all connections are in use")),
        };
        let pool = Arc::clone(self);
        blocking(move || {
            let _permits = (permit, search);
            // The permit was there in time, and the thread was not.
            if Instant::now() > deadline {
                return Err(unavailable("all threads are in use"));
            }
            let mut reader = pool.reader()?;
            reader.limit.begin(pool.config.read_timeout);
            let result = work(&mut reader.connection);
            // A connection in an open or failed transaction is closed, as one is whose work
            // panicked.
            if !is_broken(&mut reader.connection) {
                pool.lock().push(reader);
            }
            Ok(result?)
        })
        .await
    }

    fn reader(&self) -> Result<Reader, RepositoryError> {
        if let Some(idle) = self.lock().pop() {
            return Ok(idle);
        }
        let mut connection = self.opener.open(Purpose::Read)?;
        let limit = TimeLimit::install(&mut connection).map_err(Failure::from)?;
        Ok(Reader { connection, limit })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unavailable(why: &'static str) -> RepositoryError {
    RepositoryError::Unavailable(why.into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use pressline_store_kit::StatementCounter;

    use super::*;

    /// A pool of two connections, one of which may search.
    fn pool(folder: &std::path::Path) -> Arc<Pool> {
        let config = SqliteConfig {
            readers: 2,
            searches: 1,
            ..SqliteConfig::default()
        };
        let opener = Opener::new(
            &folder.join("orders.db"),
            &config,
            StatementCounter::default(),
        )
        .unwrap();
        Arc::new(Pool::new(&Arc::new(opener), &config))
    }

    /// Work that says that it has begun, and goes on when the gate is opened.
    fn held() -> (
        impl FnOnce(&mut SqliteConnection) -> Result<(), Failure> + Send,
        Receiver<()>,
        Sender<()>,
    ) {
        let (begins, begun) = channel();
        let (gate, opened) = channel::<()>();
        let work = move |_: &mut SqliteConnection| {
            let _ = begins.send(());
            // An error says that the gate was dropped, which opens it as well.
            let _ = opened.recv();
            Ok(())
        };
        (work, begun, gate)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn searches_leave_connections_for_everything_else() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(folder.path());
        let (work, begun, gate) = held();
        let searching = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.search("a", work).await }
        });
        tokio::task::spawn_blocking(move || begun.recv().unwrap())
            .await
            .unwrap();
        // A search of another store waits for the one that runs; other calls do not.
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
        let (work, begun, gate) = held();
        let searching = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.search("a", work).await }
        });
        tokio::task::spawn_blocking(move || begun.recv().unwrap())
            .await
            .unwrap();
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

    /// The output of a future, if it has one already.
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
