//! The runqueues of what is selected.

use super::job::Model;
use super::on_demand::Runqueues;
use crate::query::select::selected::Scope;
use schedindex::{Queues, Shown};

/// The runqueues that a long query about a selection needs.
#[derive(Debug)]
pub(crate) struct ScopeQueues {
    /// Those of the selected tasks; `None` if all tasks are selected.
    own: Option<Runqueues>,
}

impl ScopeQueues {
    pub(crate) fn new(scope: &Scope) -> ScopeQueues {
        ScopeQueues {
            own: (!scope.shown.is_all()).then(Runqueues::default),
        }
    }

    /// Those of nothing but what all queries share.
    pub(crate) fn none() -> ScopeQueues {
        ScopeQueues { own: None }
    }

    /// Does some of the work; true once finished. `scope` is the same in each call.
    pub(crate) fn prepare(&self, Model { trace, shared }: Model<'_>, scope: &Scope) -> bool {
        let own = self.own.as_ref();
        shared.runqueues.prepare_depth(trace, &Shown::all())
            && own.is_none_or(|own| own.prepare_depth(trace, &scope.shown))
    }

    pub(crate) fn get<'a>(&'a self, Model { trace, shared }: Model<'a>, scope: &Scope) -> Queues<'a> {
        let all = shared.depth(trace);
        match &self.own {
            Some(own) => Queues {
                shown: own.depth(trace, &scope.shown),
                all: Some(all),
            },
            None => Queues { shown: all, all: None },
        }
    }
}
