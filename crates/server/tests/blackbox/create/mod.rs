//! Creating orders of both kinds: responses, fees, warnings, and the same order again.

mod findings;
mod label;
mod repeats;
mod response;
mod stores;
