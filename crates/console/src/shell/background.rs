//! Work that no request waits for.

use std::pin::Pin;

/// Spawns `future`. It is boxed, so that the code around it exists once.
pub(crate) fn in_background(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    actix_web::rt::spawn(future);
}
