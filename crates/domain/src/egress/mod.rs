//! Files that stores name by URLs, and how they are fetched.

mod file;

pub use file::{FetchError, FileReader, FileSource};
