//! The page of an import.

use askama::Template;
use pressline_domain::id::UploadId;
use pressline_http::request_error::RequestError;

use super::{Checked, Importer, LISTED, PreviewLine, Wrong};
use crate::form::{ErrorList, Fields, FormErrors, Question};
use crate::frame::Frame;
use crate::list::count_text;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "import/page.html")]
pub(super) struct ImportPage {
    frame: Frame,
    path: &'static str,
    back: &'static str,
    section: &'static str,
    hint: String,
    questions: Vec<Question>,
    /// Hidden fields.
    options: Vec<(String, String)>,
    errors: Option<FormErrors>,
    pub(super) preview: Option<Preview>,
}

pub(super) struct Preview {
    file: String,
    name: String,
    rows: usize,
    /// With thousands separators.
    rows_text: String,
    counts: Vec<String>,
    lines: Vec<PreviewLine>,
    has_more_lines: bool,
    /// At most [`LISTED`].
    problems: Vec<Wrong>,
    problem_count: String,
    has_more_problems: bool,
    warnings: Vec<Wrong>,
    errors_path: String,
}

impl ImportPage {
    pub(super) async fn of<I: Importer>(
        visit: &Visit,
        options: &Fields,
        errors: Option<FormErrors>,
    ) -> Result<Self, RequestError> {
        let questions = I::questions(visit, options).await?.into_iter();
        let pairs = options.iter();
        Ok(Self {
            frame: visit.frame(&[I::NAME, I::SECTION])?,
            path: I::PATH,
            back: I::DONE,
            section: I::SECTION,
            hint: I::hint(),
            questions: questions
                .map(|question| question.errors(errors.as_ref()))
                .collect(),
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
    pub(super) fn of(checked: Checked, (id, name): (UploadId, &str), errors_path: String) -> Self {
        let Checked {
            rows,
            counts,
            mut lines,
            mut problems,
            mut warnings,
        } = checked;
        let problem_count = count_text(problems.len() as u64);
        let (has_more_lines, has_more_problems) = (rows > lines.len(), problems.len() > LISTED);
        lines.truncate(LISTED);
        problems.truncate(LISTED);
        warnings.truncate(LISTED);
        Self {
            file: id.to_string(),
            name: name.to_owned(),
            rows,
            rows_text: count_text(rows as u64),
            counts,
            lines,
            has_more_lines,
            problems,
            problem_count,
            has_more_problems,
            warnings,
            errors_path,
        }
    }

    fn is_right(&self) -> bool {
        self.problems.is_empty() && self.rows > 0
    }
}
