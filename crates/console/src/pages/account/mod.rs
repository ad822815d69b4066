//! The operator's own account: preferences, password and sessions.

use askama::Template;
use pressline_backoffice::operator::{
    Paper, Preferences, PreferencesDraft, Session, SessionError, Theme, ZoneName,
};
use pressline_domain::check::Report;
use pressline_domain::value::SessionId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::access::Access::SignedIn;
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, Route, SignedInRequest,
    routes,
};

const PATH: &str = "/console/account";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    /// Values that the form shows: the saved preferences, or the sent values after an error.
    chosen: Fields,
    zones: Vec<String>,
    needs_current: bool,
    has_password: bool,
    sessions: Vec<Session>,
    /// Id of the session that sent the request. `sessions` contains this session too.
    this: SessionId,
    wrong_choice: Option<FormErrors>,
    wrong_password: Option<FormErrors>,
}

impl AccountPage {
    async fn new(visit: &SignedInRequest) -> Result<Self> {
        let signed_in = &visit.session.signed_in;
        let now = visit.services().clock.now();
        Ok(Self {
            frame: visit.frame(&["Account"])?,
            chosen: fields(&signed_in.preferences),
            zones: ZoneName::all(),
            needs_current: signed_in.needs_current_password(now),
            has_password: signed_in.has_password,
            sessions: visit.services().sessions.sessions(signed_in).await?,
            this: signed_in.session.id,
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

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    Reply::page(&AccountPage::new(&visit).await?)
}

pub(crate) async fn revoke_session(visit: SignedInRequest) -> Answer {
    let id: SessionId = visit
        .form()
        .get("session")
        .parse()
        .map_err(|_| no_such_session())?;
    let (sessions, client) = (&visit.services().sessions, visit.received.client());
    let signed_in = &visit.session.signed_in;
    if !sessions.revoke(signed_in, id, &client).await? {
        return Err(no_such_session());
    }
    Ok(Reply::done(PATH, "The session has ended."))
}

fn no_such_session() -> RequestError {
    RequestError::new(
        Code::NotFound,
        "you have no such session; it may have ended already",
    )
}

pub(crate) async fn set_password(visit: SignedInRequest) -> Answer {
    let form = visit.form();
    // Passwords are taken as typed, with their white space.
    let current = Some(form.get("current")).filter(|current| !current.is_empty());
    let client = visit.received.client();
    let sessions = &visit.services().sessions;
    let changed =
        sessions.set_password(&visit.session.signed_in, current, form.get("new"), &client);
    let Err(error) = changed.await else {
        return Ok(Reply::done(
            PATH,
            "The password is set. Your other sessions have ended.",
        ));
    };
    let errors = match field_of(&error) {
        Some(field) => FormErrors::of_field(field, error.to_string()),
        None => FormErrors::from_error(error)?,
    };
    let page = AccountPage {
        wrong_password: Some(errors),
        ..AccountPage::new(&visit).await?
    };
    Reply::form(&page, page.wrong_password.as_ref())
}

fn field_of(error: &SessionError) -> Option<&'static str> {
    match error {
        SessionError::Unfit(_) => Some("new"),
        SessionError::Denied | SessionError::CurrentNeeded => Some("current"),
        _ => None,
    }
}

pub(crate) async fn save(visit: SignedInRequest) -> Answer {
    let form = visit.form();
    let draft = PreferencesDraft {
        time_zone: form.text("timeZone"),
        paper: form.text("paper"),
        theme: form.text("theme"),
        // Browsers do not send a checkbox that is not ticked.
        sounds: form.flag("sounds"),
        keys: form.flag("keys"),
    };
    let mut report = Report::default();
    let signed_in = &visit.session.signed_in;
    let preferences = draft.change(&signed_in.preferences, &mut report);
    if !report.violations.is_empty() {
        let page = AccountPage {
            chosen: form.clone(),
            wrong_choice: Some(FormErrors::of_report(report)),
            ..AccountPage::new(&visit).await?
        };
        return Reply::form(&page, page.wrong_choice.as_ref());
    }
    let sessions = &visit.services().sessions;
    sessions.save_preferences(signed_in, &preferences).await?;
    Ok(Reply::done(PATH, "Saved."))
}

pub(super) fn fields(preferences: &Preferences) -> Fields {
    let texts = [
        ("timeZone", preferences.time_zone.as_str()),
        ("paper", preferences.paper.as_str()),
        ("theme", preferences.theme.as_str()),
    ];
    let flags = [("sounds", preferences.sounds), ("keys", preferences.keys)];
    let ticked = flags.into_iter().filter(|(_, is_on)| *is_on);
    Fields::new(
        texts
            .into_iter()
            .chain(ticked.map(|(name, _)| (name, "on"))),
    )
}

pub(crate) const ROUTES: &[Route] = &routes! {
    page: "/console/account", "Account", SignedIn => show;
    action: "/console/account", "Save", SignedIn => save;
    action: "/console/account/password", "Change password", SignedIn => set_password;
    action.confirmed: "/console/account/sessions/revoke", "End session", SignedIn => revoke_session;
};
