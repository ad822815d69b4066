//! Outbound requests: which URLs the service calls, and which addresses it connects to.
//!
//! Stores and operators give URLs, such as those of webhooks. A [`UrlPolicy`] checks the text when it
//! is given, and each address when a request is made. The names in between are resolved by the adapter
//! that makes the request, which asks the policy about every address that it found. [`FileSource`] fetches the files
//! that stores name.

mod file;
mod host;
mod network;
mod policy;
mod registry;
mod target;
pub(crate) mod url;

pub use file::{FetchError, FileReader, FileSource};
pub use host::{Host, HostError};
pub use network::{Network, NetworkError};
pub use policy::{AddressRefused, UrlPolicy, UrlProblem};
pub use target::{Scheme, Target};
