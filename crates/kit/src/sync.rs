//! Locks of data that stays valid if a thread panics.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `mutex`, even if another thread panicked while it held the lock.
///
/// Callers must complete each change of the data before they call code that can panic.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
