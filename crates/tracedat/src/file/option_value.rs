//! What the options say, decoded: `trace-cmd.dat.v7(5)`, OPTIONS SECTION.

use std::fmt;

use traceevent::{until_nul, Endian, Reader};

use super::options::*;

/// An option's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// DATE, CPUSTAT, TRACECLOCK, UNAME, HOOK, OFFSET, VERSION, PROCMAPS.
    Text(String),
    /// CPUCOUNT.
    Count(u32),
    /// TRACEID.
    TraceId(u64),
    /// Where the section is in the file that the option points to.
    Section(u64),
    /// BUFFER, BUFFER_TEXT.
    Buffer {
        /// Where its section is in the file; in version 6, its table of CPUs.
        offset: u64,
        /// Empty for the main one.
        name: String,
    },
    /// TIME_SHIFT.
    TimeShift {
        /// The host's session.
        peer: u64,
        /// Bit 0: offsets are interpolated.
        flags: u32,
        /// How many CPUs have corrections.
        cpus: u32,
    },
    /// GUEST.
    Guest(Guest),
    /// TSC2NSEC: nanoseconds = ticks * multiplier >> shift.
    Ticks {
        /// See above.
        multiplier: u32,
        /// See above.
        shift: u32,
        /// Offset of the clock in ns; trace-cmd does not apply it.
        offset: u64,
    },
    /// Not known, or too short for what it should hold.
    Unread,
}

/// A guest machine that was traced together with its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// As the host calls it.
    pub name: String,
    /// Of the guest's file: its TRACEID.
    pub trace_id: u64,
    /// The guest's CPUs, each with the pid of the host's task that is it.
    pub cpus: Vec<(u32, i32)>,
}

impl OptionValue {
    /// Decodes an option's data.
    pub(super) fn decode(id: u16, data: &[u8], endian: Endian) -> Self {
        let mut reader = Reader::new(data, endian);
        let read = match id {
            DATE | CPUSTAT | TRACECLOCK | UNAME | HOOK | OFFSET | VERSION | PROCMAPS => {
                Ok(OptionValue::Text(text(data)))
            }
            CPUCOUNT => reader.u32().map(OptionValue::Count),
            TRACEID => reader.u64().map(OptionValue::TraceId),
            HEADER_INFO | FTRACE_EVENTS | EVENT_FORMATS | KALLSYMS | PRINTK | CMDLINES => {
                reader.u64().map(OptionValue::Section)
            }
            BUFFER | BUFFER_TEXT => reader.u64().map(|offset| OptionValue::Buffer {
                offset,
                // Version 6 gives the name no NUL.
                name: text(data.get(8..).unwrap_or_default()),
            }),
            TIME_SHIFT => (|| {
                Ok(OptionValue::TimeShift {
                    peer: reader.u64()?,
                    flags: reader.u32()?,
                    cpus: reader.u32()?,
                })
            })(),
            GUEST => read_guest(&mut reader).map(OptionValue::Guest),
            TSC2NSEC => (|| {
                Ok(OptionValue::Ticks {
                    multiplier: reader.u32()?,
                    shift: reader.u32()?,
                    offset: reader.u64()?,
                })
            })(),
            _ => Ok(OptionValue::Unread),
        };
        read.unwrap_or(OptionValue::Unread)
    }
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(until_nul(data)).into_owned()
}

fn read_guest(reader: &mut Reader<'_>) -> Result<Guest, traceevent::OutOfBytes> {
    let name = String::from_utf8_lossy(reader.c_str()?).into_owned();
    let trace_id = reader.u64()?;
    let count = reader.u32()?;
    let mut cpus = Vec::new();
    for _ in 0..count {
        cpus.push((reader.u32()?, reader.u32()? as i32));
    }
    Ok(Guest { name, trace_id, cpus })
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Text(text) => f.write_str(text.trim()),
            OptionValue::Count(count) => write!(f, "{count}"),
            OptionValue::TraceId(id) => write!(f, "0x{id:x}"),
            OptionValue::Section(offset) => write!(f, "section at 0x{offset:x}"),
            OptionValue::Buffer { offset, name } if name.is_empty() => write!(f, "main buffer at 0x{offset:x}"),
            OptionValue::Buffer { offset, name } => write!(f, "buffer {name} at 0x{offset:x}"),
            OptionValue::TimeShift { peer, flags, cpus } => {
                write!(f, "to the time of session 0x{peer:x}, {cpus} CPUs, flags 0x{flags:x}")
            }
            OptionValue::Guest(guest) => {
                write!(f, "{}, session 0x{:x}", guest.name, guest.trace_id)?;
                guest
                    .cpus
                    .iter()
                    .try_for_each(|(cpu, pid)| write!(f, ", CPU {cpu} is task {pid}"))
            }
            OptionValue::Ticks {
                multiplier,
                shift,
                offset,
            } => write!(f, "ns = ticks * {multiplier} >> {shift}, offset {offset}"),
            OptionValue::Unread => f.write_str("not read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_has_cpus_and_their_tasks() {
        let mut data = b"vm1\0".to_vec();
        data.extend(0xabcdu64.to_be_bytes());
        data.extend([2u32, 0, 4711, 1, 4712].iter().flat_map(|word| word.to_be_bytes()));
        let value = OptionValue::decode(GUEST, &data, Endian::Big);
        let expected = Guest {
            name: "vm1".to_owned(),
            trace_id: 0xabcd,
            cpus: vec![(0, 4711), (1, 4712)],
        };
        assert_eq!(value, OptionValue::Guest(expected));
        assert_eq!(
            value.to_string(),
            "vm1, session 0xabcd, CPU 0 is task 4711, CPU 1 is task 4712"
        );
        data.truncate(data.len() - 1);
        assert_eq!(OptionValue::decode(GUEST, &data, Endian::Big), OptionValue::Unread);
    }

    #[test]
    fn numbers_are_in_the_order_of_the_file() {
        let decode = |id, data: &[u8]| OptionValue::decode(id, data, Endian::Little).to_string();
        let ticks: Vec<u8> = [[5, 0, 0, 0], [31, 0, 0, 0], [9, 0, 0, 0], [0; 4]].concat();
        assert_eq!(decode(TSC2NSEC, &ticks), "ns = ticks * 5 >> 31, offset 9");
        assert_eq!(decode(TRACEID, &[0xef, 0xbe, 0, 0, 0, 0, 0, 0]), "0xbeef");
        assert_eq!(decode(CPUCOUNT, &[8, 0, 0, 0]), "8");
        assert_eq!(decode(KALLSYMS, &[0, 0x10, 0, 0, 0, 0, 0, 0]), "section at 0x1000");
        assert_eq!(decode(BUFFER, b"\0\x10\0\0\0\0\0\0timers"), "buffer timers at 0x1000");
        assert_eq!(decode(CPUSTAT, b"CPU: 0\nentries: 0\n\0"), "CPU: 0\nentries: 0");
        assert_eq!(decode(CPUCOUNT, &[8, 0]), "not read");
        let shift: Vec<u8> = [[1, 0, 0, 0], [0; 4], [1, 0, 0, 0], [2, 0, 0, 0]].concat();
        assert_eq!(
            decode(TIME_SHIFT, &shift),
            "to the time of session 0x1, 2 CPUs, flags 0x1"
        );
    }
}
