//! Writes protocol buffers for the tests; it shares no code with the reader.

/// Bytes of a message.
#[derive(Clone, Default)]
pub struct Message(pub Vec<u8>);

fn varint(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = number as u8 & 0x7f;
        number >>= 7;
        out.push(if number == 0 { low } else { low | 0x80 });
        if number == 0 {
            return;
        }
    }
}

impl Message {
    pub fn new() -> Message {
        Message::default()
    }

    pub fn number(mut self, field: u32, number: u64) -> Message {
        varint(&mut self.0, u64::from(field) << 3);
        varint(&mut self.0, number);
        self
    }

    pub fn bytes(mut self, field: u32, bytes: &[u8]) -> Message {
        varint(&mut self.0, u64::from(field) << 3 | 2);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    pub fn text(self, field: u32, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    pub fn message(self, field: u32, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }

    pub fn packed(self, field: u32, numbers: &[u64]) -> Message {
        let mut packed = Vec::new();
        numbers.iter().for_each(|&number| varint(&mut packed, number));
        self.bytes(field, &packed)
    }
}

/// A trace of these packets.
pub fn trace(packets: &[Message]) -> Vec<u8> {
    packets
        .iter()
        .fold(Message::new(), |trace, packet| trace.message(1, packet))
        .0
}

/// A packet with a bundle.
pub fn bundle(bundle: &Message) -> Message {
    Message::new().message(1, bundle)
}

/// A packet with the kernel's release.
pub fn system_info(release: &str, cpus: u64) -> Message {
    let utsname = Message::new().text(1, "Linux").text(3, release);
    Message::new().message(45, &Message::new().message(1, &utsname).number(8, cpus))
}

/// An event with its time, who was on the CPU, and the event's own message.
pub fn event(ts: u64, pid: u64, field: u32, message: &Message) -> Message {
    Message::new().number(1, ts).number(2, pid).message(field, message)
}

/// `sched_switch` from one task to another.
pub fn switch(ts: u64, prev: (&str, u64), state: u64, next: (&str, u64)) -> Message {
    let fields = Message::new()
        .text(1, prev.0)
        .number(2, prev.1)
        .number(3, 120)
        .number(4, state);
    let fields = fields.text(5, next.0).number(6, next.1).number(7, 120);
    event(ts, prev.1, 4, &fields)
}
