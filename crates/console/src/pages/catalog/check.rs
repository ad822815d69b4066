//! Price check: fees of a cart, each with the rule that determines it.

use askama::Template;
use pressline_domain::check::{Field, Violation, limits};
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft};
use pressline_domain::order::{DryRun, OrderError};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::store::Store;

use super::tab::CHECK;
use crate::shell::filter::stores::{named, reached_stores};
use crate::shell::form::with_errors;
use crate::shell::view::{bill, money, signed_money};
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, SignedInRequest,
};

const STORES: &str = "stores";
const LINE: [&str; 4] = ["sku", "quantity", "shipClass", "areas"];
/// Minimum number of cart lines in the form, filled or empty.
const LINES: usize = 4;
/// Maximum position of a print area in a cart line. Larger positions are ignored.
// Files are listed up to the largest position, so it must stay small.
const AREAS: usize = 20;

#[derive(Template)]
#[template(path = "catalog/check.html")]
struct CheckPage {
    frame: Frame,
    path: &'static str,
    questions: Vec<FormField>,
    lines: Vec<Vec<FormField>>,
    result: Option<Priced>,
    errors: Option<FormErrors>,
}

struct Priced {
    lines: Vec<PricedLine>,
    total: String,
    unknown: Vec<&'static str>,
    /// Ship class, shipping fee and order total of each shipping option.
    options: Vec<(String, String, String)>,
    warnings: Vec<Violation>,
}

struct PricedLine {
    fee: &'static str,
    /// Number and SKU of the cart line, such as `1: MUG`; empty for a fee of the whole cart.
    item: String,
    rule: String,
    amount: String,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let stores = reached_stores(&visit).await?;
    let lines = lines(query);
    let (mut result, mut errors) = (None, None);
    // The first visit has no query, and shows an empty form without errors.
    if query.has(STORES) {
        let id = query.get(STORES);
        let store = stores.iter().find(|store| store.id.to_string() == id);
        match store {
            Some(store) => match estimate(&visit, store, &lines).await {
                Ok(run) => result = Some(priced(&run)?),
                Err(error) => errors = Some(FormErrors::from_error(error)?),
            },
            None => errors = Some(FormErrors::of_field(STORES, "choose a store")),
        }
    }
    let page = CheckPage {
        frame: visit.frame(&[CHECK.label, "Catalog"])?,
        path: CHECK.path,
        questions: questions(query, &stores, errors.as_ref()),
        lines: line_questions(&lines, errors.as_ref()),
        result,
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

/// Leaves out blank lines. The values of a line are in the order of [`LINE`].
fn lines(query: &Fields) -> Vec<[&str; 4]> {
    let columns = LINE.map(|name| query.all(name).collect::<Vec<_>>());
    let number = columns.iter().map(Vec::len).max().unwrap_or_default();
    let lines = (0..number).map(|line| {
        std::array::from_fn(|field| {
            let texts = columns.get(field);
            texts
                .and_then(|texts| texts.get(line))
                .map_or("", |text| text.trim())
        })
    });
    let is_filled = |line: &[&str; 4]| line.iter().any(|text| !text.is_empty());
    lines.filter(is_filled).take(limits::LINE_ITEMS).collect()
}

async fn estimate(
    visit: &SignedInRequest,
    store: &Store,
    lines: &[[&str; 4]],
) -> Result<DryRun, OrderError> {
    let query = visit.query();
    let items = lines.iter().map(|line| Field::Value(item(line)));
    let draft = OrderDraft {
        shipping_address_label: match query.has("label") {
            // Only the presence of a label counts; it is not fetched.
            true => "https://label.invalid/label.pdf".into(),
            false => Field::Absent,
        },
        shipping_address: Field::Value(AddressDraft {
            country_code: query.text("country_code"),
            province_code: query.text("province_code"),
            ..AddressDraft::default()
        }),
        line_items: Field::Value(items.collect()),
        ..OrderDraft::default()
    };
    visit.services().orders.place.estimate(store, &draft).await
}

fn item(line: &[&str; 4]) -> LineItemDraft {
    let [sku, quantity, ship_class, areas] = *line;
    let line = Fields::new([
        ("sku", sku),
        ("quantity", quantity),
        ("shipClass", ship_class),
    ]);
    LineItemDraft {
        sku: line.text("sku"),
        quantity: line.integer("quantity"),
        ship_class: line.text("shipClass"),
        file_urls: files(areas),
        ..LineItemDraft::default()
    }
}

/// Returns a file URL for each print area in `areas`, a text such as `1, 3`; `Absent` without
/// areas. The URLs are invented, because the price depends only on the presence of files.
fn files(areas: &str) -> Field<Vec<Field<String>>> {
    let positions: Vec<usize> = areas
        .split([',', ' '])
        .filter_map(|text| text.parse().ok())
        .filter(|area| (1..=AREAS).contains(area))
        .collect();
    let Some(last) = positions.iter().copied().max() else {
        return Field::Absent;
    };
    let file = |area: usize| match positions.contains(&area) {
        true => Field::Value(format!("https://file.invalid/{area}.png")),
        false => Field::Value(String::new()),
    };
    Field::Value((1..=last).map(file).collect())
}

fn priced(run: &DryRun) -> Result<Priced> {
    let order = run.order.snapshot();
    let content = &order.content;
    let currency = content.currency;
    let bill = bill(order)?;
    let item = |id| {
        let mut items = content.items.iter().zip(1..);
        items
            .find(|(item, _)| item.id == id)
            .map(|(item, number)| format!("{number}: {}", item.sku))
    };
    let lines = bill.lines().iter().map(|line| PricedLine {
        fee: line.fee.as_str(),
        item: line.item.and_then(item).unwrap_or_default(),
        rule: line.rule.to_owned(),
        amount: signed_money(line.amount, currency),
    });
    let unknown = content.bill.missing(content.kind().needed_fees());
    let options = run.shipping_options.iter().flatten().map(|option| {
        let (fee, total) = (option.shipping_fee, option.total);
        (
            option.ship_class.clone(),
            money(fee, currency),
            money(total, currency),
        )
    });
    Ok(Priced {
        lines: lines.collect(),
        total: money(bill.total(), currency),
        unknown: unknown.map(FeeType::as_str).collect(),
        options: options.collect(),
        warnings: run.warnings.clone(),
    })
}

fn questions(query: &Fields, stores: &[Store], errors: Option<&FormErrors>) -> Vec<FormField> {
    let options = stores
        .iter()
        .map(|store| (store.id.to_string(), named(store)));
    let place =
        |name, label| FormField::line(name, label, query.get(name)).within("shipping_address");
    let questions = vec![
        FormField::choice(STORES, "Store", query.get(STORES), options),
        place("country_code", "Country code").hint("Two letters, such as US"),
        place("province_code", "Province code").hint("Where the country has some, such as US-NY"),
        FormField::tick("label", "With a prepared label", query.has("label")),
    ];
    with_errors(questions, errors)
}

fn line_questions(lines: &[[&str; 4]], errors: Option<&FormErrors>) -> Vec<Vec<FormField>> {
    let empty = [["", "", "", ""]];
    // At least one line is empty, to add an item.
    let number = LINES
        .max(lines.len().saturating_add(1))
        .min(limits::LINE_ITEMS);
    let shown = lines.iter().chain(empty.iter().cycle()).take(number);
    let questions = shown.enumerate().map(|(position, line)| {
        let [sku, quantity, ship_class, areas] = *line;
        let questions = [
            FormField::line("sku", "SKU", sku),
            FormField::line("quantity", "Units", quantity),
            FormField::line("shipClass", "Ship class", ship_class),
            FormField::line("areas", "Print areas", areas),
        ];
        let within = |question: FormField| {
            question
                .within(format!("line_items[{position}]"))
                .errors(errors)
        };
        questions.map(within).into()
    });
    questions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_their_positions_without_empty_ones() {
        let query = Fields::parse(
            "sku=A&quantity=2&shipClass=&areas=1&sku=&quantity=&shipClass=&areas=&sku=B&quantity=1&shipClass=Express&areas=",
        );
        assert_eq!(
            lines(&query),
            [["A", "2", "", "1"], ["B", "1", "Express", ""]]
        );
    }

    #[test]
    fn print_areas_are_named_by_their_positions() {
        let Field::Value(urls) = files("3, 1") else {
            panic!("no files")
        };
        let has: Vec<bool> = urls.iter().map(|url| !url.is_blank()).collect();
        assert_eq!(has, [true, false, true]);
        assert_eq!(files("x 0 999"), Field::Absent);
    }
}
