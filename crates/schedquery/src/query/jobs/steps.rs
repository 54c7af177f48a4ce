//! The steps of what is selected.

use super::job::Model;
use crate::query::select::selected::Scope;
use schedindex::StepsFilter;
use schedmodel::Steps;
use std::sync::Arc;

/// Steps of what is selected: computed in a job, unless everything is selected.
#[derive(Debug)]
pub(crate) struct StepsJob {
    scope: Arc<Scope>,
    filter: StepsFilter,
    found: Option<Arc<Steps>>,
}

impl StepsJob {
    pub(crate) fn new(scope: Arc<Scope>) -> StepsJob {
        StepsJob {
            scope,
            filter: StepsFilter::default(),
            found: None,
        }
    }

    pub(crate) fn step(&mut self, Model { trace, .. }: Model<'_>) -> bool {
        if self.found.is_none() {
            let Scope { shown, lanes, .. } = &*self.scope;
            if self.scope.is_all() {
                self.found = Some(Arc::clone(&trace.steps));
            } else if !self.filter.step(trace, shown, lanes.as_deref()) {
                let filter = std::mem::take(&mut self.filter);
                self.found = Some(Arc::new(filter.into_steps(trace)));
            }
        }
        self.found.is_none()
    }

    pub(crate) fn found<'a>(&'a self, model: Model<'a>) -> &'a Arc<Steps> {
        self.found.as_ref().unwrap_or(&model.trace.steps)
    }

    pub(crate) fn count(&self) -> usize {
        self.found.as_ref().map_or(0, |steps| steps.len())
    }

    pub(crate) fn share(&self, model: Model<'_>) -> f64 {
        self.found
            .as_ref()
            .map_or_else(|| self.filter.share(model.trace), |_| 1.0)
    }
}
