//! Print files, as adapters of the back office's port `media`.
//!
//! [`ChildDecoder`] reads each file in a child process of its own, because files come from strangers
//! and decoders have defects. The child is this program with the argument [`COMMAND`]: call
//! [`run_child`] first in `main`, before settings are read. It limits its own processor time, memory,
//! files and system calls, reads the file from standard input and writes facts and images to
//! standard output. If it dies, the file is unreadable, and the service is not affected.

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
