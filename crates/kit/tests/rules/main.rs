//! Table tests of the kit's rules.

#[cfg(test)]
mod url;
