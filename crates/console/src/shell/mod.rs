//! Shared parts of all pages: request, session, frame, forms, lists and replies.

pub(crate) mod access;
pub(crate) mod assets;
pub(crate) mod background;
pub(crate) mod console;
pub(crate) mod filter;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod message;
pub(crate) mod overviews;
pub(crate) mod paths;
pub(crate) mod problem_counts;
pub(crate) mod product_names;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod result;
pub(crate) mod route;
pub(crate) mod section;
pub(crate) mod services;
pub(crate) mod session;
pub(crate) mod status;
pub(crate) mod time;
pub(crate) mod view;

pub(crate) use access::Access;
pub(crate) use form::{CheckboxGroup, ErrorList, Fields, FormErrors, FormField};
pub(crate) use frame::Frame;
pub(crate) use list::{PageLinks, Paging, counted};
pub(crate) use message::Message;
pub(crate) use reply::Reply;
pub(crate) use request::SignedInRequest;
pub(crate) use result::Result;
pub(crate) use route::{Answer, Route, open, routes, signed};
pub(crate) use section::Section;
pub(crate) use time::When;
pub(crate) use view::Chip;
