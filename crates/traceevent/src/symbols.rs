//! Kernel symbols, from the text of `/proc/kallsyms`.
//!
//! ```text
//! ffffffff81000000 T _stext
//! ffffffffc0000000 t nf_hook [nf_tables]
//! ```

use std::cmp::Ordering;

use crate::lookup::Symbol;
use crate::tables::{bisect, hex, lines, skip_space, word};

/// Digits of an address; what follows them is no part of it.
const ADDRESS_WIDTH: usize = 16;

/// A kernel's symbols by address: 16 bytes and the name of each.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// By address; of those at one address the last one of the text first.
    symbols: Vec<Entry>,
    /// Of symbols and modules.
    names: Names,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u64,
    name: u32,
    /// Of the module; [`NO_MODULE`] for the kernel's own symbols.
    module: u32,
}

const NO_MODULE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
struct Names {
    /// All of them, with a NUL behind each.
    text: String,
}

impl Names {
    /// `None` when the table is full: 4 GiB of names are no kernel's.
    fn add(&mut self, name: &[u8]) -> Option<u32> {
        let at = u32::try_from(self.text.len()).ok()?;
        self.text.push_str(&String::from_utf8_lossy(name));
        self.text.push('\0');
        Some(at)
    }

    fn get(&self, at: u32) -> Option<&str> {
        self.text.get(at as usize..)?.split('\0').next()
    }
}

impl Symbols {
    /// Reads the text up to the first line that is no symbol, as trace-cmd does. Absolute symbols (`A`, which are offsets
    /// of per-CPU data) and the mapping symbols of ARM (`$x`, `$d`) are left out: no code is at them.
    pub fn parse(text: &[u8]) -> Self {
        let mut found = Symbols::default();
        let mut last_module: Option<(&[u8], u32)> = None;
        for line in lines(text) {
            let Some((start, kind, name, module)) = parse_line(line) else {
                break;
            };
            if matches!(kind, b'A' | b'a') || name.first() == Some(&b'$') {
                continue;
            }
            let Some(name) = found.names.add(name) else {
                break;
            };
            // The symbols of one module follow each other.
            let module = match (module, last_module) {
                (None, _) => NO_MODULE,
                (Some(module), Some((last, at))) if module == last => at,
                (Some(module), _) => match found.names.add(module) {
                    None => break,
                    Some(at) => {
                        last_module = Some((module, at));
                        at
                    }
                },
            };
            found.symbols.push(Entry { start, name, module });
        }
        found.symbols.reverse();
        found.symbols.sort_by_key(|symbol| symbol.start);
        found.symbols.shrink_to_fit();
        found.names.text.shrink_to_fit();
        found
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether the text had no symbols.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The symbol that `address` falls into: the last one that starts at or before it. Where the last symbol of all ends
    /// is not known: it is found at its start only. Of several at one address, trace-cmd's choice.
    pub fn find(&self, address: u64) -> Option<Symbol<'_>> {
        let start = |index: usize| self.symbols.get(index).map(|symbol| symbol.start);
        let index = bisect(self.symbols.len(), |index| match start(index) {
            Some(found) if found > address => Ordering::Greater,
            Some(found) if found == address || start(index + 1).is_some_and(|next| address < next) => Ordering::Equal,
            _ => Ordering::Less,
        })?;
        let entry = self.symbols.get(index)?;
        Some(Symbol {
            name: self.names.get(entry.name)?,
            module: if entry.module == NO_MODULE {
                None
            } else {
                self.names.get(entry.module)
            },
            start: entry.start,
        })
    }

    /// Where the symbol of that name starts; of several, the last one of the text, as trace-cmd takes it. Looks at all.
    pub fn address(&self, name: &str) -> Option<u64> {
        let found = self
            .symbols
            .iter()
            .filter(|symbol| self.names.get(symbol.name) == Some(name));
        Some(found.max_by_key(|symbol| symbol.name)?.start)
    }
}

type Line<'a> = (u64, u8, &'a [u8], Option<&'a [u8]>);

/// Address, kind, name and module.
fn parse_line(line: &[u8]) -> Option<Line<'_>> {
    let (start, rest) = hex(line, ADDRESS_WIDTH)?;
    let (&kind, rest) = skip_space(rest).split_first()?;
    let (name, rest) = word(skip_space(rest));
    if name.is_empty() {
        return None;
    }
    let module = skip_space(rest).strip_prefix(b"[").map(|module| {
        let (module, _) = word(module);
        module.strip_suffix(b"]").unwrap_or(module)
    });
    Some((start, kind, name, module.filter(|module| !module.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `trace-cmd report` 3.1.6 prints for `%ps` of an address, for tables of these texts.
    fn name(symbols: &Symbols, address: u64) -> Option<&str> {
        symbols.find(address).map(|symbol| symbol.name)
    }

    #[test]
    fn an_address_falls_into_the_last_symbol_before_it() {
        let symbols = Symbols::parse(
            b"ffffffff81000300 T third\nffffffff81000100 T first\nffffffff81000200 t second\n\n\
              ffffffffc0000000 t modfunc\t[mymod]\nffffffffc0000040 t modlast [mymod]\nffffffffc0000080 t end\t[other]",
        );
        for (address, expected) in [
            (0, None),
            (0xffff_ffff_8100_00ff, None),
            (0xffff_ffff_8100_0100, Some("first")),
            (0xffff_ffff_8100_01ff, Some("first")),
            (0xffff_ffff_8100_0200, Some("second")),
            (0xffff_ffff_b000_0000, Some("third")),
            (0xffff_ffff_c000_0039, Some("modfunc")),
            (0xffff_ffff_c000_0041, Some("modlast")),
            // The end of the last symbol is not known.
            (0xffff_ffff_c000_0080, Some("end")),
            (0xffff_ffff_c000_0081, None),
            (u64::MAX, None),
        ] {
            assert_eq!(name(&symbols, address), expected, "{address:x}");
        }
        let inside = symbols.find(0xffff_ffff_c000_0045).unwrap();
        assert_eq!((inside.module, inside.start), (Some("mymod"), 0xffff_ffff_c000_0040));
        assert_eq!(symbols.find(0xffff_ffff_c000_0080).unwrap().module, Some("other"));
        assert_eq!(symbols.find(0xffff_ffff_8100_0300).unwrap().module, None);
    }

    #[test]
    fn absolute_and_mapping_symbols_are_left_out() {
        let symbols = Symbols::parse(
            b"0000000000000000 A fixed_percpu\n00001000 t a1\n00001100 t $x\n00001200 t $d.1\n00001250 a abs\n\
              00001500 t .L\n00001600 w __crc_x\n00001700 U q\n00002000 t end\n",
        );
        for (address, expected) in [
            (0, None),
            (0x1100, Some("a1")),
            (0x1270, Some("a1")),
            (0x1500, Some(".L")),
            (0x1601, Some("__crc_x")),
            (0x1701, Some("q")),
        ] {
            assert_eq!(name(&symbols, address), expected, "{address:x}");
        }
    }

    /// The expected texts are those that `trace-cmd report` 3.1.6 prints for `%lx` of a bare name in a print fmt.
    #[test]
    fn the_last_of_several_has_the_name() {
        let symbols = Symbols::parse(b"00000100 D jiffies\n00000200 D jiffies\n00000500 T dup\n00000050 T dup\n");
        assert_eq!(symbols.address("jiffies"), Some(0x200));
        assert_eq!(symbols.address("dup"), Some(0x50));
        assert_eq!(symbols.address("jiff"), None);
    }

    #[test]
    fn without_the_right_to_see_addresses_all_are_zero() {
        let symbols = Symbols::parse(b"00000000 t a1\n00000000 t a2\n00000000 t a3\n");
        assert_eq!((name(&symbols, 0), name(&symbols, 1)), (Some("a2"), None));
    }

    #[test]
    fn of_symbols_at_one_address_trace_cmd_chooses() {
        // (symbols before, symbols at 1000, what is printed for 1000; for 1001 it is always the first)
        for (before, count, at) in [
            (0, 1, 0),
            (2, 2, 1),
            (0, 3, 0),
            (1, 3, 1),
            (3, 3, 2),
            (0, 4, 1),
            (1, 5, 2),
            (3, 9, 5),
            (3, 11, 6),
        ] {
            let mut text: String = (0..before).map(|n| format!("{:x} t p{n}\n", 0x100 + n * 16)).collect();
            text.extend((0..count).map(|n| format!("1000 t d{n}\n")));
            text.push_str("2000 t end\n");
            let symbols = Symbols::parse(text.as_bytes());
            assert_eq!(
                name(&symbols, 0x1000),
                Some(format!("d{at}").as_str()),
                "{before} {count}"
            );
            assert_eq!(name(&symbols, 0x1001), Some("d0"));
        }
    }

    #[test]
    fn a_line_that_is_no_symbol_ends_the_table() {
        let good = "1000 t a1\n2000 t a2\n";
        for bad in ["zzzz T bad", "3000 t", "3000", "\0"] {
            let symbols = Symbols::parse(format!("{good}{bad}\n4000 t end\n").as_bytes());
            assert_eq!(name(&symbols, 0x2000), Some("a2"), "{bad:?}");
            assert_eq!(name(&symbols, 0x4000), None, "{bad:?}");
        }
        let symbols = Symbols::parse(b"  1000   t   a1\r\n\t0xABC0\tt\ta2\t\t[m]\r\n3000 name\nbbbb t end\n");
        assert_eq!(name(&symbols, 0x1001), Some("a1"));
        assert_eq!(name(&symbols, 0x3001), Some("ame"));
        assert_eq!(symbols.find(0xabc1).unwrap().module, Some("m"));
        assert!(Symbols::parse(b"").is_empty());
    }
}
