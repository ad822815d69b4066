//! The operator's own account: what it has chosen, its password, and its sessions.

mod password;
mod preferences;
mod routes;
mod sessions;

use password::set_password;
use preferences::save;
pub(crate) use routes::ROUTES;
use sessions::revoke_session;

use askama::Template;
use pressline_domain::operator::{Paper, Theme, ZoneName};
use pressline_http::request_error::RequestError;

use crate::form::{ErrorList, Fields, FormErrors, Input, Select};
use crate::frame::Frame;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;
use sessions::SessionRow;

const PATH: &str = "/console/account";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    /// Stored preferences, or the form's values after an error.
    chosen: Fields,
    zones: Vec<String>,
    needs_current: bool,
    has_password: bool,
    sessions: Vec<SessionRow>,
    wrong_choice: Option<FormErrors>,
    wrong_password: Option<FormErrors>,
}

impl AccountPage {
    async fn of(visit: &Visit) -> Result<Self, RequestError> {
        let signed_in = &visit.session.signed_in;
        let now = visit.services().clock.now();
        Ok(Self {
            frame: visit.frame(&["Account"])?,
            chosen: preferences::fields(&signed_in.preferences),
            zones: ZoneName::all(),
            needs_current: signed_in.needs_current_password(now),
            has_password: signed_in.has_password,
            sessions: sessions::rows(visit).await?,
            wrong_choice: None,
            wrong_password: None,
        })
    }

    fn papers() -> [(&'static str, &'static str); 3] {
        Paper::ALL.map(|paper| {
            let label = match paper {
                Paper::A4 => "A4 (210 x 297 mm)",
                Paper::Letter => "Letter (8.5 x 11 in)",
                Paper::Label => "Label (4 x 6 in)",
            };
            (paper.as_str(), label)
        })
    }

    fn themes() -> [(&'static str, &'static str); 3] {
        Theme::ALL.map(|theme| {
            let label = match theme {
                Theme::Auto => "As the system is set",
                Theme::Light => "Light",
                Theme::Dark => "Dark",
            };
            (theme.as_str(), label)
        })
    }
}

pub(crate) async fn show(visit: Visit) -> Answer {
    Reply::page(&AccountPage::of(&visit).await?)
}
