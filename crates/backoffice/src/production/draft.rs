//! Unchecked requests of production, and their validation.

use std::collections::BTreeMap;

use super::batch::BatchNumber;
use super::code::ItemCode;
use super::steps::{StepName, Steps};
use crate::fields::{number, required, valid};
use pressline_domain::check::{Field, IssueCode, Path, Report, Warning, flag, limits, text};
use pressline_domain::value::page::{CursorKey, ListDigest, PageDraft, Window};

/// Unchecked request to record units as done at a step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordDraft {
    /// Code of the item, such as `SUN-1042-1`.
    pub item_code: Field<String>,
    /// Name of the step at which the units are done.
    pub step: Field<String>,
    /// Number of units to record as done; if absent, all units that wait at `step`.
    pub units: Field<i64>,
    /// Idempotency key of the caller, up to [`crate::limits::ONCE`] characters; may be absent.
    pub once: Field<String>,
}

/// Unchecked request to record misprinted units.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MisprintDraft {
    /// Code of the item, such as `SUN-1042-1`.
    pub item_code: Field<String>,
    /// Number of misprinted units; required.
    pub units: Field<i64>,
    /// Description of the cause of the misprint, for people; required.
    pub reason: Field<String>,
    /// Idempotency key of the caller, up to [`crate::limits::ONCE`] characters; may be absent.
    pub once: Field<String>,
}

/// Unchecked request to create a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchDraft {
    /// Codes of the items to batch: 1 to [`crate::limits::BATCH_ITEMS`], without repetitions.
    pub items: Field<Vec<Field<String>>>,
    /// Name of the batch for people; may be absent.
    pub name: Field<String>,
}

/// Unchecked request that names a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchNameDraft {
    /// Number of the batch, such as `BATCH-12` or `12`.
    pub batch: Field<String>,
}

/// Unchecked search for batches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchesDraft {
    /// `true` to find only open batches, `false` to find only closed batches; absent to find both.
    pub open: Field<bool>,
    /// Page size and cursor; page numbers are refused.
    pub paging: PageDraft,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Work {
    /// `step` is the index of the step. `units` is `None` for all units that wait at the step.
    Done {
        step: usize,
        name: StepName,
        units: Option<u32>,
    },
    Misprint {
        units: u32,
        reason: String,
    },
}

#[derive(Debug, Clone)]
pub(super) struct ValidRecord {
    pub(super) code: ItemCode,
    pub(super) work: Work,
    pub(super) once: Option<String>,
    pub(super) warnings: Vec<Warning>,
}

impl RecordDraft {
    pub(super) fn check(&self, steps: &Steps) -> Result<ValidRecord, Report> {
        let mut report = Report::default();
        let code = item_code(&self.item_code, &mut report);
        let step = self.step(steps, &mut report);
        let units = units(&self.units, &mut report);
        let once = once(&self.once, &mut report);
        let work = step.map(|(step, name)| Work::Done { step, name, units });
        valid_record(code.zip(work), once, report)
    }

    fn step(&self, steps: &Steps, report: &mut Report) -> Option<(usize, StepName)> {
        let path = Path::Root.key("step");
        let step = self.step.demand(&path, "a step of production", report);
        step.read(&path, report)?;
        let given = step.text()?;
        let position = steps.position(given);
        let position_and_name = position.and_then(|at| Some((at, steps.names().get(at)?.clone())));
        if position_and_name.is_none() {
            let message = format!("not one of {steps}");
            report.violation(&path, IssueCode::InvalidFormat, message);
        }
        position_and_name
    }
}

impl MisprintDraft {
    pub(super) fn check(&self) -> Result<ValidRecord, Report> {
        let mut report = Report::default();
        let code = item_code(&self.item_code, &mut report);
        if self.units.is_absent() {
            report.required(&Path::Root.key("units"), "how many units");
        }
        let units = units(&self.units, &mut report);
        let path = Path::Root.key("reason");
        let reason_field = self.reason.demand(&path, "why, in words", &mut report);
        let reason = text(reason_field, &path, &mut report);
        let once = once(&self.once, &mut report);
        let work = units
            .zip(reason)
            .map(|(units, reason)| Work::Misprint { units, reason });
        valid_record(code.zip(work), once, report)
    }
}

fn valid_record(
    record: Option<(ItemCode, Work)>,
    once: Option<String>,
    mut report: Report,
) -> Result<ValidRecord, Report> {
    let (code, work) = valid(record, &mut report)?;
    Ok(ValidRecord {
        code,
        work,
        once,
        warnings: report.warnings,
    })
}

fn item_code(field: &Field<String>, report: &mut Report) -> Option<ItemCode> {
    required(field, "itemCode", "the code of an item", report)
}

fn units(field: &Field<i64>, report: &mut Report) -> Option<u32> {
    number(field, "units", (1, limits::QUANTITY), report)
}

fn once(field: &Field<String>, report: &mut Report) -> Option<String> {
    let path = Path::Root.key("once");
    let once = text(field, &path, report)?;
    if once.chars().count() > crate::limits::ONCE {
        let message = format!("at most {} characters", crate::limits::ONCE);
        report.violation(&path, IssueCode::TooLong, message);
    }
    Some(once)
}

impl BatchDraft {
    /// Returns the codes without repetitions, in the order of the request, and the name.
    pub(super) fn check(
        &self,
        report: &mut Report,
    ) -> Result<(Vec<ItemCode>, Option<String>), Report> {
        let items = self.items(report);
        let name = text(&self.name, &Path::Root.key("name"), report);
        valid(Some((items, name)), report)
    }

    fn items(&self, report: &mut Report) -> Vec<ItemCode> {
        let items_path = Path::Root.key("items");
        let given = self
            .items
            .required(&items_path, "item codes", report)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if given.is_empty() && self.items.value().is_some() {
            report.required(&items_path, "at least one item");
        }
        if given.len() > crate::limits::BATCH_ITEMS {
            let message = format!(
                "{} items; at most {}",
                given.len(),
                crate::limits::BATCH_ITEMS
            );
            report.violation(&items_path, IssueCode::TooLong, message);
            return Vec::new();
        }
        let mut items = Vec::with_capacity(given.len());
        let mut seen = BTreeMap::new();
        for (index, field) in given.iter().enumerate() {
            let path = items_path.index(index);
            let given = field.required(&path, "the code of an item, not null", report);
            let Some(code) = given.map(|text| text.parse::<ItemCode>()) else {
                continue;
            };
            match code {
                Err(error) => {
                    report.violation(&path, IssueCode::InvalidFormat, error.to_string());
                }
                // Compared in canonical form: `sun-1-1` repeats `SUN-1-1`.
                Ok(code) => match seen.insert(code.to_string(), index) {
                    None => items.push(code),
                    Some(first) => {
                        let message = format!("the same item as items[{first}]");
                        report.violation(&path, IssueCode::Repeated, message);
                    }
                },
            }
        }
        items
    }
}

impl BatchNameDraft {
    pub(super) fn check(&self) -> Result<BatchNumber, Report> {
        let mut report = Report::default();
        let number = required(&self.batch, "batch", "the number of a batch", &mut report);
        valid(number, &mut report)
    }
}

impl CursorKey for BatchNumber {
    fn to_bytes(&self) -> Vec<u8> {
        self.get().to_be_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(u32::from_be_bytes(bytes.try_into().ok()?))
    }
}

impl BatchesDraft {
    pub(super) fn check(&self) -> Result<(Option<bool>, Window<BatchNumber>), Report> {
        let mut report = Report::default();
        let open_flag = flag(&self.open, &Path::Root.key("open"), &mut report);
        // `flag` returns `false` for an absent field.
        let open = open_flag.filter(|_| !self.open.is_absent());
        let filter = open.map_or("all", |open| if open { "open" } else { "closed" });
        // The digest ties a cursor to the filter of its list.
        let list = ListDigest::new("batches").text(filter).list("open");
        let window = self.paging.check_by_cursor(list, &mut report);
        report.check()?;
        Ok((open, window))
    }
}
