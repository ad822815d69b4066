//! Form that creates a store.

use askama::Template;

use super::draft::{draft, questions};
use super::keys::SecretPage;
use super::reached::{administered, path};
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, SignedInRequest,
};

#[derive(Template)]
#[template(path = "store/create.html")]
struct CreatePage {
    frame: Frame,
    questions: Vec<FormField>,
    errors: Option<FormErrors>,
}

impl CreatePage {
    fn new(visit: &SignedInRequest, fields: &Fields, errors: Option<FormErrors>) -> Result<Self> {
        let prefix = FormField::line("prefix", "Prefix", fields.get("prefix"))
            .hint("1 to 12 of A-Z and 0-9, with which order numbers begin; made from the name if empty")
            .errors(errors.as_ref());
        let is_test = fields.chooses("test", "on");
        let test = FormField::tick("test", "Test store: its orders are never made", is_test);
        let mut questions = questions(fields, errors.as_ref());
        questions.extend([prefix, test]);
        Ok(Self {
            frame: visit.frame(&["Create store", "Stores"])?,
            questions,
            errors,
        })
    }
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let fields = Fields::new([("currency", "USD")]);
    Reply::page(&CreatePage::new(&visit, &fields, None)?)
}

/// Creates the store, and shows its secret key. No other page shows this key.
pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let error = match administered(&visit).create(&draft(visit.form())).await {
        Ok(made) => {
            let store = path(made.record.store.id);
            let message = "The store was created by this form before. Its secret key was shown then, and is shown only \
                           once: rotate the key if it was not saved.";
            let page = SecretPage::new(&visit, &made)?;
            return Ok(Reply::page(&page)?.once(store, message));
        }
        Err(error) => error,
    };
    let page = CreatePage::new(&visit, visit.form(), Some(FormErrors::from_error(error)?))?;
    Reply::form(&page, page.errors.as_ref())
}
