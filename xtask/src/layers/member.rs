//! Packages of the workspace.

#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// Value of `layer` under `[package.metadata.pressline]`.
    pub(super) layer: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
}

#[derive(Debug, Clone)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// Whether it is a dev-dependency.
    pub(super) dev: bool,
}
