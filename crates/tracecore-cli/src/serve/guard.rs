//! Which requests are answered at all: those that this server's own pages make, or a person at a browser.
//!
//! A site elsewhere can have a browser ask for anything here. It cannot read the answers, unless it makes its own name
//! resolve to this address (DNS rebinding): then requests name that site as their host. Names that may be hosts are known,
//! and addresses cannot be rebound.

use std::net::IpAddr;

use hyper::header::{HeaderMap, HeaderName, HOST, ORIGIN};
use hyper::{Method, StatusCode};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

pub struct Guard {
    names: Vec<String>,
}

impl Guard {
    /// For a machine that has these names.
    pub fn new(names: &[String]) -> Self {
        Guard {
            names: names.iter().map(|name| name.to_ascii_lowercase()).collect(),
        }
    }

    /// Why a request is refused, if it is.
    pub fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        if method != Method::GET && method != Method::HEAD {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered"));
        }
        let one = |name: HeaderName| {
            let mut values = headers.get_all(name).iter();
            let first = values.next().and_then(|value| value.to_str().ok());
            first.filter(|_| values.next().is_none())
        };
        let Some(host) = one(HOST).filter(|host| self.is_known(host)) else {
            return Some((
                StatusCode::MISDIRECTED_REQUEST,
                "this is no name of this machine that is known; corelane serve --host NAME makes it known",
            ));
        };
        let foreign = Some((StatusCode::FORBIDDEN, "other sites may not read here"));
        if headers.contains_key(ORIGIN) && one(ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host) {
            return foreign;
        }
        // A link elsewhere may lead here; what it opens is not readable for the site that has the link.
        let is_visit = one(SEC_FETCH_MODE) == Some("navigate");
        match one(SEC_FETCH_SITE) {
            None | Some("same-origin" | "none") => None,
            Some(_) if is_visit => None,
            Some(_) => foreign,
        }
    }

    /// Whether a host is an address, or a name of this machine. Ports are not compared: ssh forwards others.
    fn is_known(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let address = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(name);
        let name = name.to_ascii_lowercase();
        address.parse::<IpAddr>().is_ok() || name == "localhost" || self.names.contains(&name)
    }
}
