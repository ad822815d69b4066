//! The console in a real browser: with scripts, without, and by the keyboard alone.

mod day;
mod desk;
mod driver;
mod hostile;
mod looks;
mod sessions;
mod shop;
mod shots;
