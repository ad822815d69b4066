//! The signer keeps what its port promises, the test vectors among it.

use std::process::ExitCode;
use std::sync::Arc;

use pressline_auth::HmacSigner;
use pressline_contract::{run, signer};
use pressline_domain::store::Signer;

fn main() -> ExitCode {
    let hmac: Arc<dyn Signer> = Arc::new(HmacSigner);
    run(signer("hmac", &hmac))
}
