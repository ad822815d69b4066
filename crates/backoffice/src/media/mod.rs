//! Print files: reading them, and the images that show them.

mod fetch;
mod port;

pub use port::{DecodeError, Decoded, FileDecoder, FileImage, ImageFormat};
