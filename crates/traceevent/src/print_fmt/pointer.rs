//! The kernel's extensions of `%p` (`Documentation/core-api/printk-formats.rst`) that trace-cmd knows; of all others it
//! prints the address and leaves the letters in the text.

use super::address::{print_uuid, Ip4, Ip6, Order};
use super::eval::Context;
use super::expr::Expr;
use super::printf::{write_hex, write_plain, Length, Radix};
use super::text::print_hex;
use crate::bytes::{load, slice, Endian};

/// What `%p...` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    /// `%p`: the address, `(nil)` for 0.
    Address,
    /// `%pS`, `%pF` with the offset into the function; `%ps`, `%pf` without.
    Symbol { offset: bool },
    /// `%pM`, `%pm`, `%pMF`, `%pMR`.
    Mac { separator: &'static str, reversed: bool },
    /// `%pI4`, `%pi4`.
    Ip4(Ip4),
    /// `%pI6`, `%pi6`, `%pI6c`.
    Ip6(Ip6),
    /// `%pIS`: a `struct sockaddr`, by its family.
    Socket { v4: Ip4, v6: Ip6, port: bool },
    /// `%pU`.
    Uuid { upper: bool, swapped: bool },
    /// `%ph`: bytes of a dynamic array.
    Hex(&'static str),
}

/// Letters of a conversion, taken one by one.
struct Letters<'t>(&'t str);

impl Letters<'_> {
    fn accept(&mut self, letter: char) -> bool {
        match self.0.strip_prefix(letter) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn ip4(&mut self, padded: bool) -> Ip4 {
        let order = if self.accept('h') {
            Order::Host
        } else if self.accept('l') {
            Order::Little
        } else {
            let _ = self.accept('n') || self.accept('b');
            Order::Network
        };
        Ip4 { padded, order }
    }

    fn ip6(&mut self, colons: bool) -> Ip6 {
        if colons && self.accept('c') {
            Ip6::Compressed
        } else {
            Ip6::Full { colons }
        }
    }
}

impl Pointer {
    /// Reads the letters behind `%p`; gives what is left of the text too.
    pub fn parse(behind: &str) -> (Self, &str) {
        let mut letters = Letters(behind);
        let kind = Self::known(&mut letters);
        match kind {
            Some(kind) => (kind, letters.0),
            None => (Pointer::Address, behind),
        }
    }

    fn known(letters: &mut Letters<'_>) -> Option<Self> {
        let first = letters.0.chars().next()?;
        letters.accept(first);
        Some(match first {
            'S' | 'F' => Pointer::Symbol { offset: true },
            's' | 'f' => Pointer::Symbol { offset: false },
            'M' | 'm' => {
                let dashes = first == 'M' && letters.accept('F');
                Pointer::Mac {
                    separator: match (first, dashes) {
                        ('m', _) => "",
                        (_, true) => "-",
                        (_, false) => ":",
                    },
                    reversed: !dashes && letters.accept('R'),
                }
            }
            'I' | 'i' if letters.accept('4') => Pointer::Ip4(letters.ip4(first == 'i')),
            'I' | 'i' if letters.accept('6') => Pointer::Ip6(letters.ip6(first == 'I')),
            'I' | 'i' if letters.accept('S') => {
                let colons = first == 'I';
                let port = letters.accept('p');
                // The scope and the flow are left out, and further letters say nothing then.
                let v6 = letters.ip6(colons);
                let v4 = letters.ip4(!colons);
                while v6 != Ip6::Compressed && (letters.accept('f') || letters.accept('s') || letters.accept('c')) {}
                Pointer::Socket { v4, v6, port }
            }
            'U' => {
                let (upper, swapped) = if letters.accept('B') {
                    (true, false)
                } else if letters.accept('l') {
                    (false, true)
                } else if letters.accept('L') {
                    (true, true)
                } else {
                    letters.accept('b');
                    (false, false)
                };
                Pointer::Uuid { upper, swapped }
            }
            'h' => Pointer::Hex(if letters.accept('C') {
                ":"
            } else if letters.accept('D') {
                "-"
            } else if letters.accept('N') {
                ""
            } else {
                " "
            }),
            _ => return None,
        })
    }
}

impl Context<'_> {
    /// Prints an argument as `%p...`; `count` is what a `*` gives, for `%*ph`. `None` when the record is too short.
    pub fn print_pointer(self, kind: &Pointer, argument: &Expr, count: Option<u64>, out: &mut Vec<u8>) -> Option<()> {
        match kind {
            Pointer::Address => match self.number(argument)? {
                0 => out.extend_from_slice(b"(nil)"),
                address => print_address(address, out),
            },
            Pointer::Symbol { offset } => self.print_symbol(self.number(argument)?, *offset, out),
            Pointer::Hex(separator) => match argument {
                Expr::DynamicArray(Some(slot)) => {
                    let bytes = self.dynamic(*slot)?;
                    let count = count.map_or(1, |count| usize::try_from(count).unwrap_or(usize::MAX));
                    print_hex(bytes.get(..count).unwrap_or(bytes), separator, out);
                }
                other => wrong_kind(other, out),
            },
            Pointer::Socket { v4, v6, port } => self.print_socket(argument, *v4, *v6, *port, out)?,
            Pointer::Mac { separator, reversed } => {
                if let Some(bytes) = self.array::<6>(argument, "INVALIDMAC", out)? {
                    let mut bytes = bytes;
                    if *reversed {
                        bytes.reverse();
                    }
                    print_hex(&bytes, separator, out);
                }
            }
            Pointer::Ip4(ip) => {
                if let Some(bytes) = self.array(argument, "INVALIDIPv4", out)? {
                    ip.print(bytes, self.env.endian, out);
                }
            }
            Pointer::Ip6(ip) => {
                if let Some(bytes) = self.array(argument, "INVALIDIPv6", out)? {
                    ip.print(bytes, out);
                }
            }
            Pointer::Uuid { upper, swapped } => {
                if let Some(bytes) = self.array(argument, "INVALIDUUID", out)? {
                    print_uuid(bytes, *upper, *swapped, out);
                }
            }
        }
        Some(())
    }

    /// `name+0xoffset`, or the address when no symbol is there.
    pub fn print_symbol(self, address: u64, offset: bool, out: &mut Vec<u8>) {
        match self.env.lookup.symbol(address) {
            Some(symbol) => {
                out.extend_from_slice(symbol.name.as_bytes());
                if offset {
                    out.push(b'+');
                    print_address(address.wrapping_sub(symbol.start), out);
                }
            }
            None => print_address(address, out),
        }
    }

    /// The bytes of a field that must have `N`; otherwise prints why not.
    fn array<const N: usize>(self, argument: &Expr, wrong_size: &str, out: &mut Vec<u8>) -> Option<Option<[u8; N]>> {
        let argument = match argument {
            Expr::Cast(_, inside) => inside,
            other => other,
        };
        match argument {
            Expr::Field(slot) if slot.size == N => return Some(Some(load(self.record, slot.offset)?)),
            Expr::Field(_) => out.extend_from_slice(wrong_size.as_bytes()),
            other => wrong_kind(other, out),
        }
        Some(None)
    }

    fn print_socket(self, argument: &Expr, v4: Ip4, v6: Ip6, port: bool, out: &mut Vec<u8>) -> Option<()> {
        /// `sizeof(struct sockaddr_in)` and `sizeof(struct sockaddr_in6)`.
        const SIZES: (usize, usize) = (16, 28);
        let argument = match argument {
            Expr::Cast(_, inside) => inside,
            other => other,
        };
        let bytes = match argument {
            Expr::Field(slot) => slice(self.record, slot.offset, slot.size)?,
            Expr::DynamicArray(Some(slot)) => self.dynamic(*slot)?,
            other => {
                out.extend_from_slice(b"ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE ");
                write_plain(kind_number(other), Radix::Signed, Length::Int, out);
                return Some(());
            }
        };
        // In the order of the machine that trace-cmd runs on, not of the one traced: a big-endian family is no family.
        let family = Endian::Little.u16(bytes, 0);
        let print_port = |out: &mut Vec<u8>| {
            if let Some(number) = Endian::Big.u16(bytes, 2).filter(|_| port) {
                out.push(b':');
                write_plain(u64::from(number), Radix::Unsigned, Length::Int, out);
            }
        };
        match family {
            Some(2) if bytes.len() < SIZES.0 => out.extend_from_slice(b"INVALIDIPv4"),
            Some(2) => {
                v4.print(load(bytes, 4)?, self.env.endian, out);
                print_port(out);
            }
            Some(10) if bytes.len() < SIZES.1 => out.extend_from_slice(b"INVALIDIPv6"),
            Some(10) => {
                if port {
                    out.push(b'[');
                }
                v6.print(load(bytes, 8)?, out);
                if port {
                    out.push(b']');
                }
                print_port(out);
            }
            _ => {}
        }
        Some(())
    }
}

pub(super) fn print_address(address: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    write_hex(address, out);
}

/// What trace-cmd says when an argument is not of the kind that a conversion reads.
fn wrong_kind(argument: &Expr, out: &mut Vec<u8>) {
    out.extend_from_slice(b"ARG TYPE NOT FIELD BUT ");
    write_plain(kind_number(argument), Radix::Signed, Length::Int, out);
}

/// The kind of an expression as `enum tep_print_arg_type` numbers it.
fn kind_number(argument: &Expr) -> u64 {
    match argument {
        Expr::Atom(_) => 1,
        Expr::Field(_) | Expr::NoField => 2,
        Expr::Flags { .. } => 3,
        Expr::Symbolic { .. } => 4,
        Expr::Hex { separator: " ", .. } => 5,
        Expr::Array(_) => 6,
        Expr::Cast(..) => 7,
        Expr::Text(_) => 8,
        Expr::DynamicArray(_) => 10,
        Expr::Operation { .. } | Expr::Conditional(_) | Expr::Element(_) => 11,
        Expr::Call(..) => 12,
        Expr::Bitmask(_) => 13,
        Expr::DynamicArrayLen(_) => 14,
        Expr::Hex { .. } => 15,
        Expr::CpuMask(_) => 16,
    }
}
