//! Problems: the orders that need a decision, oldest first, with the forms that decide.

mod card;
mod count;
mod endpoint;
mod list;
mod routes;
mod settle;

pub(crate) use count::ProblemCounts;
pub(crate) use routes::ROUTES;

pub(crate) use list::draft;
use list::show;
use settle::{decide, resolve};

pub(crate) const PROBLEMS: &str = "/console/problems";
pub(crate) const KINDS: &str = "kinds";
