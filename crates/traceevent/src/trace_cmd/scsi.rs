//! SCSI command descriptor blocks (`scsi_trace_parse_cdb`): block address and length, laid out as in SBC-3.

use crate::trace_cmd::text::push_u64;

const VARIABLE_LENGTH: u8 = 0x7f;
const SERVICE_ACTION_IN_16: u8 = 0x9e;

/// Appends what a command asks for; `-` where it moves no blocks. A block that is cut reads as if zeros followed.
pub(super) fn parse_cdb(cdb: &[u8], out: &mut Vec<u8>) {
    let cdb = Cdb(cdb);
    match cdb.byte(0) {
        // READ, WRITE (6): 21 bits of address.
        0x08 | 0x0a => {
            push(out, "lba=", u64::from(cdb.be32(0) & 0x1f_ffff));
            push(out, " txlen=", u64::from(cdb.byte(4)));
        }
        // READ, WRITE, VERIFY, WRITE SAME (10)
        opcode @ (0x28 | 0x2a | 0x2f | 0x41) => {
            blocks(out, cdb.extended(2), u64::from(cdb.be16(7)), cdb.protect(1));
            unmap(out, opcode == 0x41, cdb.byte(1));
        }
        // UNMAP: descriptors of 16 bytes behind a header of 8
        0x42 => push(out, "regions=", u64::from(u32::from(cdb.be16(7)).wrapping_sub(8) / 16)),
        // READ, WRITE, VERIFY (12)
        0xa8 | 0xaa | 0xaf => blocks(out, cdb.extended(2), cdb.extended(6), cdb.protect(1)),
        // READ, WRITE, VERIFY, WRITE SAME (16)
        opcode @ (0x88 | 0x8a | 0x8f | 0x93) => {
            blocks(out, cdb.long(2), cdb.extended(10), cdb.protect(1));
            unmap(out, opcode == 0x93, cdb.byte(1));
        }
        SERVICE_ACTION_IN_16 => {
            let name = match cdb.byte(1) & 0x1f {
                0x10 => "READ_CAPACITY_16",
                0x12 => "GET_LBA_STATUS",
                _ => return out.extend_from_slice(b"UNKNOWN"),
            };
            out.extend_from_slice(name.as_bytes());
            push(out, " lba=", cdb.long(2));
            push(out, " alloc_len=", u64::from(cdb.be32(10)));
        }
        VARIABLE_LENGTH => {
            let action = cdb.be16(8);
            let name = match action {
                0x09 => "READ_32 ",
                0x0a => "VERIFY_32 ",
                0x0b => "WRITE_32 ",
                0x0d => "WRITE_SAME_32 ",
                _ => return out.push(b'-'),
            };
            out.extend_from_slice(name.as_bytes());
            blocks(out, cdb.long(12), cdb.extended(28), cdb.protect(10));
            push(out, " ei_lbrt=", u64::from(cdb.be32(20)));
            unmap(out, action == 0x0d, cdb.byte(10));
        }
        _ => out.push(b'-'),
    }
}

struct Cdb<'a>(&'a [u8]);

impl Cdb<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn be16(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.byte(at), self.byte(at + 1)])
    }

    fn be32(&self, at: usize) -> u32 {
        u32::from_be_bytes([0, 1, 2, 3].map(|byte| self.byte(at + byte)))
    }

    /// 32 bits; trace-cmd extends their sign: what is beyond 2^31 comes out close to 2^64.
    fn extended(&self, at: usize) -> u64 {
        i64::from(self.be32(at) as i32) as u64
    }

    /// 64 bits, with the sign of the lower half extended over the upper one, as trace-cmd puts them together.
    fn long(&self, at: usize) -> u64 {
        u64::from(self.be32(at)) << 32 | self.extended(at + 4)
    }

    fn protect(&self, at: usize) -> u8 {
        self.byte(at) >> 5
    }
}

fn push(out: &mut Vec<u8>, label: &str, value: u64) {
    out.extend_from_slice(label.as_bytes());
    push_u64(out, value);
}

fn blocks(out: &mut Vec<u8>, lba: u64, txlen: u64, protect: u8) {
    push(out, "lba=", lba);
    push(out, " txlen=", txlen);
    push(out, " protect=", u64::from(protect));
}

fn unmap(out: &mut Vec<u8>, same: bool, flags: u8) {
    if same {
        push(out, " unmap=", u64::from(flags >> 3 & 1));
    }
}
