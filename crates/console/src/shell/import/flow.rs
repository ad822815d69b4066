//! Steps of an import: form, check, preview, errors and import.

use askama::Template;
use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::limits;
use pressline_backoffice::operator::{Upload, UploadKey};
use pressline_domain::value::UploadId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::importer::{ImportRequest, Imported, Importer, MAX_LINES, Wrong};
use crate::shell::form::multipart::{FILE, UploadedFile};
use crate::shell::form::{ErrorList, Fields, FormErrors, FormField, with_errors};
use crate::shell::frame::Frame;
use crate::shell::list;
use crate::shell::list::counted;
use crate::shell::message::Message;
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::result::Result;
use crate::shell::route::Answer;
use crate::shell::view::plain;

/// Maximum length of an uploaded file's name, in characters. A longer name is cut.
const NAME: usize = 100;

pub(crate) async fn show(visit: SignedInRequest, importer: &Importer) -> Answer {
    let options = options(importer, visit.query());
    if !visit.query().has(FILE) {
        return Reply::page(&ImportPage::new(&visit, importer, &options, None).await?);
    }
    let (id, upload) = kept(&visit, importer, visit.query()).await?;
    previewed(&visit, importer, &options, (id, upload)).await
}

pub(crate) async fn receive(visit: SignedInRequest, importer: &Importer) -> Answer {
    let options = options(importer, visit.form());
    let problem = match visit.file() {
        // The bounds of the body leave room for other fields, so the file is checked here.
        Some(file) if file.bytes.len() > limits::FILE => Some(format!(
            "has more than {} MiB; split it",
            limits::FILE / 1024 / 1024
        )),
        Some(file) if file.bytes.is_empty() => Some("is empty".to_owned()),
        Some(_) => None,
        None => Some("choose a file".to_owned()),
    };
    let (Some(file), None) = (visit.file(), &problem) else {
        let errors = FormErrors::of_field(FILE, problem.unwrap_or_default());
        return refused(&visit, importer, &options, errors).await;
    };
    let upload = Upload {
        kind: importer.path.to_owned(),
        name: shown_name(file),
        bytes: file.bytes.clone(),
    };
    let uploads = &visit.services().uploads;
    let id = uploads.keep(visit.operator().id, &upload).await?;
    // A redirect, so that reloading the preview does not send the file again.
    Ok(Reply::redirect(address(importer, &options, id, "")))
}

async fn refused(
    visit: &SignedInRequest,
    importer: &Importer,
    options: &Fields,
    errors: FormErrors,
) -> Answer {
    let page = ImportPage::new(visit, importer, options, Some(errors)).await?;
    Reply::form(&page, page.errors.as_ref())
}

async fn previewed(
    visit: &SignedInRequest,
    importer: &Importer,
    options: &Fields,
    (id, upload): (UploadId, Upload),
) -> Answer {
    let checking = imported(visit, importer, options, Mode::DryRun, upload.bytes);
    let checked = match checking.await {
        Ok(checked) => checked,
        Err(error) => {
            return refused(visit, importer, options, FormErrors::from_error(error)?).await;
        }
    };
    let mut page = ImportPage::new(visit, importer, options, None).await?;
    let errors = address(importer, options, id, "/errors.csv");
    page.preview = Some(Preview::new(checked, (id, &upload.name), errors));
    Reply::page(&page)
}

async fn imported(
    visit: &SignedInRequest,
    importer: &Importer,
    options: &Fields,
    mode: Mode,
    bytes: Vec<u8>,
) -> Result<Imported> {
    let request = ImportRequest {
        visit,
        options,
        bytes: bytes.into(),
        mode,
    };
    (importer.import)(request).await
}

pub(crate) async fn errors(visit: SignedInRequest, importer: &Importer) -> Answer {
    let (_, upload) = kept(&visit, importer, visit.query()).await?;
    let options = options(importer, visit.query());
    let checked = imported(&visit, importer, &options, Mode::DryRun, upload.bytes).await?;
    let rows = checked.problems.into_iter().map(row);
    list::csv("import-errors.csv", "line,column,problem", rows)
}

fn row(wrong: Wrong) -> Vec<String> {
    vec![wrong.line.to_string(), wrong.column, wrong.message]
}

/// Imports nothing if a row is invalid.
pub(crate) async fn run(visit: SignedInRequest, importer: &Importer) -> Answer {
    let options = options(importer, visit.form());
    let (id, upload) = kept(&visit, importer, visit.form()).await?;
    let running = imported(&visit, importer, &options, Mode::Apply, upload.bytes);
    let ran = match running.await {
        Ok(ran) => ran,
        Err(error) => {
            return refused(&visit, importer, &options, FormErrors::from_error(error)?).await;
        }
    };
    if !ran.problems.is_empty() {
        // The preview shows the new problems.
        let text = format!("{} Some rows no longer fit: see below.", ran.done);
        let back = address(importer, &options, id, "");
        return Ok(Reply::redirect(back).with_message(Message::alert(text)));
    }
    // Removed only after the import, so that a failed import can be repeated.
    let key = key(&visit, id);
    visit.services().uploads.files.remove_upload(key).await?;
    Ok(Reply::redirect(importer.done).with_message(Message::status(ran.done)))
}

/// Returns `not_found` if the operator has no upload for `importer` with the id in `fields`.
async fn kept(
    visit: &SignedInRequest,
    importer: &Importer,
    fields: &Fields,
) -> Result<(UploadId, Upload)> {
    let missing = || {
        let message = "the file is no longer kept; open the import again and choose it";
        RequestError::new(Code::NotFound, message)
    };
    let id = fields.get(FILE).parse().map_err(|_| missing())?;
    let upload = visit
        .services()
        .uploads
        .files
        .upload(key(visit, id))
        .await?;
    // The id may name a file of another import.
    Ok((
        id,
        upload
            .filter(|upload| upload.kind == importer.path)
            .ok_or_else(missing)?,
    ))
}

fn key(visit: &SignedInRequest, upload: UploadId) -> UploadKey {
    UploadKey {
        operator: visit.operator().id,
        upload,
    }
}

fn options(importer: &Importer, fields: &Fields) -> Fields {
    // The form also has the session's token, which must not get into the preview's URL.
    let chosen = fields.iter().filter(|(name, value)| {
        let is_option = importer.options.contains(name);
        is_option && !value.trim().is_empty()
    });
    Fields::new(chosen)
}

fn address(importer: &Importer, options: &Fields, id: UploadId, below: &str) -> String {
    let fields = options.clone().with(FILE, &id.to_string());
    fields.address(&format!("{}{below}", importer.path))
}

fn shown_name(file: &UploadedFile) -> String {
    // The name comes from the sender's computer, and is shown on pages.
    let shown = file.name.chars().filter(|c| !c.is_control());
    shown.take(NAME).collect()
}

#[derive(Template)]
#[template(path = "import/page.html")]
pub(super) struct ImportPage {
    frame: Frame,
    path: &'static str,
    back: &'static str,
    section: &'static str,
    hint: String,
    questions: Vec<FormField>,
    options: Vec<(String, String)>,
    pub(super) errors: Option<FormErrors>,
    pub(super) preview: Option<Preview>,
}

pub(super) struct Preview {
    file: UploadId,
    name: String,
    /// Result of the dry run. Lines, problems and warnings are cut to [`MAX_LINES`] entries each.
    checked: Imported,
    has_more_lines: bool,
    /// Number of problems, including problems that are not listed.
    problem_count: usize,
    errors_path: String,
}

impl ImportPage {
    pub(super) async fn new(
        visit: &SignedInRequest,
        importer: &Importer,
        options: &Fields,
        errors: Option<FormErrors>,
    ) -> Result<Self> {
        let questions = (importer.questions)(visit, options).await?;
        let pairs = options.iter();
        Ok(Self {
            frame: visit.frame(&[importer.name, importer.section])?,
            path: importer.path,
            back: importer.done,
            section: importer.section,
            hint: (importer.hint)(),
            questions: with_errors(questions, errors.as_ref()),
            options: pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            errors,
            preview: None,
        })
    }

    fn file_problems(&self) -> Vec<&str> {
        let errors = self.errors.iter();
        errors.flat_map(|errors| errors.about("file")).collect()
    }
}

impl Preview {
    pub(super) fn new(
        mut checked: Imported,
        (file, name): (UploadId, &str),
        errors_path: String,
    ) -> Self {
        let Imported {
            rows,
            lines,
            problems,
            warnings,
            ..
        } = &mut checked;
        if *rows == 0 && problems.is_empty() {
            problems.push(Wrong {
                line: 1,
                column: String::new(),
                message: "the file has no rows below its header".to_owned(),
            });
        }
        let (problem_count, has_more_lines) = (problems.len(), *rows > lines.len());
        lines.truncate(MAX_LINES);
        problems.truncate(MAX_LINES);
        warnings.truncate(MAX_LINES);
        for wrong in problems.iter_mut().chain(warnings) {
            wrong.message = plain(&wrong.message);
        }
        Self {
            file,
            name: name.to_owned(),
            checked,
            has_more_lines,
            problem_count,
            errors_path,
        }
    }

    fn is_right(&self) -> bool {
        self.problem_count == 0 && self.checked.rows > 0
    }
}
