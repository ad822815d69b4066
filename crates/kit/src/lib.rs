//! What every layer may use and no business rule decides: JSON text, words for searches, nearest
//! names, control characters, and the lists of countries and subdivisions.

pub mod geo;
pub mod json;
pub mod nearest;
pub mod text;
pub mod words;
