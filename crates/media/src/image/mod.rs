//! Images that show a file: pixels are averaged while they arrive, and encoded in bounds.

mod cells;
mod light;

mod picture;
mod survey;

mod canvas;

mod encode;

pub(crate) use canvas::{Canvas, Layout};
pub(crate) use cells::to_usize;
pub(crate) use encode::encoded;
pub(crate) use light::to_byte;
pub(crate) use picture::Picture;
