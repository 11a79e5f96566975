//! A goal such as 'run the tests every hour', which can be paused, and its line in a status report.

use std::collections::BTreeMap;

/// Minutes since the log began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimePoint(pub u32);

/// Minutes in a day.
pub const DAY: u32 = 24 * 60;

/// A goal that a developer has set.
#[derive(Clone, Debug)]
pub struct Goal {
    name: String,
    paused: bool,
    last_met: Option<TimePoint>,
    tracked: BTreeMap<TimePoint, f64>,
}

impl Goal {
    /// A goal that has never been met.
    pub fn new(name: &str) -> Self {
        Self {
            name: String::from(name),
            paused: false,
            last_met: None,
            tracked: BTreeMap::new(),
        }
    }

    /// Suspends it in favour of something more urgent.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Notes that it was met.
    pub fn meet(&mut self, now: TimePoint) {
        self.last_met = Some(now);
    }

    /// Whether it was met within the last hour.
    pub fn in_good_standing(&self, now: TimePoint) -> bool {
        let met_lately = self
            .last_met
            .is_some_and(|met| met <= now && now.0 - met.0 <= 60);
        // A goal can be both paused and met; one of the two has to go first, and that was never decided.
        if cfg!(feature = "bugs") {
            met_lately
        } else {
            met_lately && !self.paused
        }
    }

    /// Its line in a status report.
    pub fn status(&self, now: TimePoint) -> String {
        let mark = match (self.in_good_standing(now), self.paused) {
            (true, _) => '>',
            (false, true) => 'z',
            (false, false) => '!',
        };
        format!("{mark} {}", self.name)
    }

    /// Notes a value.
    pub fn track(&mut self, at: TimePoint, value: f64) {
        self.tracked.insert(at, value);
    }

    /// The last value of the day before.
    pub fn yesterdays_value(&self, now: TimePoint) -> Option<f64> {
        let end = now.0.checked_sub(DAY)?;
        self.tracked
            .range(..=TimePoint(end))
            .next_back()
            .map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, Goal, TimePoint};
    use situ::prelude::*;

    #[datapoints]
    fn times() -> Vec<TimePoint> {
        [0, 59, 61, DAY, 3 * DAY].map(TimePoint).to_vec()
    }

    #[datapoints]
    fn goals() -> Vec<Goal> {
        let mut met = Goal::new("Run tests");
        met.meet(TimePoint(0));
        let mut met_late = Goal::new("SecurityAudit");
        met_late.meet(TimePoint(3 * DAY));
        vec![Goal::new(""), met, met_late]
    }

    #[datapoints]
    const NAMES: [&str; 2] = ["Fewer warnings", ""];

    #[datapoints]
    const VALUES: [f64; 3] = [0.0, -1.5, f64::INFINITY];

    // Each assignment has a goal of its own, so pausing one is no matter for the next.
    #[theory]
    fn the_status_of_a_paused_goal_says_so(now: TimePoint, mut goal: Goal) {
        goal.pause();
        let status = goal.status(now);
        assert!(
            status.contains('z') && status.contains(&goal.name),
            "{status:?}"
        );
    }

    #[theory]
    fn the_status_of_a_goal_in_good_standing_says_so(now: TimePoint, goal: &Goal) {
        assume!(goal.in_good_standing(now));
        assert!(goal.status(now).starts_with('>'));
    }

    // Constructive: the goal is built into the state that the theory is about; all else is any value.
    #[theory]
    fn tracked_values_persist(now: TimePoint, name: &str, value: f64) {
        assume!(now.0 > DAY + 60);
        let mut goal = Goal::new(name);
        goal.track(TimePoint(now.0 - DAY - 60), value);
        assert_eq!(goal.yesterdays_value(now), Some(value));
    }
}
