//! The use case of `pressline files check`: area, file, facts and check.

use std::path::Path;

use pressline_backoffice::import::catalog::{Content, read_variants};
use pressline_domain::catalog::{PrintArea, Variant};
use pressline_domain::media::{FileCheck, FileFacts, NotFetched, check, not_fetched};
use pressline_kit::nearest::{nearest, suggestion};

use super::original::{Original, fetch, is_url, open};
use crate::error::{CommandError, Result};
use crate::location::Location;
use crate::services::Program;

/// Arguments of the command.
pub(super) struct Question<'a> {
    /// Path or address of the file.
    pub(super) file: &'a str,
    pub(super) sku: &'a str,
    /// Id or name; `None` for the only area of the product.
    pub(super) area: Option<&'a str>,
    /// File with the product; `None` for the database.
    pub(super) catalog: Option<&'a Path>,
}

/// A file with the result of its check.
pub(super) struct CheckedFile {
    /// Path or address of the file.
    pub(super) name: String,
    pub(super) sku: String,
    pub(super) area: PrintArea,
    /// `None` if the file was not fetched.
    pub(super) facts: Option<FileFacts>,
    pub(super) check: FileCheck,
}

pub(super) async fn check_file(
    program: &Program,
    settings: Option<&Path>,
    question: &Question<'_>,
) -> Result<CheckedFile> {
    let variant = match question.catalog {
        Some(path) => variant_in_file(path, question.sku)?,
        None => variant_in_database(program, settings, question.sku).await?,
    };
    let area = area(&variant, question.area)?;
    let fetched = match is_url(question.file) {
        false => Ok(open(Path::new(question.file))?),
        true => {
            let source = (program.configure)(settings)?.file_source()?;
            fetch(&*source, question.file).await?
        }
    };
    let (facts, check) = match fetched {
        Ok(Original { file, hash }) => {
            let decoder = (program.file_decoder)()?;
            let decoded = decoder.decode(file, hash).await;
            let failed = |error| CommandError::other("the file was not checked", error);
            let facts = decoded.map_err(failed)?.facts;
            let check = check(&area, &facts);
            (Some(facts), check)
        }
        Err(error) => (None, not_fetched(NotFetched::from(error))),
    };
    Ok(CheckedFile {
        name: question.file.to_owned(),
        sku: variant.sku.clone(),
        area,
        facts,
        check,
    })
}

fn variant_in_file(path: &Path, sku: &str) -> Result<Variant> {
    let location = Location::input(path, None)?;
    let rows = location.rows(Content::Variants)?;
    let variants = read_variants(rows).map_err(|findings| location.bad(findings))?;
    let near: Vec<String> = {
        let skus = variants.iter().map(|variant| variant.sku.as_str());
        nearest(sku, skus, 3)
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    let mut variants = variants.into_iter();
    let variant = variants.find(|variant| variant.sku == sku);
    variant.ok_or_else(|| {
        let (name, near) = (location.name(), suggestion(&near));
        CommandError::NotFound(format!("SKU `{sku}` is not in {name}{near}"))
    })
}

async fn variant_in_database(
    program: &Program,
    settings: Option<&Path>,
    sku: &str,
) -> Result<Variant> {
    let services = (program.configure)(settings)?.open().await?;
    if let Some((variant, _)) = services.imports.variant(sku).await? {
        return Ok(variant);
    }
    let near = suggestion(&services.catalog.suggest(sku, 3).await?);
    Err(CommandError::NotFound(format!(
        "SKU `{sku}` is not in the catalog{near}"
    )))
}

/// Returns the area of `variant` with this id, else with this name; the only area if `name` is
/// `None`.
fn area(variant: &Variant, name: Option<&str>) -> Result<PrintArea> {
    let areas = &variant.areas;
    let matching = match (name, areas.as_slice()) {
        (Some(name), _) => areas
            .iter()
            .find(|area| area.id == name)
            .or_else(|| areas.iter().find(|area| area.name == name)),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    matching.cloned().ok_or_else(|| {
        let ids: Vec<&str> = areas.iter().map(|area| area.id.as_str()).collect();
        let (sku, ids) = (&variant.sku, ids.join(", "));
        match name {
            Some(name) => CommandError::NotFound(format!(
                "SKU `{sku}` has no print area `{name}`; it has {ids}"
            )),
            None => CommandError::NotFound(format!(
                "SKU `{sku}` has several print areas; add --area with one of {ids}"
            )),
        }
    })
}
