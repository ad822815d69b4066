//! Conversion of fetch errors to the reasons of the file check.

use pressline_domain::media::NotFetched;

use crate::file_source::FetchError;

impl From<FetchError> for NotFetched {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::AddressNotAllowed => Self::AddressNotAllowed,
            FetchError::Dns => Self::UnknownHost,
            FetchError::Connect => Self::NoConnection,
            FetchError::Tls => Self::NotSecure,
            FetchError::Timeout => Self::TooSlow,
            FetchError::Closed => Self::Interrupted,
            FetchError::InvalidResponse | FetchError::Encoded => Self::InvalidResponse,
            FetchError::Redirect(_) => Self::Redirect,
            FetchError::Status(status) => Self::Status(status),
            FetchError::Page => Self::WebPage,
            FetchError::Empty => Self::Empty,
            FetchError::TooLarge => Self::TooLarge,
        }
    }
}
