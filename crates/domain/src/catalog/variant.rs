//! Variants: the items of the catalog that a SKU identifies.

use crate::catalog::PrintArea;
use crate::check::checked::{Checked, Rules, rules_broken};
use crate::check::limits;
use crate::value::{Amount, Currency};
use pressline_kit::words::WordSet;

/// Product in one size and colour, or in its only form. An order names a variant by its SKU.
pub type Variant = Checked<VariantParts>;

/// Public fields of a [`Variant`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantParts {
    /// Stock keeping unit; not empty, unique in the catalog, compared letter by letter.
    pub sku: String,
    /// Id and name of the variant's product, which all its variants share.
    pub product: ProductRef,
    /// Display name; not empty.
    pub name: String,
    /// Options that distinguish the variant within its product, such as `size` and `M`: in display
    /// order, with different names, at most [`limits::VARIANT_ENTRIES`].
    pub options: Vec<(String, String)>,
    /// Price per unit if no price list has a valid price; `None` if the catalog states no price.
    pub price: Option<Amount>,
    /// Currency of `price` and of the areas' `extra_fee`.
    pub currency: Currency,
    /// Possible ship classes, at most [`limits::VARIANT_ENTRIES`]; empty if all are possible.
    pub ship_classes: Vec<String>,
    /// Weight of a unit in grams, at most [`limits::WEIGHT_GRAMS`]; 0 if it is unknown.
    pub weight_grams: u32,
    /// Print areas, 1 to [`limits::PRINT_AREAS`], each id once; in the order of the file URLs.
    pub areas: Vec<PrintArea>,
    /// Whether production of the variant has ended.
    pub retired: bool,
}

/// Id and name of a variant's product. The rules of [`VariantParts`] refuse an empty id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductRef {
    /// Id of the product, unique in the catalog; usually the SKU if there is a single variant.
    pub id: String,
    /// Display name, equal for all variants of the product; `None` if no import has named it.
    pub name: Option<String>,
}

/// Rule that a [`VariantParts`] value breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// `sku` is empty.
    #[error("the SKU of a variant must not be empty")]
    Sku,
    /// `sku` has a character that is not printable.
    #[error(
        "the SKU must contain printable characters only; remove line breaks, zero-width spaces and the like"
    )]
    UnprintableSku,
    /// The id in `product` is empty.
    #[error("the id of a product must not be empty")]
    Product,
    /// `name` is empty.
    #[error("the name of a variant must not be empty")]
    Name,
    /// More than [`limits::VARIANT_ENTRIES`] options.
    #[error("more than {} options", limits::VARIANT_ENTRIES)]
    Options,
    /// Two options have this name.
    #[error("`{0}` is listed twice")]
    RepeatedOption(String),
    /// More than [`limits::VARIANT_ENTRIES`] ship classes.
    #[error("more than {} ship classes", limits::VARIANT_ENTRIES)]
    ShipClasses,
    /// `weight_grams` is more than [`limits::WEIGHT_GRAMS`].
    #[error("more than {} grams", limits::WEIGHT_GRAMS)]
    Weight,
    /// `areas` is empty.
    #[error("the variant must have at least one print area")]
    NoArea,
    /// More than [`limits::PRINT_AREAS`] print areas.
    #[error("more than {} print areas", limits::PRINT_AREAS)]
    Areas,
    /// Two print areas have this id.
    #[error("the print area `{0}` is listed twice")]
    RepeatedArea(String),
}

impl VariantError {
    /// Returns the name of the field that breaks the rule, such as `weight_grams`.
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

/// Ignores texts after the first `limit`: comparing takes quadratic time.
fn first_repeated<'a>(
    texts: impl Iterator<Item = &'a String> + Clone,
    limit: usize,
) -> Option<String> {
    let mut numbered = texts.clone().take(limit).enumerate();
    let repeated = numbered.find(|(number, text)| texts.clone().take(*number).any(|t| t == *text));
    repeated.map(|(_, text)| text.clone())
}

impl VariantParts {
    /// Returns the only variant of the product `sku`, with a single print area and without a price.
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

    /// Returns the product's name, else this variant's name. Call for the product's first variant.
    pub fn product_name(&self) -> &str {
        self.product.name.as_deref().unwrap_or(&self.name)
    }

    /// Returns the words by which a search finds the variant, and so its product.
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
