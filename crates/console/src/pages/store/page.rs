//! Page of a store.

use askama::Template;
use pressline_domain::store::{Store, StoreRecord};

use super::checklist::{self, CheckRow};
use super::draft::{draft, fields, questions};
use super::list;
use super::reached::{administered, id, load, path, which};
use crate::pages::system;
use crate::shell::{
    Answer, Chip, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, SignedInRequest,
};

/// Maximum number of changes to the store that the page lists if the sent form is outdated.
const CHANGES: usize = 5;

#[derive(Template)]
#[template(path = "store/page.html")]
pub(super) struct StorePage {
    frame: Frame,
    path: String,
    record: StoreRecord,
    chips: Vec<Chip>,
    checklist: Vec<CheckRow>,
    questions: Vec<FormField>,
    pub(super) errors: Option<FormErrors>,
    /// Labels and stored values of the settings that differ from the values in the sent form, if
    /// the form is outdated; otherwise empty.
    differing: Vec<(String, String)>,
    meanwhile: Vec<String>,
}

impl StorePage {
    async fn new(
        visit: &SignedInRequest,
        record: &StoreRecord,
        shown: &Fields,
        errors: Option<FormErrors>,
    ) -> Result<Self> {
        let store = &record.store;
        let list = visit.services().checklist.of(record).await?;
        Ok(Self {
            frame: visit.frame(&[&store.name, "Stores"])?,
            path: path(store.id),
            chips: list::chips(store),
            checklist: checklist::rows(&list, store, visit).into(),
            questions: questions(shown, errors.as_ref()),
            record: record.clone(),
            errors,
            differing: Vec::new(),
            meanwhile: Vec::new(),
        })
    }

    pub(super) async fn with_errors(
        visit: &SignedInRequest,
        record: &StoreRecord,
        errors: FormErrors,
    ) -> Result<Self> {
        let is_outdated = FormErrors::is_outdated(Some(&errors));
        let page = Self::new(visit, record, visit.form(), Some(errors)).await?;
        if !is_outdated {
            return Ok(page);
        }
        Ok(Self {
            differing: differing(&record.store, visit.form()),
            meanwhile: system::changes_of(visit, &record.store.id.to_string(), CHANGES).await?,
            ..page
        })
    }
}

fn differing(store: &Store, typed: &Fields) -> Vec<(String, String)> {
    let present = fields(store);
    let asked = questions(typed, None).into_iter();
    let values = asked.map(|question| {
        let (name, label) = question.into_name_and_label();
        (label, present.get(&name).trim(), typed.get(&name).trim())
    });
    let differing = values.filter(|(_, present, typed)| present != typed);
    let shown = differing.map(|(label, present, _)| (label, shown(present).to_owned()));
    shown.collect()
}

fn shown(value: &str) -> &str {
    if value.is_empty() { "not set" } else { value }
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let record = load(&visit).await?;
    let fields = fields(&record.store);
    Reply::page(&StorePage::new(&visit, &record, &fields, None).await?)
}

pub(crate) async fn save(visit: SignedInRequest) -> Answer {
    let (id, draft) = (id(&visit)?, draft(visit.form()));
    let saved = administered(&visit).set(&which(id), &draft).await;
    let Err(error) = saved else {
        return Ok(Reply::done(path(id), "Saved. It takes effect within 5 s."));
    };
    let errors = FormErrors::from_error(error)?;
    let page = StorePage::with_errors(&visit, &load(&visit).await?, errors).await?;
    Reply::form(&page, page.errors.as_ref())
}

pub(crate) async fn set_enabled(visit: SignedInRequest, is_enabled: bool) -> Answer {
    let id = id(&visit)?;
    let stores = administered(&visit);
    stores.set_enabled(&which(id), is_enabled).await?;
    let message = if is_enabled {
        "The store is enabled."
    } else {
        "The store is disabled: within 5 s its calls are refused. Its orders stay as they are."
    };
    Ok(Reply::done(path(id), message))
}
