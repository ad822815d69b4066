//! Resolution of host names. All addresses of a name are checked.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_kit::lock;
use pressline_kit::url::{Host, Target, UrlPolicy};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use crate::error::{EgressError, elapsed};

/// Time for which the resolved addresses of a name stay in the cache, to save look-ups if a host
/// gets many requests. This is safe, because every request checks the addresses against its policy.
const FRESH: Duration = Duration::from_secs(5);
/// Maximum number of names with cached addresses.
const NAMES: usize = 1000;
/// Maximum number of concurrent look-ups by the system. Each look-up occupies a thread until it
/// ends, even if its caller no longer waits.
const LOOKUPS: usize = 32;

/// Source of the IP addresses of host names.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// Returns all addresses of the ASCII `name`, in the order in which to try them.
    ///
    /// # Errors
    /// Returns an error if the name has no address, or the look-up fails.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver, `getaddrinfo`, with at most 32 concurrent look-ups.
#[derive(Debug)]
pub struct SystemResolver {
    lookups: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self {
            lookups: Arc::new(Semaphore::new(LOOKUPS)),
        }
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let permit = Arc::clone(&self.lookups)
            .acquire_owned()
            .await
            .map_err(io::Error::other)?;
        let name = name.to_owned();
        let lookup = spawn_blocking(move || {
            let result = (name.as_str(), 0).to_socket_addrs();
            // Held until the thread is free, even if the caller has given up.
            drop(permit);
            result.map(|addresses| addresses.map(|address| address.ip()).collect())
        });
        lookup.await.map_err(io::Error::other)?
    }
}

/// Time at which the look-up of a name began, and its addresses; empty until it succeeds.
type Entry = Arc<OnceCell<(Instant, Arc<[IpAddr]>)>>;

pub(crate) struct Names {
    resolver: Arc<dyn Resolver>,
    entries: Mutex<HashMap<String, Entry>>,
}

impl Names {
    pub(crate) fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self {
            resolver,
            entries: Mutex::default(),
        }
    }

    /// Returns at least one address, each permitted by `policy`. A look-up must end at `until`.
    pub(crate) async fn addresses(
        &self,
        target: &Target,
        policy: &UrlPolicy,
        until: Instant,
    ) -> Result<Arc<[IpAddr]>, EgressError> {
        let addresses = match target.host() {
            // Needs no look-up. The policy is checked below, as for names.
            Host::Address(address) => Arc::from([*address]),
            host if host.is_localhost() => policy.loopback().collect(),
            Host::Name(name) => self.resolve(&ascii(name)?, until).await?,
        };
        for address in addresses.iter() {
            let checked = policy.check_address(*address);
            checked.map_err(|refused| EgressError::AddressNotAllowed(refused.into()))?;
        }
        if addresses.is_empty() {
            return Err(EgressError::Dns("the name has no address".into()));
        }
        Ok(addresses)
    }

    /// Takes fresh addresses from the cache. Concurrent calls for the ASCII `name` share a look-up.
    async fn resolve(&self, name: &str, until: Instant) -> Result<Arc<[IpAddr]>, EgressError> {
        let entry = self.entry(name);
        let lookup = async || -> io::Result<(Instant, Arc<[IpAddr]>)> {
            let began = Instant::now();
            Ok((began, self.resolver.resolve(name).await?.into()))
        };
        let began = Instant::now();
        match timeout_at(until, entry.get_or_try_init(lookup)).await {
            Ok(Ok((_, addresses))) => Ok(Arc::clone(addresses)),
            Ok(Err(error)) => Err(EgressError::Dns(error.into())),
            Err(_) => Err(EgressError::Dns(elapsed(
                "resolving the name",
                began.elapsed(),
            ))),
        }
    }

    fn entry(&self, name: &str) -> Entry {
        let mut entries = lock(&self.entries);
        if entries.len() >= NAMES {
            entries.retain(|_, entry| is_fresh(entry));
        }
        // Still full: this name is not cached.
        if entries.len() >= NAMES && !entries.contains_key(name) {
            return Entry::default();
        }
        let entry = entries.entry(name.to_owned()).or_default();
        if !is_fresh(entry) {
            *entry = Entry::default();
        }
        Arc::clone(entry)
    }
}

/// Returns whether the addresses are fresh, or a look-up in progress holds a clone of `entry`. An
/// empty `entry` without a clone is left from a failed look-up.
fn is_fresh(entry: &Entry) -> bool {
    match entry.get() {
        Some((began, _)) => began.elapsed() < FRESH,
        None => Arc::strong_count(entry) > 1,
    }
}

pub(crate) fn ascii(name: &str) -> Result<String, EgressError> {
    if name.is_ascii() {
        return Ok(name.to_owned());
    }
    let ascii = idna::domain_to_ascii_cow(name.as_bytes(), idna::AsciiDenyList::URL)
        .map_err(|error| EgressError::Dns(error.into()))?;
    // This mapping is more exact than the policy's: it may turn a name into an address, which was
    // not checked.
    match ascii.parse() {
        Ok(Host::Name(name)) if name == *ascii => Ok(name),
        _ => Err(EgressError::Dns(
            format!("`{name}` is not the name of a host").into(),
        )),
    }
}
