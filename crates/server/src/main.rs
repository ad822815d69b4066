//! The server binary: it only wires.
fn main() {}
