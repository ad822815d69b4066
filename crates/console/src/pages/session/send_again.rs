//! Page that shows again a form that was not sent.

use askama::Template;

use crate::shell::Frame;
use crate::shell::form::carried::CarriedForm;

#[derive(Template)]
#[template(path = "send_again.html")]
pub(super) struct SendAgainPage<'a> {
    pub(super) frame: Frame,
    pub(super) reason: &'static str,
    pub(super) carried: &'a CarriedForm,
}
