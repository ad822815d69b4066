//! Receivers with TLS.

use std::sync::Arc;

use pressline_egress::{CaError, Client, Trust};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::receiver::{Answers, Receiver, client, local, name_of, post, read_request};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/// Private CA of [`HOOKS`] and [`OTHER_NAME`]. `tls/make.sh` generates all certificates.
const AUTHORITY: &str = include_str!("../tls/trusted.pem");

type Certified = (&'static str, &'static str);

/// Valid for `hooks.example`, `bücher.example` and `127.0.0.1`.
const HOOKS: Certified = (
    include_str!("../tls/hooks.pem"),
    include_str!("../tls/hooks.key"),
);

const OTHER_NAME: Certified = (
    include_str!("../tls/other-name.pem"),
    include_str!("../tls/other-name.key"),
);

/// For `hooks.example`, signed by an untrusted CA.
const OTHER_AUTHORITY: Certified = (
    include_str!("../tls/other-authority.pem"),
    include_str!("../tls/other-authority.key"),
);

async fn receiver((certificate, key): Certified) -> Receiver {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()],
            PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap(),
        )
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let serve = move |stream: TcpStream| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                return;
            };
            while read_request(&mut stream).await.is_some() {
                let _ = stream.write_all(OK).await;
            }
        }
    };
    Receiver::serve(local(), serve).await
}

fn trusting_authority(receiver: &Receiver) -> Client {
    let answers = Answers::always(&[receiver.address.ip()]);
    let trust = Trust::with(AUTHORITY.as_bytes()).unwrap();
    Client::new(answers, trust).unwrap()
}

/// Posts to the receiver over TLS as `host`. Returns the status or the name of the error.
async fn post_securely(client: &Client, host: &str, receiver: &Receiver) -> String {
    let url = format!("https://{host}:{}/", receiver.port());
    name_of(&post(client, &url, &receiver.policy()).await)
}

#[tokio::test]
async fn a_trusted_certificate_for_the_name_is_accepted() {
    let receiver = receiver(HOOKS).await;
    let client = trusting_authority(&receiver);
    for host in [
        "hooks.example",
        "HOOKS.example.",
        "bücher.example",
        "127.0.0.1",
    ] {
        let result = post_securely(&client, host, &receiver).await;
        assert_eq!(result, "200", "{host}");
    }
}

#[tokio::test]
async fn a_certificate_of_another_name_or_authority_is_a_tls_error() {
    for certified in [OTHER_NAME, OTHER_AUTHORITY] {
        let receiver = receiver(certified).await;
        let client = trusting_authority(&receiver);
        let result = post_securely(&client, "hooks.example", &receiver).await;
        assert_eq!(result, "tls");
    }
}

#[tokio::test]
async fn a_private_authority_is_only_trusted_if_it_is_configured() {
    let receiver = receiver(HOOKS).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    let result = post_securely(&client, "hooks.example", &receiver).await;
    assert_eq!(result, "tls");
}

#[tokio::test]
async fn a_secure_connection_carries_several_requests() {
    let receiver = receiver(HOOKS).await;
    let client = trusting_authority(&receiver);
    for _ in 0..5 {
        let result = post_securely(&client, "hooks.example", &receiver).await;
        assert_eq!(result, "200");
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn a_receiver_without_tls_is_a_tls_error() {
    let serve = |mut stream: TcpStream| async move {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        read_request(&mut stream).await;
    };
    let plain = Receiver::serve(local(), serve).await;
    let client = client(Answers::always(&[plain.address.ip()]));
    let result = post_securely(&client, "hooks.example", &plain).await;
    assert_eq!(result, "tls");
}

#[tokio::test]
async fn a_connection_closed_during_the_handshake_is_an_error() {
    let receiver = Receiver::canary(local()).await;
    let client = client(Answers::always(&[receiver.address.ip()]));
    let result = post_securely(&client, "hooks.example", &receiver).await;
    assert_eq!(result, "closed");
}

#[test]
fn a_file_without_a_usable_certificate_is_refused_with_the_reason() {
    assert!(matches!(Trust::with(b""), Err(CaError::Empty)));
    assert!(matches!(Trust::with(b"certificate"), Err(CaError::Empty)));
    let broken = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
    assert!(matches!(
        Trust::with(broken.as_bytes()),
        Err(CaError::Pem(_))
    ));
    let other = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let refused = Trust::with(other.as_bytes()).unwrap_err();
    assert_eq!(refused.to_string(), "certificate 1 cannot be used");
}
