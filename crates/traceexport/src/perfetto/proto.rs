//! Protocol buffers' wire format, as far as it is written here (protobuf.dev/programming-guides/encoding): varints and
//! pieces with a length. Messages are appended to bytes.

use schedrows::varint;

/// The number in a field's tag that says a varint follows.
const VARINT: u64 = 0;
/// The same for a length and as many bytes.
const BYTES: u64 = 2;

/// Bytes of a message.
pub(super) trait Proto {
    /// A number; zeros are written, so that they are known from what is not said.
    fn number(&mut self, field: u32, number: u64);

    /// Text or a message.
    fn bytes(&mut self, field: u32, bytes: &[u8]);
}

impl Proto for Vec<u8> {
    fn number(&mut self, field: u32, number: u64) {
        varint::put(self, u64::from(field) << 3 | VARINT);
        varint::put(self, number);
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        varint::put(self, u64::from(field) << 3 | BYTES);
        varint::put(self, bytes.len() as u64);
        self.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the documentation.
    #[test]
    fn numbers_and_texts_are_as_documented() {
        let mut message = Vec::new();
        message.number(1, 150);
        assert_eq!(message, [0x08, 0x96, 0x01]);
        let mut outer = Vec::new();
        outer.bytes(3, &message);
        assert_eq!(outer, [0x1a, 3, 0x08, 0x96, 0x01]);
        let mut text = Vec::new();
        text.bytes(2, b"testing");
        assert_eq!(text, b"\x12\x07testing");
        let mut negative = Vec::new();
        negative.number(1, -2_i64 as u64);
        assert_eq!(negative.len(), 11);
    }
}
