//! The steps of an import: the page of the form, the check, the preview, the errors and the import.

use pressline_domain::id::UploadId;
use pressline_domain::limits;
use pressline_domain::operator::{Upload, UploadKey};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::page::{ImportPage, Preview};
use super::{Importer, Wrong};
use crate::form::multipart::{FILE, UploadedFile};
use crate::form::{Fields, FormErrors};
use crate::list;
use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

/// Maximum number of characters of a stored file name.
const NAME: usize = 100;

pub(crate) async fn show<I: Importer>(visit: Visit) -> Answer {
    let options = options::<I>(visit.query());
    if !visit.query().has(FILE) {
        return Reply::page(&ImportPage::of::<I>(&visit, &options, None).await?);
    }
    let (id, upload) = kept::<I>(&visit, visit.query()).await?;
    previewed::<I>(&visit, &options, (id, &upload)).await
}

pub(crate) async fn receive<I: Importer>(visit: Visit) -> Answer {
    let options = options::<I>(visit.form());
    let refused = match visit.file() {
        Some(file) if file.bytes.len() > limits::FILE => Some(format!(
            "has more than {} MiB; split it",
            limits::FILE / 1024 / 1024
        )),
        Some(file) if file.bytes.is_empty() => Some("is empty".to_owned()),
        Some(_) => None,
        None => Some("choose a file".to_owned()),
    };
    let (Some(file), None) = (visit.file(), &refused) else {
        let errors = FormErrors::of_field(FILE, refused.unwrap_or_default());
        let code = errors.code;
        let page = ImportPage::of::<I>(&visit, &options, Some(errors)).await?;
        return Reply::refused(code, &page);
    };
    let upload = Upload {
        kind: I::PATH.to_owned(),
        name: shown_name(file),
        bytes: file.bytes.clone(),
    };
    let uploads = &visit.services().uploads;
    let id = uploads.keep(visit.operator().id, &upload).await?;
    Ok(Reply::redirect(address::<I>(&options, id, "")))
}

async fn previewed<I: Importer>(
    visit: &Visit,
    options: &Fields,
    (id, upload): (UploadId, &Upload),
) -> Answer {
    let checked = match I::check(visit, options, &upload.bytes).await {
        Ok(checked) => checked,
        Err(error) => {
            let errors = FormErrors::of(error)?;
            let code = errors.code;
            let page = ImportPage::of::<I>(visit, options, Some(errors)).await?;
            return Reply::refused(code, &page);
        }
    };
    let mut page = ImportPage::of::<I>(visit, options, None).await?;
    let errors = address::<I>(options, id, "/errors.csv");
    page.preview = Some(Preview::of(checked, (id, &upload.name), errors));
    Reply::page(&page)
}

pub(crate) async fn errors<I: Importer>(visit: Visit) -> Answer {
    let (_, upload) = kept::<I>(&visit, visit.query()).await?;
    let checked = I::check(&visit, &options::<I>(visit.query()), &upload.bytes).await?;
    let rows = checked.problems.into_iter().map(row);
    list::csv("import-errors.csv", &["line", "column", "problem"], rows)
}

fn row(wrong: Wrong) -> Vec<String> {
    vec![wrong.line.to_string(), wrong.column, wrong.message]
}

/// Imports the file unless a row is wrong.
pub(crate) async fn run<I: Importer>(visit: Visit) -> Answer {
    let options = options::<I>(visit.form());
    let (id, upload) = kept::<I>(&visit, visit.form()).await?;
    let ran = match I::run(&visit, &options, &upload.bytes).await {
        Ok(ran) => ran,
        Err(error) => {
            let errors = FormErrors::of(error)?;
            let code = errors.code;
            let page = ImportPage::of::<I>(&visit, &options, Some(errors)).await?;
            return Reply::refused(code, &page);
        }
    };
    if !ran.problems.is_empty() {
        // The preview says what is wrong now.
        let text = format!("{} Some rows no longer fit: see below.", ran.text);
        let back = address::<I>(&options, id, "");
        return Ok(Reply::redirect(back).with_message(Message::alert(text)));
    }
    let key = key(&visit, id);
    visit.services().uploads.remove(key).await?;
    Ok(Reply::redirect(I::DONE).with_message(Message::status(ran.text)))
}

/// `not_found` if the operator has no such file of this kind.
async fn kept<I: Importer>(
    visit: &Visit,
    fields: &Fields,
) -> Result<(UploadId, Upload), RequestError> {
    let missing = || {
        let message = "the file is no longer kept; open the import again and choose it";
        RequestError::new(Code::NotFound, message)
    };
    let id = fields.get(FILE).parse().map_err(|_| missing())?;
    let found = visit.services().uploads.find(key(visit, id)).await?;
    let found = found.filter(|upload| upload.kind == I::PATH);
    Ok((id, found.ok_or_else(missing)?))
}

fn key(visit: &Visit, upload: UploadId) -> UploadKey {
    UploadKey {
        operator: visit.operator().id,
        upload,
    }
}

fn options<I: Importer>(fields: &Fields) -> Fields {
    let chosen = fields.iter().filter(|(name, value)| {
        let is_option = I::OPTIONS.contains(name);
        is_option && !value.trim().is_empty()
    });
    Fields::of(chosen)
}

fn address<I: Importer>(options: &Fields, id: UploadId, below: &str) -> String {
    let fields = options.clone().with(FILE, &id.to_string());
    fields.address(&format!("{}{below}", I::PATH))
}

fn shown_name(file: &UploadedFile) -> String {
    let shown = file.name.chars().filter(|c| !c.is_control());
    shown.take(NAME).collect()
}
