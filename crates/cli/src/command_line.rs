//! `pressline completions` and `pressline man`, both generated from the clap command.

use std::path::Path;

use clap::Command;
use clap_complete::Shell;

use crate::error::{CommandError, Result};
use crate::output::print_line;

pub(super) fn completions(mut program: Command, shell: Shell) -> Result {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, "pressline", &mut text);
    print_line(&String::from_utf8_lossy(&text))
}

pub(super) fn manual(program: Command, folder: Option<&Path>) -> Result {
    let written = |error| CommandError::other("the manual pages cannot be written", error);
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(written)?;
        return clap_mangen::generate_to(program, folder).map_err(written);
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(program)
        .render(&mut text)
        .map_err(written)?;
    print_line(&String::from_utf8_lossy(&text))
}
