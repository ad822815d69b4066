//! Runs the contract of the signer's port, including the test vectors.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_auth::HmacSigner;
use pressline_contract::{run, signer};
use pressline_domain::store::Signer;

fn main() -> ExitCode {
    let hmac: Arc<dyn Signer> = Arc::new(HmacSigner);
    run(signer("hmac", &hmac))
}
