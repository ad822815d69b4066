//! Frame around the content of every page: title, navigation, messages and footer.

mod error_page;

use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_backoffice::operator::{FormService, SignedIn, ZoneName};
use pressline_domain::value::Timestamp;
use pressline_http::request_error::{RequestError, chain};

use crate::shell::section::Section;
pub(crate) use error_page::error_pages;

use crate::shell::assets;
use crate::shell::console::Console;
use crate::shell::message::Message;
use crate::shell::result::Result;
use crate::shell::session::Session;
use crate::shell::time::When;

const PROGRAM: &str = "Pressline";

/// Frame of a page. The page's template extends `base.html` and has a field `frame`.
pub(crate) struct Frame {
    pub(crate) heading: String,
    pub(crate) title: String,
    pub(crate) user: Option<Arc<SignedIn>>,
    pub(crate) navigation: Vec<Link>,
    /// Label and path of a link shown instead of the navigation; `None` to show the navigation.
    pub(crate) way_out: Option<(&'static str, &'static str)>,
    pub(crate) message: Option<Message>,
    pub(crate) token: String,
    forms: Option<FormService>,
    /// Time zone of the operator; UTC on public pages.
    pub(crate) zone: ZoneName,
}

pub(crate) struct Link {
    pub(crate) label: &'static str,
    pub(crate) path: &'static str,
    pub(crate) is_current: bool,
    /// Number beside the label; `None` if it is 0 or unknown.
    pub(crate) count: Option<String>,
}

/// HTML before a page's content. As a separate template, it is compiled once, not for each page.
#[derive(Template)]
#[template(path = "frame/top.html")]
pub(crate) struct Top<'a> {
    frame: &'a Frame,
}

impl HtmlSafe for Top<'_> {}

#[derive(Template)]
#[template(path = "frame/bottom.html")]
pub(crate) struct Bottom<'a> {
    frame: &'a Frame,
}

impl HtmlSafe for Bottom<'_> {}

impl Frame {
    pub(crate) fn top(&self) -> Top<'_> {
        Top { frame: self }
    }

    pub(crate) fn bottom(&self) -> Bottom<'_> {
        Bottom { frame: self }
    }

    pub(crate) fn of_session(
        console: &Console,
        session: &Session,
        names: &[&str],
        section: Option<Section>,
    ) -> Result<Self> {
        let (operator, preferences) = (&session.signed_in.operator, &session.signed_in.preferences);
        // Fresh for each page, so that the size of the compressed page reveals no token (ADR 28).
        let mask = console
            .services
            .secrets
            .secret()
            .map_err(|error| RequestError::internal(chain(&*error)))?;
        let sections = Section::ALL
            .iter()
            .copied()
            .filter(|entry| console.pages.opens(operator, entry.path()));
        let links = sections.map(|entry| Link {
            label: entry.label(),
            path: entry.path(),
            is_current: section == Some(entry),
            count: match entry {
                Section::Problems => console.problems.shown(&console.services, operator),
                _ => None,
            },
        });
        Ok(Self {
            user: Some(session.signed_in.clone()),
            navigation: links.collect(),
            token: session.keys.token(operator.id, &mask),
            forms: Some(console.services.forms.clone()),
            zone: preferences.time_zone.clone(),
            ..Self::bare(names)
        })
    }

    pub(crate) fn bare(names: &[&str]) -> Self {
        let heading = names.first().copied().unwrap_or(PROGRAM);
        let parts = names.iter().copied().chain([PROGRAM]);
        Self {
            heading: heading.to_owned(),
            title: parts.collect::<Vec<_>>().join(" · "),
            user: None,
            navigation: Vec::new(),
            way_out: None,
            message: None,
            token: String::new(),
            forms: None,
            zone: ZoneName::default(),
        }
    }

    pub(crate) fn theme(&self) -> &'static str {
        let theme = self.user.as_ref().map(|user| user.preferences.theme);
        theme.unwrap_or_default().as_str()
    }

    /// Returns whether the operator may make the operator API's `call`; `false` on public pages.
    pub(crate) fn may(&self, call: &str) -> bool {
        let user = self.user.as_ref();
        user.is_some_and(|user| user.operator.may(call))
    }

    /// Returns a new form id, empty on public pages. Each form of a page needs its own id.
    pub(crate) fn once(&self) -> String {
        let forms = self.forms.as_ref();
        forms.map_or_else(String::new, |forms| forms.new_form().to_string())
    }

    pub(crate) fn when(&self, moment: &Timestamp) -> When {
        When::in_zone(*moment, &self.zone)
    }

    #[expect(clippy::unused_self, reason = "templates call it by the frame")]
    pub(crate) fn asset(&self, name: &str) -> &'static str {
        assets::path(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_names_the_page_and_what_it_belongs_to() {
        let frame = Frame::bare(&["SUN-1042", "Orders"]);
        assert_eq!(frame.title, "SUN-1042 · Orders · Pressline");
        assert_eq!(frame.heading, "SUN-1042");
    }
}
