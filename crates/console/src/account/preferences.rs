//! What an operator has chosen for the console.

use pressline_domain::operator::{Preferences, PreferencesDraft};
use pressline_domain::report::Report;

use super::{AccountPage, PATH};
use crate::form::{Fields, FormErrors};
use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

pub(crate) async fn save(visit: Visit) -> Answer {
    let form = visit.form();
    let draft = PreferencesDraft {
        time_zone: form.text("timeZone"),
        paper: form.text("paper"),
        theme: form.text("theme"),
        // A checkbox that is not ticked is not sent.
        sounds: form.flag("sounds"),
        keys: form.flag("keys"),
    };
    let mut report = Report::default();
    let signed_in = &visit.session.signed_in;
    let preferences = draft.change(&signed_in.preferences, &mut report);
    if !report.violations.is_empty() {
        let errors = FormErrors::of_report(report);
        let code = errors.code;
        let page = AccountPage {
            chosen: form.clone(),
            wrong_choice: Some(errors),
            ..AccountPage::of(&visit).await?
        };
        return Reply::refused(code, &page);
    }
    let sessions = &visit.services().sessions;
    sessions.save_preferences(signed_in, &preferences).await?;
    Ok(Reply::redirect(PATH).with_message(Message::status("Saved.")))
}

pub(super) fn fields(preferences: &Preferences) -> Fields {
    let texts = [
        ("timeZone", preferences.time_zone.as_str()),
        ("paper", preferences.paper.as_str()),
        ("theme", preferences.theme.as_str()),
    ];
    let flags = [("sounds", preferences.sounds), ("keys", preferences.keys)];
    let ticked = flags.into_iter().filter(|(_, is_on)| *is_on);
    Fields::of(
        texts
            .into_iter()
            .chain(ticked.map(|(name, _)| (name, "on"))),
    )
}
