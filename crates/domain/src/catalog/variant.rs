//! Variants: what can be ordered by a SKU.

use crate::catalog::PrintArea;
use crate::checked::{Checked, Rules, rules_broken};
use crate::limits;
use crate::money::{Amount, Currency};
use pressline_kit::words::WordSet;

/// What can be ordered by its SKU: a product in one size and colour, or the only form it comes in.
pub type Variant = Checked<VariantParts>;

/// Everything a [`Variant`] is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantParts {
    /// The stock keeping unit, not empty, unique in the catalog, compared letter by letter.
    pub sku: String,
    /// The product that it is a variant of.
    pub product: ProductRef,
    /// The name shown to people; not empty.
    pub name: String,
    /// Names and values that distinguish it from the product's other variants, such as `size` and
    /// `M`, in the order of display; each name once, at most [`limits::VARIANT_ENTRIES`].
    pub options: Vec<(String, String)>,
    /// Price of a unit for a store without a price list; `None` if the catalog gives no price.
    pub price: Option<Amount>,
    /// The currency of `price` and of the areas' extra fees.
    pub currency: Currency,
    /// The ship classes it can be sent in, at most [`limits::VARIANT_ENTRIES`]; empty where all.
    pub ship_classes: Vec<String>,
    /// Weight of a unit in grams, at most [`limits::WEIGHT_GRAMS`]; 0 if it is not known.
    pub weight_grams: u32,
    /// The print areas, in the order in which they take file URLs; 1 to [`limits::PRINT_AREAS`],
    /// each id once.
    pub areas: Vec<PrintArea>,
    /// Whether production has ended.
    pub retired: bool,
}

/// Names a product among all. A variant's id of its product is checked with the variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductRef {
    /// Unique in the catalog; of a product without variants its SKU.
    pub id: String,
    /// The name shown to people, if an import has given one. All variants of a product have the
    /// same.
    pub name: Option<String>,
}

/// A rule that parts of a variant break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// The SKU is empty.
    #[error("a variant has a SKU")]
    Sku,
    /// The SKU has a character that is not printable.
    #[error(
        "a SKU has printable characters only; remove line breaks, zero-width spaces and the like"
    )]
    UnprintableSku,
    /// The id of the product is empty.
    #[error("a product has an id")]
    Product,
    /// The name is empty.
    #[error("a variant has a name")]
    Name,
    /// More options than a variant may have.
    #[error("more than {} options", limits::VARIANT_ENTRIES)]
    Options,
    /// Two options have this name.
    #[error("`{0}` is listed twice")]
    RepeatedOption(String),
    /// More ship classes than a variant may have.
    #[error("more than {} ship classes", limits::VARIANT_ENTRIES)]
    ShipClasses,
    /// It weighs more than a variant may.
    #[error("more than {} grams", limits::WEIGHT_GRAMS)]
    Weight,
    /// It has no print area.
    #[error("a variant has a print area")]
    NoArea,
    /// It has more print areas than a variant may have.
    #[error("more than {} print areas", limits::PRINT_AREAS)]
    Areas,
    /// Two of its print areas have this id.
    #[error("the print area `{0}` is listed twice")]
    RepeatedArea(String),
}

impl VariantError {
    /// Returns the name of the part that the rule is about.
    pub fn part(&self) -> &'static str {
        match self {
            Self::Sku | Self::UnprintableSku => "sku",
            Self::Product => "product",
            Self::Name => "name",
            Self::Options | Self::RepeatedOption(_) => "options",
            Self::ShipClasses => "ship_classes",
            Self::Weight => "weight_grams",
            Self::NoArea | Self::Areas | Self::RepeatedArea(_) => "areas",
        }
    }
}

impl Rules for VariantParts {
    type Broken = VariantError;

    fn broken(&self) -> Vec<VariantError> {
        let options = self.options.iter().map(|(name, _)| name);
        let repeated_option =
            first_repeated(options, limits::VARIANT_ENTRIES).map(VariantError::RepeatedOption);
        let areas = self.areas.iter().map(|area| &area.id);
        let repeated_area =
            first_repeated(areas, limits::PRINT_AREAS).map(VariantError::RepeatedArea);
        let limit = limits::VARIANT_ENTRIES;
        let is_too_heavy = self.weight_grams > limits::WEIGHT_GRAMS;
        let mut broken = rules_broken([
            (self.sku.is_empty(), VariantError::Sku),
            (
                !self.sku.chars().all(limits::is_printable),
                VariantError::UnprintableSku,
            ),
            (self.product.id.is_empty(), VariantError::Product),
            (self.name.is_empty(), VariantError::Name),
            (self.options.len() > limit, VariantError::Options),
            (self.ship_classes.len() > limit, VariantError::ShipClasses),
            (is_too_heavy, VariantError::Weight),
            (self.areas.is_empty(), VariantError::NoArea),
            (self.areas.len() > limits::PRINT_AREAS, VariantError::Areas),
        ]);
        broken.extend(repeated_option.into_iter().chain(repeated_area));
        broken
    }
}

/// Returns the first text that comes twice. Only as many are compared as there may be: a longer list
/// breaks a rule anyway, and comparing all of it would take quadratic time.
fn first_repeated<'a>(
    texts: impl Iterator<Item = &'a String> + Clone,
    limit: usize,
) -> Option<String> {
    let mut numbered = texts.clone().take(limit).enumerate();
    let repeated = numbered.find(|(number, text)| texts.clone().take(*number).any(|t| t == *text));
    repeated.map(|(_, text)| text.clone())
}

impl VariantParts {
    /// A product that comes in one form, with one print area and without a price.
    pub fn single(sku: &str, name: &str) -> Self {
        Self {
            sku: sku.to_owned(),
            product: ProductRef {
                id: sku.to_owned(),
                name: None,
            },
            name: name.to_owned(),
            options: Vec::new(),
            price: None,
            currency: Currency::USD,
            ship_classes: Vec::new(),
            weight_grams: 0,
            areas: vec![PrintArea::main()],
            retired: false,
        }
    }

    pub(crate) fn ships_as(&self, class: &str) -> bool {
        let mut classes = self.ship_classes.iter();
        self.ship_classes.is_empty() || classes.any(|own| own.eq_ignore_ascii_case(class))
    }

    /// The name of its product if this is the first variant: its own if no import has named the
    /// product.
    pub fn product_name(&self) -> &str {
        self.product.name.as_deref().unwrap_or(&self.name)
    }

    /// The words by which a search finds its product.
    pub fn words(&self) -> WordSet {
        let mut words = WordSet::default();
        for text in [&self.sku, &self.product.id, self.product_name(), &self.name] as [&str; 4] {
            words.text(text);
        }
        for (_, value) in &self.options {
            words.text(value);
        }
        words.reduced()
    }
}
