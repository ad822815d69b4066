//! Hashes passwords with Argon2id on threads that may block, and estimates their strength.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc;
use argon2::{Argon2, PasswordHasher as _, PasswordVerifier};
use async_trait::async_trait;
use pressline_backoffice::operator::{
    HashingError, Password, PasswordHash, PasswordHasher, Strength,
};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use zxcvbn::zxcvbn;

/// Maximum number of concurrent password computations. Each takes 19 MiB of memory and, on a core
/// of the year 2020, about 20 ms.
const CONCURRENT_COMPUTATIONS: usize = 2;
/// Maximum time that a password computation waits while [`CONCURRENT_COMPUTATIONS`] computations run.
const PATIENCE: Duration = Duration::from_secs(2);

/// Hash that no known password has, with the parameters of [`Argon2::default`]. Compared if an
/// account has no password: the response then takes as long as for other accounts.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes passwords with Argon2id (RFC 9106): 19 MiB, 2 passes, 1 lane, as OWASP's password storage
/// cheat sheet recommends. Estimates the strength of their first 100 characters with `zxcvbn`.
pub struct Argon2Hasher {
    turns: Arc<Semaphore>,
}

impl Default for Argon2Hasher {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(CONCURRENT_COMPUTATIONS)),
        }
    }
}

impl Argon2Hasher {
    /// Returns [`HashingError::Busy`] if `work` cannot begin within [`PATIENCE`].
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashingError> + Send + 'static,
    ) -> Result<T, HashingError> {
        let turn = timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned())
            .await
            .map_err(|_| HashingError::Busy)?
            .map_err(failed)?;
        // The slot is held until the work ends, even if the caller has gone.
        let work = spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        work.await.map_err(failed)?
    }
}

#[async_trait]
impl PasswordHasher for Argon2Hasher {
    async fn strength(
        &self,
        password: &Password,
        known: &[&str],
    ) -> Result<Strength, HashingError> {
        let password = password.clone();
        let known: Vec<String> = known.iter().map(|text| (*text).to_owned()).collect();
        self.work(move || Ok(strength(&password, &known))).await
    }

    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError> {
        let password = password.clone();
        self.work(move || {
            let hashed = Argon2::default().hash_password(password.expose().as_bytes());
            let hash: phc::PasswordHash = hashed.map_err(failed)?;
            Ok(PasswordHash::new(hash.to_string()))
        })
        .await
    }

    async fn is_of(
        &self,
        hash: Option<&PasswordHash>,
        password: &Password,
    ) -> Result<bool, HashingError> {
        let password = password.clone();
        let is_real = hash.is_some();
        let hash_text = hash.map_or(DECOY, PasswordHash::as_str).to_owned();
        self.work(move || {
            let hash = phc::PasswordHash::new(&hash_text).map_err(failed)?;
            let compared = Argon2::default().verify_password(password.expose().as_bytes(), &hash);
            match compared {
                // Matching the decoy is not a match.
                Ok(()) => Ok(is_real),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(failed(error)),
            }
        })
        .await
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> HashingError {
    HashingError::Failed(Box::new(error))
}

/// Counts each text in `known`, and each word of it, as easy to guess.
fn strength(password: &Password, known: &[String]) -> Strength {
    let words = known.iter().flat_map(|text| text.split_whitespace());
    let known: Vec<&str> = known.iter().map(String::as_str).chain(words).collect();
    let estimate = zxcvbn(password.expose(), &known);
    let mut advice = Vec::new();
    if let Some(feedback) = estimate.feedback() {
        advice.extend(feedback.warning().map(|warning| warning.to_string()));
        advice.extend(feedback.suggestions().iter().map(ToString::to_string));
    }
    Strength {
        score: estimate.score().into(),
        advice: advice.join(" "),
    }
}

impl fmt::Debug for Argon2Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Argon2Hasher").finish_non_exhaustive()
    }
}
