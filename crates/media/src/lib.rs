//! Print files, as adapters of the back office's port `media`.
//!
//! [`ChildDecoder`] reads each file in a child process of its own, because files come from strangers
//! and decoders have defects. The child is this program with the argument [`COMMAND`]: call
//! [`run_child`] first in `main`, before settings are read. It limits its own processor time, memory,
//! files and system calls, reads the file from standard input and writes facts and images to
//! standard output. If it dies, the file is unreadable, and the service is not affected.
//!
//! ```no_run
//! use std::fs::File;
//! use std::process::ExitCode;
//!
//! use pressline_backoffice::media::FileDecoder;
//! use pressline_domain::media::FileHash;
//! use pressline_media::{Bounds, ChildDecoder, run_child};
//!
//! # async fn check() -> Result<(), Box<dyn std::error::Error>> {
//! let decoder = ChildDecoder::of_this_program(Bounds::default(), 2)?;
//! let hash = FileHash::new([0; 32]); // Computed while the file was stored.
//! let decoded = decoder.decode(File::open("front.png")?, hash).await?;
//! println!("{:?} x {:?}", decoded.facts.width, decoded.facts.height);
//! # Ok(())
//! # }
//!
//! fn main() -> ExitCode {
//!     // First: this process may be the child.
//!     if let Some(code) = run_child() {
//!         return code;
//!     }
//!     // Settings, runtime and the rest of the program follow.
//!     ExitCode::SUCCESS
//! }
//! ```

// Modules import only modules of the groups above them.
mod bounds;
mod exif;
mod format;
mod profile;

mod image;

mod answer;
mod decode;
mod limits;

mod child;

mod parent;

pub use bounds::Bounds;
pub use child::{COMMAND, run_child};
pub use parent::ChildDecoder;
