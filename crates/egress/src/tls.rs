//! Trusted certificate authorities.

use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};
use webpki_roots::TLS_SERVER_ROOTS;

/// Certificate authorities that a [`Client`](crate::Client) trusts.
#[derive(Debug, Clone)]
pub struct Trust {
    roots: Arc<RootCertStore>,
}

/// Error of [`Trust::with`]: the text does not contain valid certificates.
#[derive(Debug, thiserror::Error)]
pub enum CaError {
    /// The text contains no certificate.
    #[error("it contains no certificate; write each one as PEM, from -----BEGIN CERTIFICATE-----")]
    Empty,
    /// A section of the text is not valid PEM.
    #[error("it is not PEM")]
    Pem(#[source] pem::Error),
    /// A certificate in the text cannot be used as a trusted authority.
    #[error("certificate {number} cannot be used")]
    Certificate {
        /// Position of the certificate in the text, from 1.
        number: usize,
        /// Reason why the certificate cannot be used.
        #[source]
        source: rustls::Error,
    },
}

impl Default for Trust {
    /// Returns the authorities that Mozilla trusts.
    fn default() -> Self {
        let public = TLS_SERVER_ROOTS.iter().cloned();
        Self {
            roots: Arc::new(public.collect()),
        }
    }
}

impl Trust {
    /// Returns the authorities that Mozilla trusts, together with the authorities in `pem`, such as
    /// the private authority of an internal network. `pem` contains certificates as text.
    ///
    /// # Errors
    /// Returns an error if `pem` contains no certificate, or an invalid certificate.
    pub fn with(pem: &[u8]) -> Result<Self, CaError> {
        let mut trust = Self::default();
        let roots = Arc::make_mut(&mut trust.roots);
        let mut number = 0;
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(CaError::Pem)?;
            number += 1;
            let added = roots.add(certificate);
            added.map_err(|source| CaError::Certificate { number, source })?;
        }
        if number == 0 {
            return Err(CaError::Empty);
        }
        Ok(trust)
    }

    pub(crate) fn connector(self) -> Result<TlsConnector, rustls::Error> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(self.roots)
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }
}
