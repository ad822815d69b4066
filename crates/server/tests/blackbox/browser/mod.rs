//! The console in a real browser: with scripts, without scripts, and by keyboard alone.

mod day;
mod decisions;
mod desk;
mod driver;
mod hostile;
mod long;
mod looks;
mod mistakes;
mod order_import;
mod packing;
mod production;
mod sessions;
mod shipping;
mod shop;
mod webdriver;
