//! The example of the README, included here so that it compiles and runs.

#[test]
fn the_readme_ends_with_the_example() {
    let example = include_str!("../../examples/embed.rs");
    let (_, code) = example.split_once("\n\n").unwrap_or_default();
    let readme = include_str!("../../README.md");
    let ending = format!("```rust\n{code}```\n");
    assert!(
        readme.ends_with(&ending),
        "put the code of examples/embed.rs at the end of README.md"
    );
}
