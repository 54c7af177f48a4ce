//! The text of `corelane info` for people.

use std::fmt::{self, Write};

use schedquery::query::DiagnosticAnswer;
use schedrows::words::counted;

use super::parts::{BufferInfo, Contents, FormatInfo};
use super::Info;
use crate::visible::visible;

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_file(f)?;
        if let Some(contents) = &self.contents {
            contents.write_buffers(f)?;
            contents.write_parts(f)?;
        }
        self.write_cpus(f)?;
        self.write_events(f)?;
        if !self.diagnostics.is_empty() {
            writeln!(f, "\ndiagnostics")?;
            for diagnostic in &self.diagnostics {
                self.write_diagnostic(f, diagnostic)?;
            }
        }
        Ok(())
    }
}

impl Info {
    fn write_diagnostic(&self, f: &mut fmt::Formatter<'_>, diagnostic: &DiagnosticAnswer) -> fmt::Result {
        write!(f, "  {}: ", diagnostic.kind)?;
        if 1 < diagnostic.count {
            write!(f, "{} times, ", diagnostic.count)?;
        }
        if let Some(cpu) = diagnostic.cpu {
            write!(f, "CPU {cpu}, ")?;
        }
        if diagnostic.at_ns.is_some() {
            let first = if 1 < diagnostic.count { "first " } else { "" };
            write!(
                f,
                "{first}at {}, ",
                self.time(diagnostic.at_ns.map(|at| at.absolute(self.origin_ns)))
            )?;
        }
        writeln!(f, "{}", visible(&diagnostic.text))
    }

    fn time(&self, time: Option<u64>) -> String {
        match time {
            None => "none".to_owned(),
            Some(ns) if self.clock_is_ns => format!("{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000),
            Some(ticks) => format!("{ticks} ticks"),
        }
    }

    fn write_file(&self, f: &mut impl Write) -> fmt::Result {
        let stated = |text: &Option<String>| text.as_deref().map_or("not stated".into(), visible).into_owned();
        self.format.write(f)?;
        if let Some(writer) = &self.writer {
            writeln!(f, "written by   {}", visible(writer))?;
        }
        if !self.cannot_tell.is_empty() {
            writeln!(f, "cannot tell  {}", self.cannot_tell.join(", ").replace('_', " "))?;
        }
        if let Some(recording) = &self.recording {
            writeln!(f, "recorder     {}", stated(&recording.recorder))?;
        }
        writeln!(f, "kernel       {}", stated(&self.uname))?;
        let ticks = if self.clock_is_ns { "" } else { " (raw ticks)" };
        writeln!(f, "clock        {}{ticks}", stated(&self.clock))?;
        if let Some(id) = self
            .recording
            .as_ref()
            .and_then(|recording| recording.trace_id.as_ref())
        {
            writeln!(f, "trace id     {id}")?;
        }
        writeln!(f, "CPUs         {}", self.cpus)?;
        if let Some(buffer) = self.buffer.as_ref().filter(|buffer| !buffer.is_empty()) {
            writeln!(f, "buffer       {}", visible(buffer))?;
        }
        writeln!(f, "first event  {}", self.time(self.first_ns))?;
        writeln!(f, "last event   {}", self.time(self.last_ns))?;
        writeln!(f, "records      {}", self.records)?;
        let gaps = counted(self.lost_gaps, "gap");
        match (self.lost_gaps, self.lost_events) {
            (0, _) => writeln!(f, "lost events  none")?,
            (_, 0) => writeln!(f, "lost events  in {gaps}, how many is not known")?,
            (_, lost) => writeln!(f, "lost events  {lost} in {gaps}")?,
        }
        if 0 < self.chain_breaks {
            writeln!(f, "chain breaks {}", self.chain_breaks)?;
        }
        if let Some(damage) = &self.damage_text {
            writeln!(f, "damage       {damage}")?;
        }
        if let Some(contents) = &self.contents {
            writeln!(
                f,
                "tables       {} symbols, {} printk formats, {} saved command lines",
                contents.symbols, contents.printk_formats, contents.saved_command_lines
            )?;
        }
        Ok(())
    }

    fn write_cpus(&self, f: &mut impl Write) -> fmt::Result {
        writeln!(f, "\nCPU       records  lost events")?;
        for (cpu, records) in self.records_per_cpu.iter().enumerate() {
            let lost = u32::try_from(cpu)
                .ok()
                .and_then(|cpu| self.lost_events_by_cpu.get(&cpu));
            match lost {
                None => writeln!(f, "{cpu:>3}  {records:>12}")?,
                Some(0) => writeln!(f, "{cpu:>3}  {records:>12}  some, not counted")?,
                Some(lost) => writeln!(f, "{cpu:>3}  {records:>12}  {lost:>11}")?,
            }
        }
        Ok(())
    }

    fn write_events(&self, f: &mut impl Write) -> fmt::Result {
        let mut events: Vec<(&String, &u64)> = self.events.iter().collect();
        events.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        let width = events.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        writeln!(f, "\nevents")?;
        for (name, count) in events {
            writeln!(f, "  {:width$}  {count:>12}", visible(name))?;
        }
        Ok(())
    }
}

impl Contents {
    fn write_buffers(&self, f: &mut impl Write) -> fmt::Result {
        writeln!(f, "\nbuffers")?;
        for buffer in &self.buffers {
            let name = if buffer.name.is_empty() { "(main)" } else { &buffer.name };
            writeln!(f, "  {:16}  {}", visible(name), describe(buffer))?;
        }
        for text in &self.latency_texts {
            let name = if text.name.is_empty() { "(main)" } else { &text.name };
            writeln!(
                f,
                "  {:16}  text of a latency tracer, {} bytes",
                visible(name),
                text.bytes
            )?;
        }
        for guest in &self.guests {
            writeln!(
                f,
                "  guest {:10}  {} CPUs, trace id {}",
                visible(&guest.name),
                guest.cpus.len(),
                guest.trace_id
            )?;
        }
        Ok(())
    }

    fn write_parts(&self, f: &mut impl Write) -> fmt::Result {
        writeln!(f, "\noptions")?;
        for option in &self.options {
            let name = option
                .name
                .map_or_else(|| format!("option {}", option.id), str::to_owned);
            writeln!(f, "  {name:16}  {}", option.line())?;
        }
        if !self.sections.is_empty() {
            writeln!(f, "\nsections")?;
        }
        for section in &self.sections {
            let name = section
                .name
                .map_or_else(|| format!("section {}", section.id), str::to_owned);
            let packed = if section.packed { ", packed" } else { "" };
            writeln!(
                f,
                "  {name:16}  at 0x{:x}, {} bytes{packed}, {:?}",
                section.offset, section.size, section.description
            )?;
        }
        Ok(())
    }
}

impl FormatInfo {
    fn write(&self, f: &mut impl Write) -> fmt::Result {
        match self {
            FormatInfo::TraceDat {
                format,
                version,
                endian,
                long_size,
                kernel_long_size,
                page_size,
                compression,
                compression_version,
            } => {
                writeln!(f, "format       {format} version {version}, {endian} endian")?;
                write!(f, "long size    {long_size} bytes")?;
                match *kernel_long_size == usize::from(*long_size) {
                    true => writeln!(f)?,
                    false => writeln!(f, ", in the kernel {kernel_long_size}")?,
                }
                writeln!(f, "page size    {page_size} bytes")?;
                let packed = format!("{compression} {compression_version}");
                writeln!(f, "compression  {}", packed.trim())
            }
            FormatInfo::Other { format, version } => writeln!(f, "format       {format} version {version}"),
        }
    }
}

fn describe(buffer: &BufferInfo) -> String {
    let mut text = format!(
        "{} CPUs, {} bytes, {} records",
        buffer.cpus, buffer.bytes, buffer.records
    );
    if let Some(clock) = &buffer.clock {
        text += &format!(", clock {}", visible(clock));
    }
    if let Some(page_size) = buffer.page_size {
        text += &format!(", pages of {page_size} bytes");
    }
    if buffer.shown {
        text += ", shown";
    }
    text
}
