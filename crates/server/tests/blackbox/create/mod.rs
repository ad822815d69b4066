//! Creating orders of both kinds: responses, fees, warnings, and repeated requests.

mod findings;
mod label;
mod repeats;
mod response;
mod stores;
