//! Networks in CIDR notation.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A network of IPv4 or IPv6 addresses, or a single address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// Reason that a text is not a network such as `10.0.0.0/8`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The part before the slash is not an address.
    #[error(
        "`{0}` is not an address; write a network such as 10.0.0.0/8 or fd00::/8, or an address such as 10.0.0.5"
    )]
    Address(String),
    /// The part after the slash is not a valid prefix length.
    #[error("`{text}`: the number after the slash is not between 0 and {limit}")]
    Prefix {
        /// The whole text, such as `10.0.0.0/33`.
        text: String,
        /// Number of bits of an address: 32 or 128.
        limit: u8,
    },
    /// Bits after the prefix are set, so that another network may be meant.
    #[error("`{text}` has bits beyond /{prefix}; the network is {network}", prefix = network.prefix)]
    HostBits {
        /// The whole text, such as `10.0.0.1/8`.
        text: String,
        /// Network that contains the address.
        network: Network,
    },
}

impl Network {
    /// Does not check that the bits of `address` after the prefix are 0.
    pub(super) const fn constant(address: IpAddr, prefix: u8) -> Self {
        Self { address, prefix }
    }

    pub(super) const fn prefix(self) -> u8 {
        self.prefix
    }

    /// Returns whether `address` is in the network. An IPv6 address that contains an IPv4 address
    /// belongs to no IPv4 network.
    pub fn contains(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.address.is_ipv4() && masked(address, self.prefix) == self.address
    }
}

fn masked(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let host_bits = 32u32.saturating_sub(u32::from(prefix));
            // A shift by all bits overflows: `/0` has no bit in its mask.
            let mask = u32::MAX.checked_shl(host_bits).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
        }
        IpAddr::V6(address) => {
            let host_bits = 128u32.saturating_sub(u32::from(prefix));
            let mask = u128::MAX.checked_shl(host_bits).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        let prefix = if address.is_ipv4() { 32 } else { 128 };
        Self { address, prefix }
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    /// Parses `10.0.0.0/8`, `fd00::/8`, or a single address.
    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address_text, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let parsed: Result<IpAddr, _> = address_text.parse();
        let address = parsed.map_err(|_| NetworkError::Address(address_text.to_owned()))?;
        let Some(length_text) = prefix else {
            return Ok(address.into());
        };
        let limit = Self::from(address).prefix;
        // `parse` would accept a sign.
        let digits = length_text.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = length_text
            .parse()
            .ok()
            .filter(|prefix| digits && *prefix <= limit);
        let Some(prefix) = prefix else {
            let text = text.to_owned();
            return Err(NetworkError::Prefix { text, limit });
        };
        let network = Self {
            address: masked(address, prefix),
            prefix,
        };
        if network.address != address {
            let text = text.to_owned();
            return Err(NetworkError::HostBits { text, network });
        }
        Ok(network)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_contains_the_addresses_with_its_leading_bits() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
            ("192.168.4.0/22", "192.168.7.255", "192.168.8.0"),
            ("10.0.0.5", "10.0.0.5", "10.0.0.6"),
            ("0.0.0.0/0", "255.255.255.255", "::"),
            ("fd00::/8", "fdff::1", "fe00::"),
            ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
            ("::/0", "ffff::", "0.0.0.0"),
            ("127.0.0.0/8", "127.0.0.1", "::ffff:127.0.0.1"),
        ] {
            let parsed: Network = network.parse().unwrap();
            assert!(parsed.contains(inside.parse().unwrap()), "{network}");
            assert!(!parsed.contains(outside.parse().unwrap()), "{network}");
        }
    }

    #[test]
    fn a_text_that_is_no_network_is_refused_with_what_is_wrong() {
        for (text, said) in [
            ("", "`` is not an address"),
            ("intranet", "`intranet` is not an address"),
            ("10.0.0/8", "`10.0.0` is not an address"),
            ("010.0.0.0/8", "`010.0.0.0` is not an address"),
            ("10.0.0.0/33", "not between 0 and 32"),
            ("10.0.0.0/", "not between 0 and 32"),
            ("10.0.0.0/+8", "not between 0 and 32"),
            ("fd00::/129", "not between 0 and 128"),
            ("10.0.0.5/8", "the network is 10.0.0.0/8"),
            ("fd00::1/64", "the network is fd00::/64"),
        ] {
            let error = text.parse::<Network>().unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
