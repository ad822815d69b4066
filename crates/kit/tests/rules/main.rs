//! Rules of the kit by tables of examples.

#[cfg(test)]
mod url;
