//! The latency columns (`-l`): what was switched off, and what had interrupted what.

use traceevent::trace_cmd::{push_hex, push_i64, push_u64_padded};
use traceevent::{Endian, IntField};

use crate::file::{ReadAt, TraceFile};

/// Bits of `common_flags` (`enum trace_flag_type` in `include/linux/trace_events.h`).
const IRQS_OFF: i64 = 1;
const IRQS_NOSUPPORT: i64 = 2;
const NEED_RESCHED: i64 = 4;
const HARDIRQ: i64 = 8;
const SOFTIRQ: i64 = 16;

/// The fields of the common header that the columns come from; the same in all events of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LatencyFields {
    flags: Option<IntField>,
    preempt_count: Option<IntField>,
    lock_depth: Option<IntField>,
    migrate_disable: Option<IntField>,
}

impl LatencyFields {
    pub fn bind<R: ReadAt>(file: &TraceFile<R>) -> Self {
        let format = file.any_event_format();
        let field = |name: &str| format.and_then(|format| format.field(name)?.as_int());
        LatencyFields {
            flags: field("common_flags"),
            preempt_count: field("common_preempt_count"),
            lock_depth: field("common_lock_depth"),
            migrate_disable: field("common_migrate_disable"),
        }
    }

    /// Appends the CPU and the letters. `raw` prints the flags as a number.
    pub fn push(&self, cpu: u32, record: &[u8], endian: Endian, raw: bool, out: &mut Vec<u8>) {
        let load = |field: Option<IntField>| field.and_then(|field| field.load(record, endian));
        let flags = load(self.flags).unwrap_or(0);
        push_u64_padded(out, u64::from(cpu), 3, b' ');
        if raw {
            out.extend_from_slice(b"-0x");
            push_hex(out, flags as u64);
            return;
        }
        out.push(match flags {
            flags if flags & IRQS_OFF != 0 => b'd',
            flags if flags & IRQS_NOSUPPORT != 0 => b'X',
            _ => b'.',
        });
        out.push(if flags & NEED_RESCHED != 0 { b'N' } else { b'.' });
        out.push(match (flags & HARDIRQ != 0, flags & SOFTIRQ != 0) {
            (true, true) => b'H',
            (true, false) => b'h',
            (false, true) => b's',
            (false, false) => b'.',
        });
        // Since Linux 5.18: how deep preemption is disabled, and how deep migration.
        let count = load(self.preempt_count).unwrap_or(0);
        for depth in [count & 0xf, count >> 4 & 0xf] {
            match depth {
                0 => out.push(b'.'),
                _ => push_hex(out, depth as u64),
            }
        }
        // Kernels with a field for one of these. trace-cmd prints a lock depth twice: in the place of the other, too.
        for field in [self.lock_depth, self.lock_depth.or(self.migrate_disable)] {
            match load(field) {
                None => {}
                Some(depth) if depth < 0 => out.push(b'.'),
                Some(depth) => push_i64(out, depth),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceevent::parse_fields;

    /// A header of which byte `n` is field `n`.
    fn columns(with: &[&str], record: &[u8], raw: bool) -> String {
        let field = |name: &str, at: usize| {
            let text = format!(
                "field:signed char {name}; offset:{at}; size:1; signed:{};",
                u8::from(at == 2)
            );
            with.contains(&name)
                .then(|| parse_fields(&text).unwrap()[0].as_int().unwrap())
        };
        let fields = LatencyFields {
            flags: field("flags", 0),
            preempt_count: field("preempt_count", 1),
            lock_depth: field("lock_depth", 2),
            migrate_disable: field("migrate_disable", 3),
        };
        let mut out = Vec::new();
        fields.push(7, record, Endian::Little, raw, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The expected texts are those that trace-cmd printed for such headers.
    #[test]
    fn letters_are_those_of_trace_cmd() {
        let common = ["flags", "preempt_count"];
        for (flags, count, expected) in [
            (0, 0, "  7....."),
            (1, 1, "  7d..1."),
            (2, 2, "  7X..2."),
            (3, 3, "  7d..3."),
            (4, 4, "  7.N.4."),
            (8, 10, "  7..ha."),
            (0x10, 0x10, "  7..s.1"),
            (0x18, 0x18, "  7..H81"),
            (0x1f, 0x1f, "  7dNHf1"),
            (0x40, 0x40, "  7....4"),
            (0xff, 0xff, "  7dNHff"),
        ] {
            assert_eq!(columns(&common, &[flags, count], false), expected);
        }
        assert_eq!(columns(&common, &[0x5f, 0], true), "  7-0x5f");
        let migrate = ["flags", "preempt_count", "migrate_disable"];
        assert_eq!(columns(&migrate, &[0, 0x25, 0, 16], false), "  7...5216");
        let locks = ["flags", "preempt_count", "lock_depth"];
        assert_eq!(columns(&locks, &[0, 5, 3], false), "  7...5.33");
        assert_eq!(columns(&locks, &[0, 5, 255], false), "  7...5...");
        assert_eq!(columns(&common, &[], false), "  7.....");
    }
}
