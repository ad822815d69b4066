//! Authenticates the calls of operators. Their tokens are cached for seconds.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::operator::{
    AuthenticatedOperator, OperatorAuthenticator, OperatorDenied, OperatorDirectory, OperatorToken,
    SecretBytes, SecretSource, TokenText,
};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::runtime::Clock;
use pressline_domain::store::MAX_AGE;
use pressline_domain::value::{Timestamp, TokenId};
use pressline_kit::lock;
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::cache::same_error;
use crate::uses::WaitingUses;

/// Minimum time between the starts of two loads. A call with an unknown token waits for a load.
const LOAD_INTERVAL: Duration = Duration::from_millis(100);
/// Minimum time between the starts of two loads, as a multiple of the last load's duration. Unknown
/// tokens then keep the database busy for at most a tenth of the time, unless [`LONGEST_INTERVAL`]
/// limits the minimum time.
const LOADS_FIT: u32 = 10;
/// Maximum of the time that [`LOADS_FIT`] demands between the starts of two loads.
const LONGEST_INTERVAL: Duration = Duration::from_secs(1);

/// Authenticates tokens against the operators of a directory.
///
/// A print shop has few operators, so that all are loaded in one call, and unknown tokens need not
/// be cached. All are loaded again after [`MAX_AGE`], so that a revocation takes effect within
/// 5 s. They are also loaded again before a token is refused, so that a new token works
/// immediately. At most ten loads begin in a second, however many tokens are refused: calls wait
/// for the next load and share its result.
///
/// The age of the loaded tokens is measured with the monotonic clock.
pub struct TokenAuthenticator {
    directory: Arc<dyn OperatorDirectory>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Lock held during a load, so that concurrent calls wait for its result and do not load, too.
    loading: tokio::sync::Mutex<()>,
    uses: Arc<WaitingUses<dyn OperatorDirectory>>,
}

#[derive(Default)]
struct State {
    latest: Option<Arc<Tokens>>,
    /// Start and error of the latest failed load.
    failure: Option<(Instant, Arc<RepositoryError>)>,
    /// Earliest start of the next load; `None` before the first load.
    next_load: Option<Instant>,
    /// Minute of the last recorded use of each token.
    noted: HashMap<TokenId, Timestamp>,
}

struct Tokens {
    /// Time at which the load began. Changes made after it may be missing.
    loaded: Instant,
    known: HashMap<TokenId, TokenEntry>,
}

struct TokenEntry {
    token: OperatorToken,
    holder: Arc<AuthenticatedOperator>,
}

impl TokenAuthenticator {
    /// Returns an authenticator, and a future that writes the times of token uses, at most every
    /// [`WRITE_INTERVAL`](crate::WRITE_INTERVAL). Spawn the future as a task; it ends when the
    /// authenticator is dropped. Before that, call [`write_uses`](Self::write_uses).
    ///
    /// `clock` gives the time for checking whether a token has expired and for token uses.
    pub fn new(
        directory: Arc<dyn OperatorDirectory>,
        clock: Arc<dyn Clock>,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (uses, writes) = WaitingUses::new(Arc::clone(&directory));
        let authenticator = Self {
            directory,
            clock,
            state: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            uses,
        };
        (authenticator, writes)
    }

    /// Returns tokens from a load that began after `arrived`, or less than `age` before `arrived`.
    async fn tokens(
        &self,
        arrived: Instant,
        age: Duration,
    ) -> Result<Arc<Tokens>, RepositoryError> {
        if let Some(tokens) = self.fresh(arrived, age) {
            return Ok(tokens);
        }
        let _loading = self.loading.lock().await;
        // Another call may have loaded the tokens in the meantime, or failed to.
        if let Some(tokens) = self.fresh(arrived, age) {
            return Ok(tokens);
        }
        // Shares the failure of a load that began after this call arrived.
        if let Some((began, error)) = &lock(&self.state).failure
            && *began >= arrived
        {
            return Err(same_error(error));
        }
        let next_load = lock(&self.state).next_load;
        if let Some(next_load) = next_load {
            tokio::time::sleep_until(next_load).await;
        }
        self.load().await
    }

    fn fresh(&self, arrived: Instant, age: Duration) -> Option<Arc<Tokens>> {
        let latest = lock(&self.state).latest.clone();
        latest.filter(|tokens| tokens.loaded >= arrived || arrived - tokens.loaded < age)
    }

    async fn load(&self) -> Result<Arc<Tokens>, RepositoryError> {
        let loaded = Instant::now();
        let records = match self.directory.list().await {
            Ok(records) => records,
            Err(error) => {
                let error = Arc::new(error);
                let mut state = lock(&self.state);
                state.failure = Some((loaded, Arc::clone(&error)));
                state.next_load = Some(loaded + LOAD_INTERVAL);
                return Err(same_error(&error));
            }
        };
        let interval = (loaded.elapsed() * LOADS_FIT).clamp(LOAD_INTERVAL, LONGEST_INTERVAL);
        let mut known = HashMap::new();
        for record in records {
            for token in record.tokens {
                let holder = Arc::new(AuthenticatedOperator {
                    operator: record.operator.clone(),
                    token: token.id,
                });
                known.insert(token.id, TokenEntry { token, holder });
            }
        }
        let tokens = Arc::new(Tokens { loaded, known });
        let mut state = lock(&self.state);
        state.noted.retain(|id, _| tokens.known.contains_key(id));
        for (id, known) in &tokens.known {
            if let Some(used) = known.token.last_used_at {
                // Another server may have recorded a later use.
                let noted = state.noted.entry(*id).or_insert(used);
                *noted = used.max(*noted);
            }
        }
        state.next_load = Some(loaded + interval);
        state.latest = Some(Arc::clone(&tokens));
        Ok(tokens)
    }

    /// Records the use, at most once a minute. Never waits, even for a slow or read-only database.
    fn note_use(&self, token: TokenId, now: Timestamp) {
        let minute = now.start_of_minute();
        let mut state = lock(&self.state);
        let noted = state.noted.get(&token);
        if noted.is_some_and(|noted| *noted >= minute) {
            return;
        }
        state.noted.insert(token, minute);
        drop(state);
        self.uses.add(token, minute);
    }

    /// Writes the times of token uses that wait for the next write. If that fails, they are lost
    /// unless the authenticator is used further.
    pub async fn write_uses(&self) {
        self.uses.write().await;
    }
}

#[async_trait]
impl OperatorAuthenticator for TokenAuthenticator {
    async fn authenticate(
        &self,
        token: &str,
    ) -> Result<Arc<AuthenticatedOperator>, OperatorDenied> {
        let arrived = Instant::now();
        let Some(text) = TokenText::parse(token) else {
            return Err(OperatorDenied::Token(
                "the text does not have the form of a token",
            ));
        };
        let now = self.clock.now();
        let mut verdict = self.tokens(arrived, MAX_AGE).await?.judge(&text, now);
        if verdict.is_err() {
            // The token may be newer than the cached tokens.
            let newer = self.tokens(arrived, Duration::ZERO).await?;
            verdict = newer.judge(&text, now);
        }
        let holder = verdict.map_err(OperatorDenied::Token)?;
        self.note_use(holder.token, now);
        Ok(holder)
    }
}

impl Tokens {
    /// Returns the holder of the token. The error is the reason for a refusal, for the log.
    fn judge(
        &self,
        text: &TokenText,
        now: Timestamp,
    ) -> Result<Arc<AuthenticatedOperator>, &'static str> {
        let known = self
            .known
            .get(&text.id())
            .ok_or("no token has this id; it may have been revoked")?;
        let is_right = text
            .digest()
            .as_bytes()
            .ct_eq(known.token.digest.as_bytes());
        if !bool::from(is_right) {
            return Err("the secret of the token is wrong");
        }
        if known.token.is_expired(now) {
            return Err("the token has expired");
        }
        Ok(Arc::clone(&known.holder))
    }
}

impl fmt::Debug for TokenAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenAuthenticator").finish_non_exhaustive()
    }
}

/// Makes the secrets of tokens with the system's random number generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemSecrets;

impl SecretSource for SystemSecrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        let mut secret = SecretBytes::default();
        getrandom::fill(&mut *secret)?;
        Ok(secret)
    }
}
