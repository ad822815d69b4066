//! Work that no request waits for.

use std::pin::Pin;

/// Boxes `future`, so that the code that spawns it is compiled only once.
pub(crate) fn in_background(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    actix_web::rt::spawn(future);
}
