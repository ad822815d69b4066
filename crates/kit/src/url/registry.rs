//! Addresses that are not globally reachable: IANA's special-purpose address registries, as data.
//!
//! Sources, as of 2026-11: "IANA IPv4 Special-Purpose Address Registry" and "IANA IPv6
//! Special-Purpose Address Registry" (both by RFC 6890 and RFC 8190), "IPv4 Multicast Address Space
//! Registry" and "Internet Protocol Version 6 Address Space". Blocks for which a registry says "not
//! applicable" count as not reachable.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::network::Network;

#[derive(Debug)]
pub(super) struct Block {
    network: Network,
    reachable: bool,
    pub(super) name: &'static str,
    pub(super) source: &'static str,
}

const fn row(network: Network, reachable: bool, name: &'static str, source: &'static str) -> Block {
    Block {
        network,
        reachable,
        name,
        source,
    }
}

const fn v4(address: [u8; 4], prefix: u8) -> Network {
    let [a, b, c, d] = address;
    Network::constant(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix)
}

const fn v6(groups: [u16; 8], prefix: u8) -> Network {
    let [a, b, c, d, e, f, g, h] = groups;
    Network::constant(IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h)), prefix)
}

const NO: bool = false;
const YES: bool = true;

/// The smallest block that contains an address decides; an address outside all is reachable.
#[rustfmt::skip]
const V4: [Block; 28] = [
    row(v4([0, 0, 0, 0], 8), NO, "this network", "RFC 791"),
    row(v4([10, 0, 0, 0], 8), NO, "private use", "RFC 1918"),
    row(v4([100, 64, 0, 0], 10), NO, "shared address space", "RFC 6598"),
    row(v4([127, 0, 0, 0], 8), NO, "loopback", "RFC 1122"),
    // Not in a registry: Azure's virtual machines reach their host at this public address.
    row(v4([168, 63, 129, 16], 32), NO, "platform services of Azure", "Azure's documentation"),
    row(v4([169, 254, 0, 0], 16), NO, "link local, with the metadata services of clouds", "RFC 3927"),
    row(v4([172, 16, 0, 0], 12), NO, "private use", "RFC 1918"),
    row(v4([192, 0, 0, 0], 24), NO, "IETF protocol assignments", "RFC 6890"),
    row(v4([192, 0, 0, 0], 29), NO, "IPv4 service continuity", "RFC 7335"),
    row(v4([192, 0, 0, 8], 32), NO, "IPv4 dummy address", "RFC 7600"),
    row(v4([192, 0, 0, 9], 32), YES, "port control protocol anycast", "RFC 7723"),
    row(v4([192, 0, 0, 10], 32), YES, "traversal using relays around NAT anycast", "RFC 8155"),
    row(v4([192, 0, 0, 170], 31), NO, "NAT64/DNS64 discovery", "RFC 7050"),
    row(v4([192, 0, 2, 0], 24), NO, "documentation (TEST-NET-1)", "RFC 5737"),
    row(v4([192, 31, 196, 0], 24), YES, "AS112-v4", "RFC 7535"),
    row(v4([192, 52, 193, 0], 24), YES, "AMT", "RFC 7450"),
    row(v4([192, 88, 99, 0], 24), NO, "deprecated 6to4 relay anycast", "RFC 7526"),
    row(v4([192, 88, 99, 2], 32), NO, "6a44 relay anycast", "RFC 6751"),
    row(v4([192, 168, 0, 0], 16), NO, "private use", "RFC 1918"),
    row(v4([192, 175, 48, 0], 24), YES, "direct delegation AS112 service", "RFC 7534"),
    row(v4([198, 18, 0, 0], 15), NO, "benchmarking", "RFC 2544"),
    row(v4([198, 51, 100, 0], 24), NO, "documentation (TEST-NET-2)", "RFC 5737"),
    row(v4([203, 0, 113, 0], 24), NO, "documentation (TEST-NET-3)", "RFC 5737"),
    row(v4([224, 0, 0, 0], 4), NO, "multicast", "RFC 5771"),
    row(v4([233, 252, 0, 0], 24), NO, "multicast for documentation", "RFC 5771"),
    row(v4([239, 0, 0, 0], 8), NO, "multicast within a site", "RFC 2365"),
    row(v4([240, 0, 0, 0], 4), NO, "reserved", "RFC 1112"),
    row(v4([255, 255, 255, 255], 32), NO, "limited broadcast", "RFC 8190"),
];

/// The smallest block that contains an address decides; the first block contains all addresses. The
/// IPv4 address within an address of [`NAT64`] is checked, too. The other forms that contain an
/// IPv4 address (mapped, compatible, 6to4, Teredo, local NAT64) are never reachable.
#[rustfmt::skip]
const V6: [Block; 32] = [
    row(v6([0, 0, 0, 0, 0, 0, 0, 0], 0), NO, "not assigned as global unicast", "RFC 4291"),
    row(v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3), YES, "global unicast", "RFC 4291"),
    row(v6([0, 0, 0, 0, 0, 0, 0, 0], 96), NO, "deprecated IPv4-compatible address", "RFC 4291"),
    row(v6([0, 0, 0, 0, 0, 0, 0, 0], 128), NO, "unspecified address", "RFC 4291"),
    row(v6([0, 0, 0, 0, 0, 0, 0, 1], 128), NO, "loopback", "RFC 4291"),
    row(v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96), NO, "IPv4-mapped address", "RFC 4291"),
    row(v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96), NO, "IPv4-translated address", "RFC 2765"),
    NAT64,
    row(v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), NO, "IPv4-IPv6 translation for local use", "RFC 8215"),
    row(v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64), NO, "discard-only", "RFC 6666"),
    row(v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64), NO, "dummy IPv6 prefix", "RFC 9780"),
    row(v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), NO, "IETF protocol assignments", "RFC 2928"),
    row(v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32), NO, "Teredo", "RFC 4380"),
    row(v6([0x2001, 1, 0, 0, 0, 0, 0, 1], 128), YES, "port control protocol anycast", "RFC 7723"),
    row(v6([0x2001, 1, 0, 0, 0, 0, 0, 2], 128), YES, "traversal using relays around NAT anycast", "RFC 8155"),
    row(v6([0x2001, 1, 0, 0, 0, 0, 0, 3], 128), YES, "DNS-SD service registration anycast", "RFC 9665"),
    row(v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48), NO, "benchmarking", "RFC 5180"),
    row(v6([0x2001, 3, 0, 0, 0, 0, 0, 0], 32), YES, "AMT", "RFC 7450"),
    row(v6([0x2001, 4, 0x112, 0, 0, 0, 0, 0], 48), YES, "AS112-v6", "RFC 7535"),
    row(v6([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28), NO, "deprecated ORCHID", "RFC 4843"),
    row(v6([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28), YES, "ORCHIDv2", "RFC 7343"),
    row(v6([0x2001, 0x30, 0, 0, 0, 0, 0, 0], 28), YES, "drone remote ID entity tags", "RFC 9374"),
    row(v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), NO, "documentation", "RFC 3849"),
    row(v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), NO, "6to4", "RFC 3056"),
    row(v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48), YES, "direct delegation AS112 service", "RFC 7534"),
    row(v6([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16), NO, "returned 6bone addresses", "RFC 3701"),
    row(v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), NO, "documentation", "RFC 9637"),
    row(v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16), NO, "segment routing identifiers", "RFC 9602"),
    row(v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), NO, "unique local, with metadata services of clouds", "RFC 4193"),
    row(v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), NO, "link local", "RFC 4291"),
    row(v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), NO, "deprecated site local", "RFC 3879"),
    row(v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), NO, "multicast", "RFC 4291"),
];

/// Addresses that a translator replaces with the IPv4 address in their last 32 bits.
const NAT64: Block = row(
    v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96),
    YES,
    "IPv4-IPv6 translation",
    "RFC 6052",
);

/// Returns the block that makes `address` not globally reachable; `None` if it is reachable.
pub(super) fn obstacle(address: IpAddr) -> Option<&'static Block> {
    let table: &[Block] = match address {
        IpAddr::V4(_) => &V4,
        IpAddr::V6(_) => &V6,
    };
    let blocks = table.iter().filter(|block| block.network.contains(address));
    let block = blocks.max_by_key(|block| block.network.prefix())?;
    if !block.reachable {
        return Some(block);
    }
    obstacle(translated(address)?)
}

fn translated(address: IpAddr) -> Option<IpAddr> {
    let IpAddr::V6(v6) = address else {
        return None;
    };
    let [.., a, b, c, d] = v6.octets();
    let is_translated = NAT64.network.contains(address);
    is_translated.then_some(IpAddr::V4(Ipv4Addr::new(a, b, c, d)))
}
