//! Random stores and orders: ordinary, odd and of maximum size.

mod catalog;
mod changes;
mod largest;

use std::sync::Arc;

use pressline_domain::check::limits;
use pressline_domain::order::fingerprint::{FORM, Fingerprint};
use pressline_domain::order::{Address, Customer, LineItem, OrderParts, Source};
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::store::{
    MasterKeyId, Store, StoreDirectory, StoreKey, StoreRecord, StoreSettings,
};
use pressline_domain::value::{
    Amount, Currency, ItemId, KeyId, OrderId, Prefix, StoreId, Timestamp,
};
use uuid::Uuid;

pub(crate) use catalog::{edit, valid};
pub use changes::{after, changed, made, placed};
pub(crate) use largest::fill_up;
pub use largest::{WIDEST_ITEMS, wide_order};

use crate::CaseError;
use crate::random::Random;

/// 2024-06-08T03:49:12.905Z in Unix milliseconds; all samples are created near this time.
pub(crate) const NOW: i64 = 1_717_818_552_905;
/// Master key of all sealed keys, unless a case uses another key.
pub(crate) const MASTER_KEY: MasterKeyId = MasterKeyId::new([1; 8]);

/// Strings that an adapter could misread as syntax, or change.
const ODD: [&str; 18] = [
    "O'Brien \"the\" 50%_off*",
    "back\\slash \\' \\\" \\n \\u0041",
    "Đỗ Ánh Dũng",
    "😀 family 👩‍👩‍👧‍👦",
    "שלום עולם",
    "مرحبا \u{200f}بالعالم\u{202e} reversed",
    "日本語 テスト ｆｕｌｌ",
    "NULL",
    "null",
    "{a,\"b\",NULL}",
    "$1 ?1 :name @x",
    "'; DROP TABLE orders; --",
    "line\nbreak\r\nand\ttab",
    " leading and trailing ",
    "e\u{301}\u{323} ﬁ ß İ",
    "\u{10ffff}\u{1f600}\u{feff}",
    "a,b;c|d\u{1}\u{7f}\u{85}",
    "-0",
];

/// Parts of names for searches. Many share a prefix.
const NAMES: [&str; 14] = [
    "Ana",
    "Anna",
    "Ánh",
    "Anh-Dũng",
    "Đỗ",
    "Do",
    "Dora",
    "O'Neil",
    "100%",
    "a_b",
    "日本",
    "MUG",
    "MUG-11",
    "mug-15",
];

const SKUS: [&str; 6] = [
    "MUG-11",
    "MUG-15",
    "TSHIRT-M-BLACK",
    "poster_a3",
    "日本-1",
    "50%\"OFF'",
];

/// Returns the time `millis` milliseconds after [`NOW`].
pub(crate) fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW + millis)
}

impl Random {
    /// Returns a string of 1 to 255 characters; one in four is from [`ODD`].
    pub(crate) fn text(&mut self) -> String {
        if self.one_in(4) {
            return self.pick(&ODD).copied().unwrap_or_default().to_owned();
        }
        let words = 1 + self.index(3);
        let words: Vec<&str> = (0..words)
            .filter_map(|_| self.pick(&NAMES).copied())
            .collect();
        words.join(" ")
    }

    fn email(&mut self) -> String {
        format!(
            "{}+{}@example.com",
            ["ana", "do.ra", "anh"].get(self.index(3)).unwrap_or(&"a"),
            self.below(30)
        )
    }

    fn phone(&mut self) -> String {
        let digits = 1_000_000 + self.below(9_000_000);
        match self.below(3) {
            0 => format!("+84 90-{digits}"),
            1 => format!("(090) {digits}"),
            _ => format!("84-{digits}"),
        }
    }

    pub(crate) fn url(&mut self) -> String {
        format!(
            "https://example.com/{}/ä%20b.png?x='\"&y={}",
            self.below(1000),
            self.below(1000)
        )
    }

    fn urls(&mut self, limit: u64) -> Vec<String> {
        (0..self.below(limit + 1)).map(|_| self.url()).collect()
    }

    /// Adds a random store with `prefix`.
    pub(crate) async fn added_store(
        &mut self,
        stores: &Arc<dyn StoreDirectory>,
        prefix: &str,
    ) -> Result<StoreRecord, CaseError> {
        let record = self.store(prefix)?;
        stores.add(&record).await?;
        Ok(record)
    }

    pub(crate) fn uuid(&mut self) -> Uuid {
        let near_now = NOW.unsigned_abs() - 500_000 + self.below(1_000_000);
        self.uuid_of(near_now)
    }

    /// Returns an order id with a creation time `after_now` milliseconds after [`NOW`]; negative is
    /// before.
    pub(crate) fn order_id(&mut self, after_now: i64) -> OrderId {
        OrderId::new(self.uuid_of(NOW.saturating_add(after_now).unsigned_abs()))
    }

    fn uuid_of(&mut self, millis: u64) -> Uuid {
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }

    fn amount(&mut self) -> Amount {
        Amount::from_minor(i64::try_from(self.below(100_000)).unwrap_or(0)).unwrap_or_default()
    }

    // Currencies with two, no and three decimals.
    fn currency(&mut self) -> Currency {
        ["USD", "JPY", "KWD", "EUR"]
            .get(self.index(4))
            .and_then(|code| code.parse().ok())
            .unwrap_or(Currency::USD)
    }

    fn window(&mut self) -> u32 {
        u32::try_from(self.below(u64::from(limits::COOLING_OFF) + 1)).unwrap_or(0)
    }

    /// Returns a float between -`limit` and `limit`, with full precision.
    fn degrees(&mut self, limit: f64) -> f64 {
        let sign = if self.one_in(2) { 1.0 } else { -1.0 };
        match self.below(6) {
            0 => sign * limit,
            1 => sign * f64::MIN_POSITIVE,
            // A sum that has no short decimal form.
            2 => sign * (0.1 + 0.2),
            // All 52 bits of the fraction, less than 1.
            _ => sign * limit * (f64::from_bits((self.next() >> 12) | (1023 << 52)) - 1.0),
        }
    }

    pub(crate) fn address(&mut self) -> Address {
        Address {
            first_name: self.maybe(Self::text),
            last_name: self.maybe(Self::text),
            name: self.maybe(Self::text),
            company: self.maybe(Self::text),
            address1: self.maybe(Self::text),
            address2: self.maybe(Self::text),
            city: self.maybe(Self::text),
            zip: self.maybe(Self::text),
            province: self.maybe(Self::text),
            province_code: self.maybe(Self::text),
            country: self.maybe(Self::text),
            country_code: self.maybe(|_| "VN".to_owned()),
            phone: self.maybe(Self::phone),
            email: self.maybe(Self::email),
            latitude: self.maybe(|random| random.degrees(90.0)),
            longitude: self.maybe(|random| random.degrees(180.0)),
            tax_number: self.maybe(Self::text),
            eur_tax_value: self.maybe(Self::text),
        }
    }

    fn customer(&mut self) -> Customer {
        Customer {
            first_name: Some(self.text()),
            last_name: self.maybe(Self::text),
        }
    }

    pub(crate) fn item(&mut self) -> LineItem {
        let mut file_urls = self.urls(3);
        if self.one_in(4) {
            // An empty URL stands for an area without a file.
            file_urls.insert(0, String::new());
        }
        LineItem {
            id: ItemId::new(self.uuid()),
            ref_id: self.maybe(Self::text),
            name: self.maybe(Self::text),
            name_given: self.one_in(2),
            sku: self.pick(&SKUS).copied().unwrap_or("MUG-11").to_owned(),
            quantity: u32::try_from(1 + self.below(u64::from(limits::QUANTITY))).unwrap_or(1),
            ship_class: self.maybe(Self::text),
            file_urls,
            mockup_images: self.urls(2),
            areas: self.areas(),
            unit_cost: self.maybe(Self::amount),
        }
    }

    /// Returns a bill with lines for some fees, of items or of the order. The other fees are zero
    /// or unknown.
    fn bill(&mut self, items: &[LineItem]) -> Result<Bill, CaseError> {
        let line = |random: &mut Self| FeeLine {
            fee: random
                .pick(&FeeType::ALL)
                .copied()
                .unwrap_or(FeeType::Other),
            item: random
                .maybe(|random| random.pick(items).map(|item| item.id))
                .flatten(),
            amount: random.amount(),
            rule: random.text(),
        };
        let lines = (0..self.below(8)).map(|_| line(self)).collect();
        let free = FeeType::ALL.into_iter().filter(|_| self.one_in(2));
        Ok(Bill::new(lines, free)?)
    }

    /// Returns random bytes with the format of a request's fingerprint.
    pub(crate) fn fingerprint(&mut self) -> Result<Fingerprint, CaseError> {
        let mut bytes = vec![FORM];
        bytes.extend(self.bytes::<32>());
        for _ in 0..self.below(40) {
            bytes.extend(self.bytes::<8>());
        }
        Ok(Fingerprint::from_bytes(&bytes)?)
    }

    /// Returns the parts of a random order, created within a second of [`NOW`].
    pub(crate) fn order(
        &mut self,
        store: StoreId,
        order_id: &str,
    ) -> Result<OrderParts, CaseError> {
        let after_now = i64::try_from(self.below(1000))?;
        let id = self.order_id(after_now);
        let created_at = id.created_at();
        let label = self.one_in(3);
        let items: Vec<LineItem> = (0..=self.below(4)).map(|_| self.item()).collect();
        let bill = self.bill(&items)?;
        Ok(OrderParts {
            id,
            store_id: store,
            order_id: order_id.to_owned(),
            label_url: label.then(|| self.url()),
            source: if self.one_in(4) {
                Source::App
            } else {
                Source::Store
            },
            test: false,
            currency: self.currency(),
            email: self.maybe(Self::email),
            shipping_address: if label {
                self.maybe(Self::address)
            } else {
                Some(self.address())
            },
            billing_address: self.maybe(Self::address),
            customer: self.customer(),
            production_note: self.maybe(Self::text),
            items,
            bill,
            priced_at: Timestamp::from_millis(
                created_at.as_millis() + i64::try_from(self.below(1000))?,
            ),
            fingerprint: self.fingerprint()?,
        })
    }

    pub(crate) fn store(&mut self, prefix: &str) -> Result<StoreRecord, CaseError> {
        let created_at = Timestamp::from_millis(NOW - i64::try_from(self.below(1_000_000))?);
        Ok(StoreRecord {
            store: Store {
                id: StoreId::new(self.uuid()),
                name: self.text(),
                prefix: prefix.parse::<Prefix>()?,
                currency: self.currency(),
                test: false,
                settings: StoreSettings {
                    strict_catalog: self.one_in(2),
                    require_timestamp: self.one_in(2),
                    allow_unsigned_search: self.one_in(2),
                    cooling_off_seconds: self.maybe(|random| random.window()),
                    ship_by_seconds: self.maybe(|random| random.window()),
                    slip_note: self.maybe(|random| random.text()),
                },
                enabled: !self.one_in(4),
                created_at,
            },
            keys: vec![self.key(created_at)],
            version: 1,
        })
    }

    pub(crate) fn key(&mut self, created_at: Timestamp) -> StoreKey {
        let mut sealed = self.bytes::<60>().to_vec();
        // Bytes that are not valid text, and a NUL at the end.
        sealed.extend([0, 255, 0]);
        StoreKey {
            id: KeyId::new(self.uuid()),
            sealed,
            sealed_with: MASTER_KEY,
            created_at,
            last_used_at: None,
        }
    }
}
