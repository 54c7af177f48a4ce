//! The saved command lines: the name that each task had last, from the text of `tracing/saved_cmdlines`.
//!
//! ```text
//! 1 systemd
//! 4711 tmux: server
//! ```

use crate::tables::{bisect, decimal, lines, skip_space};

/// Names of tasks by pid.
#[derive(Clone, Debug, Default)]
pub struct SavedComms {
    /// By pid; of those of one pid the last one of the text first.
    comms: Vec<(i32, Box<[u8]>)>,
}

impl SavedComms {
    /// Reads the text up to the first line that is not a number and a name, as trace-cmd does.
    pub fn parse(text: &[u8]) -> Self {
        let mut comms: Vec<(i32, Box<[u8]>)> = lines(text).map_while(parse_line).collect();
        comms.reverse();
        comms.sort_by_key(|&(pid, _)| pid);
        SavedComms { comms }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.comms.len()
    }

    /// Whether the text had no names.
    pub fn is_empty(&self) -> bool {
        self.comms.is_empty()
    }

    /// The tasks that have names, each once, in ascending order.
    pub fn pids(&self) -> impl Iterator<Item = i32> + '_ {
        let mut before = None;
        let pids = self.comms.iter().map(|&(pid, _)| pid);
        pids.filter(move |&pid| before.replace(pid) != Some(pid))
    }

    /// A task's name, in whatever bytes it gave itself. Where the text has several, the one that trace-cmd takes.
    pub fn find(&self, pid: i32) -> Option<&[u8]> {
        let compare = |index: usize| self.comms.get(index).map_or(0, |&(of, _)| of).cmp(&pid);
        let (_, comm) = self.comms.get(bisect(self.comms.len(), compare)?)?;
        Some(comm)
    }
}

fn parse_line(line: &[u8]) -> Option<(i32, Box<[u8]>)> {
    let (pid, rest) = decimal(line)?;
    let comm = skip_space(rest);
    (!comm.is_empty()).then(|| (pid, comm.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_follows_the_pid() {
        let comms = SavedComms::parse(
            b"1 init\n\n2 my comm\n3  two lead\n7 a-very-long-comm-name-indeed\n8\ttab\n  9 lead\n10 trail  \n\
              11 <...>\n-5 neg\n12x y\n13 h\xe9\n14 cr\r\n99999999999 wraps\n20 last",
        );
        for (pid, expected) in [
            (1, Some(&b"init"[..])),
            (2, Some(b"my comm")),
            (3, Some(b"two lead")),
            (4, None),
            (7, Some(b"a-very-long-comm-name-indeed")),
            (8, Some(b"tab")),
            (9, Some(b"lead")),
            (10, Some(b"trail  ")),
            (11, Some(b"<...>")),
            (-5, Some(b"neg")),
            (12, Some(b"x y")),
            (13, Some(b"h\xe9")),
            (14, Some(b"cr\r")),
            (1_215_752_191, Some(b"wraps")),
            (20, Some(b"last")),
        ] {
            assert_eq!(comms.find(pid), expected, "{pid}");
        }
    }

    #[test]
    fn of_names_of_one_pid_trace_cmd_chooses() {
        let comms = SavedComms::parse(b"6 dup1\n6 dup2\n6 dup3\n6 dup4\n7 q\n7 r\n8 x\n8 y\n8 z");
        let found = [6, 7, 8].map(|pid| comms.find(pid).unwrap());
        assert_eq!(found, [&b"dup2"[..], b"r", b"y"]);
    }

    #[test]
    fn a_line_without_a_name_ends_the_text() {
        for bad in ["4", "4 ", "x y", "\0"] {
            let comms = SavedComms::parse(format!("1 init\n{bad}\n6 n\n").as_bytes());
            assert_eq!((comms.len(), comms.find(1)), (1, Some(&b"init"[..])), "{bad:?}");
        }
        assert!(SavedComms::parse(b"").is_empty());
    }
}
