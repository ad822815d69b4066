//! Files at URLs that stores gave, such as print files.

use async_trait::async_trait;

use pressline_domain::limits;

/// Fetches files from URLs that stores gave. Only addresses that the policy for URLs of stores permits are called.
#[async_trait]
pub trait FileSource: Send + Sync {
    /// Asks for a file, and returns it as soon as its response has begun.
    ///
    /// # Errors
    /// Why there is no file at this URL.
    async fn open(&self, url: &str) -> Result<Box<dyn FileReader>, FetchError>;
}

/// A file that is read piece by piece. What is not asked for is not read; dropping it ends the request.
#[async_trait]
pub trait FileReader: Send {
    /// Returns the media type that the host names.
    fn media_type(&self) -> Option<&str>;

    /// Returns the next piece, which is not empty; `None` at the end of the file.
    ///
    /// # Errors
    /// Why the file ends before its end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FetchError>;
}

/// Why a file could not be fetched, or not as a whole. `Display` is for the people who need the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The policy refuses the URL, or an address of its host.
    #[error(
        "the address is not permitted: it leads into a private network, or has an unusual port"
    )]
    AddressNotAllowed,
    /// The name of the host was not found.
    #[error("the name of the host was not found")]
    Dns,
    /// The host does not answer at this address.
    #[error("the host cannot be reached")]
    Connect,
    /// The connection is not secure.
    #[error("the connection is not secure: the certificate of the host is not valid")]
    Tls,
    /// The host sent nothing for too long.
    #[error("the host took too long")]
    Timeout,
    /// The connection ended too early.
    #[error("the host ended the connection")]
    Closed,
    /// What arrived is not a response.
    #[error("the host sent no valid response")]
    InvalidResponse,
    /// The address leads to another one, which is not followed.
    #[error("the address leads to another one (status {0}), which is not followed")]
    Redirect(u16),
    /// The response is not the one of a file.
    #[error("the host answered with the status {0}")]
    Status(u16),
    /// A page was sent, such as one that asks to sign in.
    #[error("the address shows a web page instead of a file")]
    Page,
    /// The file was compressed for the transfer, although that was not asked for.
    #[error("the host sent the file in another encoding")]
    Encoded,
    /// The response has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file has more than [`limits::PRINT_FILE`] bytes.
    #[error("the file is larger than {} MB", limits::PRINT_FILE / 1_000_000)]
    TooLarge,
}
