//! Checks that the role matrix in `golden/roles.md` is up to date; `UPDATE=1` rewrites it.

use std::fs;
use std::path::Path;

#[test]
fn the_matrix_of_roles_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/roles.md");
    let matrix = pressline_console::role_matrix();
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &matrix).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == matrix,
        "UPDATE=1 cargo test -p pressline-console --test golden rewrites roles.md"
    );
}
