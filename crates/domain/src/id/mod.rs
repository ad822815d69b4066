//! Identifiers: of stores, keys, orders and items.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::time::Timestamp;

mod monotonic;

pub use monotonic::MonotonicIds;

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Takes a UUID that an [`IdSource`](crate::runtime::IdSource) made or a store kept.
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// The UUID itself.
            pub const fn as_uuid(&self) -> &Uuid {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            /// Reads the hyphenated form, in either case; no other form of a UUID is an id.
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if text.len() == 36 { Uuid::try_parse(text).map(Self).map_err(|_| InvalidId) } else { Err(InvalidId) }
            }
        }
    )+};
}

uuid_ids! {
    /// A store: what `X-Service-Store-Id` names.
    StoreId;
    /// A secret key of a store. The id is public.
    KeyId;
    /// An order, on the service's side: a UUIDv7. Made in rising order within a process. Orders are
    /// sorted by it, which is the order of their creation.
    OrderId;
    /// A line item: `id` in `childDetails`, `appItemId` in an update.
    ItemId;
    /// An operator of the shop.
    OperatorId;
    /// A token of an operator. The id is public.
    TokenId;
    /// A session of an operator in the console. The id is public; what the browser sends is a secret.
    SessionId;
    /// A form that creates something, each time that its page is shown.
    FormId;
    /// A file that an operator has sent for an import.
    UploadId;
    /// A command about many orders that is carried out part by part: a UUIDv7.
    TaskId;
    /// The right of one server to carry a task out, each time that it gets it.
    LeaseId;
    /// An entry of the audit: a UUIDv7, which sorts entries by their time.
    AuditId;
    /// A shipment of an order.
    ShipmentId;
    /// A change that a store has asked for.
    ChangeId;
    /// Something that the shop needs from the store.
    NeedId;
    /// A fee line that an operator added.
    CorrectionId;
    /// A note of an operator about an order: a UUIDv7, which sorts notes by their time.
    NoteId;
    /// A webhook endpoint: `webhookId` in requests.
    EndpointId;
    /// An attempt to deliver an event: a UUIDv7, which sorts attempts by their time.
    DeliveryId;
}

/// Bits of a UUIDv7 behind the moment that it begins with.
const BITS_BEHIND_MOMENT: u32 = 80;

impl OperatorId {
    /// Who acts in the place of the shop and of carriers in the sandbox: no operator has this id.
    pub const SANDBOX: Self = Self(Uuid::nil());
}

impl OrderId {
    /// Lower than every id of an order.
    pub const LOWEST: Self = Self(Uuid::nil());
    /// Higher than every id of an order.
    pub const HIGHEST: Self = Self(Uuid::max());

    /// Returns when the order was created: the moment that the id contains.
    pub fn created_at(&self) -> Timestamp {
        // 48 bits always fit.
        let millis = i64::try_from(self.0.as_u128() >> BITS_BEHIND_MOMENT).unwrap_or(i64::MAX);
        Timestamp::from_millis(millis)
    }

    /// Returns a bound between ids: every order created at `moment` or later has a higher id, every
    /// order created before it a lower one.
    pub fn first_of(moment: Timestamp) -> Self {
        let millis = u128::try_from(moment.as_millis()).unwrap_or(0);
        let is_in_reach = millis >> (u128::BITS - BITS_BEHIND_MOMENT) == 0;
        if is_in_reach {
            Self(Uuid::from_u128(millis << BITS_BEHIND_MOMENT))
        } else {
            Self::HIGHEST
        }
    }

    /// Returns the bound above the ids of orders that were created at `moment` or before.
    pub fn first_after(moment: Timestamp) -> Self {
        Self::first_of(Timestamp::from_millis(moment.as_millis().saturating_add(1)))
    }

    /// Returns the lowest id above this one; `None` if there is none.
    pub fn next(&self) -> Option<Self> {
        let next = self.0.as_u128().checked_add(1)?;
        Some(Self(Uuid::from_u128(next)))
    }
}

/// The text is not a hyphenated UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id: expected a UUID such as 0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e")]
pub struct InvalidId;

/// The prefix of a store's order numbers: 1 to 12 of A-Z and 0-9, unique among stores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(String);

impl Prefix {
    /// The most characters a prefix has.
    pub const MAX_LEN: usize = 12;
    /// What the numbers of batches begin with: no store can have it.
    pub const BATCH: &str = "BATCH";

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Up to eight letters and digits of a store's name; `STORE` if it has none.
    pub fn from_name(name: &str) -> Self {
        let folded = pressline_kit::words::fold(name).to_ascii_uppercase();
        let letters = folded.chars().filter(char::is_ascii_alphanumeric);
        let text: String = letters.take(8).collect();
        match text.as_str() {
            "" => Self("STORE".to_owned()),
            Self::BATCH => Self(text).numbered(1),
            _ => Self(text),
        }
    }

    /// The same prefix, cut and with a number behind it: the next one to try if a prefix is taken.
    pub fn numbered(&self, number: u32) -> Self {
        let number = number.to_string();
        let kept = self
            .0
            .chars()
            .take(Self::MAX_LEN.saturating_sub(number.len()));
        Self(kept.chain(number.chars()).collect())
    }
}

impl FromStr for Prefix {
    type Err = InvalidPrefix;

    fn from_str(text: &str) -> Result<Self, InvalidPrefix> {
        let fits = (1..=Self::MAX_LEN).contains(&text.len());
        let right = text
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if text == Self::BATCH {
            Err(InvalidPrefix::Reserved)
        } else if fits && right {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidPrefix::Form(text.chars().take(40).collect()))
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text cannot be a prefix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPrefix {
    /// It has another form.
    #[error("`{0}` cannot be a prefix: it has 1 to 12 characters out of A-Z and 0-9")]
    Form(String),
    /// The numbers of batches begin with it.
    #[error(
        "`{}` cannot be a prefix: the numbers of batches begin with it",
        Prefix::BATCH
    )]
    Reserved,
}

/// The service's order number as people read it: `<prefix>-<number>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceOrderId {
    /// The store's prefix.
    pub prefix: Prefix,
    /// The number within the store, from 1.
    pub number: i64,
}

impl fmt::Display for ServiceOrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.prefix, self.number)
    }
}

impl FromStr for ServiceOrderId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (prefix, _) = text.split_once('-').ok_or(InvalidId)?;
        let prefix = prefix.parse().map_err(|_| InvalidId)?;
        let number = Self::number_in(text, &prefix).ok_or(InvalidId)?;
        Ok(Self { prefix, number })
    }
}

impl ServiceOrderId {
    /// Returns the number of a service order id with this prefix; `None` for another text.
    pub(crate) fn number_in(text: &str, prefix: &Prefix) -> Option<i64> {
        let digits = text.strip_prefix(prefix.as_str())?.strip_prefix('-')?;
        let canonical = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        if canonical { digits.parse().ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_id_contains_when_its_order_was_created() {
        let id: OrderId = "018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e".parse().unwrap();
        let created = id.created_at();
        assert_eq!(created.to_string(), "2024-06-08T03:49:12.905Z");
        let next = Timestamp::from_millis(created.as_millis() + 1);
        assert!(OrderId::first_of(created) < id && id < OrderId::first_of(next));
        for (millis, first) in [
            (i64::MIN, OrderId::LOWEST),
            (-1, OrderId::LOWEST),
            (0, OrderId::LOWEST),
            (1 << 48, OrderId::HIGHEST),
            (i64::MAX, OrderId::HIGHEST),
        ] {
            assert_eq!(OrderId::first_of(Timestamp::from_millis(millis)), first);
        }
        let last = Timestamp::from_millis((1 << 48) - 1);
        assert_eq!(OrderId::first_of(last).created_at(), last);
    }

    #[test]
    fn prefixes_come_from_names() {
        assert_eq!(Prefix::from_name("Ánh Đỗ's shop 24/7").as_str(), "ANHDOSSH");
        assert_eq!(Prefix::from_name("***").as_str(), "STORE");
        assert_eq!(Prefix::from_name("Demo").numbered(12).as_str(), "DEMO12");
        assert_eq!(Prefix::from_name("Batch").as_str(), "BATCH1");
        assert_eq!(Prefix::from_name("Batches").as_str(), "BATCHES");
        assert_eq!(
            "ABCDEFGHIJKL"
                .parse::<Prefix>()
                .unwrap()
                .numbered(12)
                .as_str(),
            "ABCDEFGHIJ12"
        );
        for wrong in ["", "abc", "A-B", "ABCDEFGHIJKLM", "É", "BATCH"] {
            assert!(wrong.parse::<Prefix>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn service_order_ids_are_read_back_in_one_form_only() {
        let demo: Prefix = "DEMO".parse().unwrap();
        assert_eq!(ServiceOrderId::number_in("DEMO-17", &demo), Some(17));
        for wrong in [
            "DEMO-017",
            "DEMO-",
            "DEMO17",
            "DEMO2-17",
            "demo-17",
            "DEMO-1x",
            "DEMO-99999999999999999999",
        ] {
            assert_eq!(ServiceOrderId::number_in(wrong, &demo), None, "{wrong}");
        }
    }
}
