//! Packages of the workspace.

/// A package of the workspace, as far as the rules look at it.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// What its manifest says under `[package.metadata.pressline]`.
    pub(super) layer: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency that a manifest names.
#[derive(Debug, Clone)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// Whether only its tests, examples and benches use it.
    pub(super) dev: bool,
}
