//! The texts of `trace_printk`, which stock kernels have none of.
//!
//! A binary print event holds the text's address and its arguments as `vbin_printf` of the kernel's `lib/vsprintf.c`
//! packs them: each number at a multiple of its size, but 8 bytes at a multiple of 4; strings as they are, with a NUL.

use crate::bytes::Bytes;
use crate::layout::Layout;
use crate::random::Random;

/// A text and where the kernel has it.
pub(super) struct Text {
    pub(super) address: u64,
    pub(super) arguments: Vec<Argument>,
}

/// One argument, as it is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Pointer,
    Symbol,
    Text,
    Width,
}

use Argument::{Char, Int, Long, LongLong, Pointer, Short, Symbol, Width};

const TEXTS: &[(&str, &[Argument])] = &[
    (r"plain text\n", &[]),
    (r"int %d unsigned %u hex %x\n", &[Int, Int, Int]),
    (r"long %ld %lu 0x%lx\n", &[Long, Long, Long]),
    (
        r"long long %lld %llx after int %d %llu\n",
        &[LongLong, LongLong, Int, LongLong],
    ),
    (r"text %s and %d\n", &[Argument::Text, Int]),
    (r"two texts %s %s\n", &[Argument::Text, Argument::Text]),
    (
        r"text [%10s] [%-10s] [%.3s]\n",
        &[Argument::Text, Argument::Text, Argument::Text],
    ),
    (r"size %zu %zd\n", &[Long, Long]),
    (r"char %c short %hd byte %hhu\n", &[Char, Short, Char]),
    (r"pointer %p\n", &[Pointer]),
    (r"symbol %ps %pS\n", &[Symbol, Symbol]),
    (r"width [%*d] [%-*d]\n", &[Width, Int, Width, Int]),
    (r"padded %08x %-8d| %+d %#x %#o\n", &[Int, Int, Int, Int, Int]),
    (r"100%% of %i\n", &[Int]),
    (r"no end of line %d", &[Int]),
];

/// The section's text, as `printk_formats` of tracefs has it, and what the records may use.
pub(super) fn section(layout: &Layout) -> (String, Vec<Text>) {
    let base: u64 = if layout.long_size == 8 {
        0xffff_ffff_c0a0_1000
    } else {
        0xd0a0_1000
    };
    let mut section = String::new();
    let mut texts = Vec::new();
    for (index, (text, arguments)) in TEXTS.iter().enumerate() {
        let address = base + 0x20 * index as u64;
        section.push_str(&format!("0x{address:x} : \"{text}\"\n"));
        texts.push(Text {
            address,
            arguments: arguments.to_vec(),
        });
    }
    (section, texts)
}

/// Arguments for a text, packed.
pub(super) fn arguments(layout: &Layout, of: &[Argument], random: &mut Random, symbols: &[u64]) -> Vec<u8> {
    let long = usize::from(layout.long_size);
    let mut packed = Bytes::new(layout.endian);
    for argument in of {
        let any = random.next() >> random.below(64);
        let symbol = random.choose(symbols).copied().unwrap_or(0);
        let mut number = |value: u64, size: usize| {
            packed.pad_to(packed.len().next_multiple_of(size.min(4)));
            packed.number(value, size);
        };
        match argument {
            Char => number(b'a' as u64 + any % 26, 1),
            Short => number(any, 2),
            Int => number(any, 4),
            Width => number(any % 12, 4),
            Long | Pointer => number(any, long),
            LongLong => number(any, 8),
            Symbol => number(symbol, long),
            Argument::Text => packed.c_string(["", "a", "some text", "12345678"][(any % 4) as usize]),
        }
    }
    packed.pad_to(packed.len().next_multiple_of(4));
    packed.data
}
