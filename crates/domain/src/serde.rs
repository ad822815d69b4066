//! Serialised forms of values, with the feature `serde`.
//!
//! If the HTTP API has a field of a draft or order, the field has the same name here. Ids, times,
//! currencies and places are strings; amounts are whole numbers of the currency's minor unit.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{self, Serialize, Serializer};

use crate::catalog::AlphaRule;
use crate::check::Field;
use crate::check::checked::{Checked, Rules};
use crate::event::{EventType, Omitted, Role};
use crate::fulfilment::{
    ActionEffect, ChangeKind, Command, Holder, ItemStatus, NeedCode, ShipmentStatus, Stage,
    Tracking,
};
use crate::media::{Alpha, Depth};
use crate::order::fingerprint::{Fingerprint, InvalidFingerprint};
use crate::order::{OrderKind, Source};
use crate::pricing::corrections::LineOrigin;
use crate::pricing::fees::FeeType;
use crate::pricing::tariff::{Per, Region};
use crate::value::{
    Amount, ChangeId, ColourModel, CorrectionId, Currency, FileFormat, FileHash, ItemId, KeyId,
    MoneyError, NeedId, OperatorId, OrderId, Prefix, ServiceOrderId, ShipmentId, StoreId, Tenths,
    Timestamp,
};

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ident),+) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(Text(PhantomData))
                }
            }
        )+
    };
}

as_text!(
    StoreId,
    KeyId,
    OrderId,
    ItemId,
    OperatorId,
    ShipmentId,
    ChangeId,
    NeedId,
    CorrectionId,
    Prefix,
    ServiceOrderId,
    FileHash,
    Currency,
    Timestamp,
    Region
);

struct NameOf<T>(fn(&str) -> Option<T>);

impl<T> Visitor<'_> for NameOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a known name")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

macro_rules! as_name {
    ($($name:ident),+) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(NameOf(Self::from_name))
                }
            }
        )+
    };
}

as_name!(
    ActionEffect,
    Alpha,
    AlphaRule,
    ChangeKind,
    ColourModel,
    Command,
    Depth,
    EventType,
    FeeType,
    FileFormat,
    Holder,
    ItemStatus,
    LineOrigin,
    NeedCode,
    Omitted,
    OrderKind,
    Per,
    Role,
    ShipmentStatus,
    Source,
    Stage,
    Tracking
);

/// Writes null if absent. A wrong type is an error, because [`Field`] does not store the value.
impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Value(value) => serializer.serialize_some(value),
            Self::Wrong(wrong) => Err(ser::Error::custom(format_args!(
                "{} in place of {}",
                wrong.found, wrong.expected
            ))),
        }
    }
}

/// Reads null as an absent field. A value of the wrong type is an error of the deserialiser: a
/// caller that reports all problems together creates the [`Field`] itself.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|value| value.map_or(Self::Absent, Self::Value))
    }
}

impl<'de, P: Rules + Deserialize<'de>> Deserialize<'de> for Checked<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Stored values are checked like new values.
        Self::new(P::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl From<Amount> for i64 {
    fn from(amount: Amount) -> Self {
        amount.minor_units()
    }
}

impl TryFrom<i64> for Amount {
    type Error = MoneyError;

    fn try_from(units: i64) -> Result<Self, MoneyError> {
        Self::from_minor(units)
    }
}

/// Writes a whole number without decimals: `3`, and not `3.0`.
impl Serialize for Tenths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => serializer.serialize_u32(whole),
            None => serializer.serialize_f64(self.as_f64()),
        }
    }
}

struct TenthsVisitor;

impl Visitor<'_> for TenthsVisitor {
    type Value = Tenths;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number with at most one decimal")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Tenths, E> {
        self.visit_text(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Tenths, E> {
        // The shortest text of a number has as many decimals as the text that it was read from.
        self.visit_text(&number.to_string())
    }
}

impl TenthsVisitor {
    fn visit_text<E: Error>(self, text: &str) -> Result<Tenths, E> {
        let read = text.parse();
        read.map_err(|_| E::invalid_value(Unexpected::Other(text), &self))
    }
}

impl<'de> Deserialize<'de> for Tenths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(TenthsVisitor)
    }
}

impl From<Fingerprint> for Vec<u8> {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_bytes()
    }
}

impl TryFrom<Vec<u8>> for Fingerprint {
    type Error = InvalidFingerprint;

    fn try_from(bytes: Vec<u8>) -> Result<Self, InvalidFingerprint> {
        Self::from_bytes(&bytes)
    }
}
