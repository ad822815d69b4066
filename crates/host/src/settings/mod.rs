//! Settings from embedded defaults, a file and the environment. A [`Schema`] names the settings.

// Modules import only modules of the groups above them.
mod origin;
mod schema;

mod problem;
mod types;

mod keys;

mod sources;

pub use origin::{Origin, Origins};
pub use problem::{Problem, SettingsError};
pub use schema::Schema;
pub use sources::environment;
