//! A folder's traces as a page of links.

use std::fmt::Write;

use percent_encoding::{utf8_percent_encode, AsciiSet, NON_ALPHANUMERIC};
use schedrows::words::{counted, grouped};

use super::site::{Listed, MOST};
use crate::visible::is_hidden;

/// What need not be escaped in a path, or in a query.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The page of a folder; `prefix` is what all paths of the server begin with.
pub fn html(prefix: &str, path: &[String], listed: &Listed) -> String {
    let entries = &listed.entries;
    let mut rows = String::new();
    if !path.is_empty() {
        rows.push_str("<li><a href=\"..\">..</a>\n");
    }
    for entry in entries {
        let name = text(&entry.name);
        // Writing to a string does not fail.
        let _ = match entry.size {
            None => writeln!(rows, "<li><a href=\"{}/\">{name}/</a>", url(&entry.name)),
            Some(size) => {
                let link = link(prefix, path, &entry.name);
                let size = counted(size, "byte");
                writeln!(rows, "<li><a href=\"{link}\">{name}</a> <span>{size}</span>")
            }
        };
    }
    if entries.is_empty() {
        rows.push_str("<li>No traces are here.\n");
    }
    let rest = match listed.is_all {
        true => String::new(),
        false => format!(
            "<p>The folder holds more: only {} of its entries were looked at.\n",
            grouped(MOST as u64)
        ),
    };
    let title = text(&path.join("/"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"stylesheet\" href=\"{prefix}/listing.css\">\n<link rel=\"icon\" href=\"{prefix}/page/favicon.svg\">\n\
         <title>Corelane: /{title}</title>\n<h1>Traces in /{title}</h1>\n<ul>\n{rows}</ul>\n{rest}\
         <p><a href=\"{prefix}/page/\">The page without a trace</a>\n"
    )
}

/// Where a trace opens in the page.
pub fn link(prefix: &str, folder: &[String], name: &str) -> String {
    let folder: String = folder.iter().map(|name| format!("/{}", url(name))).collect();
    // The trace's address is the value of a parameter of the page's.
    format!(
        "{prefix}/page/?trace={}",
        url(&format!("{prefix}/traces{folder}/{}", url(name)))
    )
}

pub const STYLE: &str = "body{font:16px/1.6 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
h1{font-size:1.25em}ul{list-style:none;padding:0}span{opacity:.7;margin-left:1em;font-variant-numeric:tabular-nums}";

fn url(name: &str) -> String {
    utf8_percent_encode(name, ESCAPED).to_string()
}

fn text(name: &str) -> String {
    let mut escaped = String::new();
    for character in name.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Line breaks and the like, and what would turn the rest of the line around.
            other if is_hidden(other) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::site::Entry;
    use super::*;

    #[test]
    fn names_are_text_and_not_markup() {
        let entries = vec![
            Entry {
                name: "<img src=x onerror=\"alert('1')\">&.dat".to_owned(),
                size: Some(1),
            },
            Entry {
                name: "a b?#%\u{202e}".to_owned(),
                size: None,
            },
        ];
        let listed = Listed { entries, is_all: false };
        let html = html("", &["x&y".to_owned()], &listed);
        assert!(html.contains("only 10,000 of its entries"), "{html}");
        assert!(
            !html.contains("<img")
                && html.contains("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;.dat")
        );
        assert!(html.contains("?trace=%2Ftraces%2Fx%2526y%2F%253Cimg%2520src"), "{html}");
        assert!(
            html.contains("<a href=\"a%20b%3F%23%25%E2%80%AE/\">a b?#%\u{fffd}/</a>"),
            "{html}"
        );
    }
}
