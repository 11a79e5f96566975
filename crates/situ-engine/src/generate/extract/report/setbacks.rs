//! Setbacks: phases, or their part in one file, without any result. Without them a reader would
//! take missing tests for a fact about the code.

use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::choose::Choice;
use crate::generate::extract::compile::verify::Verified;
use crate::generate::extract::judge::matrix::Judgement;
use crate::generate::extract::table::rows::Group;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The phase of an extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Compiling the candidates.
    Compiling,
    /// Running the candidates, without mutants and with them.
    Judging,
    /// Trying generated inputs.
    OtherValues,
    /// Running the tests in different environments.
    Verifying,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Compiling => "compiling the candidates",
            Phase::Judging => "running the candidates",
            Phase::OtherValues => "trying other values",
            Phase::Verifying => "running the tests in different environments",
        })
    }
}

/// A phase without any result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setback {
    /// The phase.
    pub phase: Phase,
    /// The file, if it is not the whole phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The number of candidates or tests at its start.
    pub tried: usize,
    /// The most frequent reason.
    pub reason: String,
}

impl fmt::Display for Setback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setback {
            phase,
            file,
            tried,
            reason,
        } = self;
        let of_file = file
            .as_ref()
            .map(|file| format!(" of {file}"))
            .unwrap_or_default();
        match tried {
            0 => write!(f, "{phase}{of_file} came to nothing: {reason}"),
            1 => write!(
                f,
                "{phase}{of_file} came to nothing, the only one is lost: {reason}"
            ),
            _ => write!(
                f,
                "{phase}{of_file} came to nothing, all {tried} are lost; most often: {reason}"
            ),
        }
    }
}

/// What is known after the candidates were run.
pub(crate) struct Judged<'j> {
    pub statements: &'j [Statement],
    pub groups: &'j [Group],
    /// What their rows do.
    pub judgement: &'j Judgement,
}

impl Judged<'_> {
    /// Returns the phases so far without any result, or without one in a file for a reason outside
    /// it.
    pub(crate) fn setbacks(&self, choices: &[Choice]) -> Vec<Setback> {
        let standing: Vec<&Group> = self
            .groups
            .iter()
            .filter(|group| group.refused.is_none())
            .collect();
        let candidates: usize = self
            .statements
            .iter()
            .map(|statement| statement.candidates.len())
            .sum();
        if standing.is_empty() && candidates > 0 {
            let reasons = self
                .groups
                .iter()
                .filter_map(|group| Some(group.refused.as_ref()?.to_string()));
            let reason =
                most_frequent(reasons).unwrap_or_else(|| "none has an expression".to_owned());
            return vec![Setback {
                phase: Phase::Compiling,
                file: None,
                tried: candidates,
                reason,
            }];
        }
        let rows: usize = standing.iter().map(|group| group.rows.len()).sum();
        if rows > 0 && choices.iter().all(|choice| choice.passing.is_empty()) {
            let reason = most_frequent(standing.iter().filter_map(|group| self.why_lost(group)));
            let reason = reason.unwrap_or_else(|| "none passes, for an unknown reason".to_owned());
            return vec![Setback {
                phase: Phase::Judging,
                file: None,
                tried: rows,
                reason,
            }];
        }
        self.unjudged_files(&standing)
    }

    /// Returns the files without a judged candidate.
    fn unjudged_files(&self, standing: &[&Group]) -> Vec<Setback> {
        let mut of_files: BTreeMap<&str, Vec<&Group>> = BTreeMap::new();
        for group in standing {
            of_files
                .entry(&self.statements[group.statement].site.file)
                .or_default()
                .push(group);
        }
        let is_unjudged = |group: &&Group| self.judgement.unjudged.contains_key(&group.number);
        let lost = of_files
            .into_iter()
            .filter(|(_, groups)| groups.iter().all(is_unjudged));
        let setback = |(file, groups): (&str, Vec<&Group>)| Setback {
            phase: Phase::Judging,
            file: Some(file.to_owned()),
            tried: groups.iter().map(|group| group.rows.len()).sum(),
            reason: most_frequent(groups.iter().filter_map(|group| self.why_lost(group)))
                .unwrap_or_default(),
        };
        lost.map(setback).collect()
    }

    fn why_lost(&self, group: &Group) -> Option<String> {
        let unjudged = self
            .judgement
            .unjudged
            .get(&group.number)
            .map(ToString::to_string);
        unjudged.or_else(|| self.judgement.of_groups.get(&group.number)?.failure.clone())
    }
}

/// Returns the setback if no verified test is left.
pub(crate) fn of_verification(tried: usize, verified: &Verified) -> Option<Setback> {
    let most = verified.left_out.iter().max_by_key(|(_, count)| **count);
    let reason = most.map(|(reason, _)| reason.clone()).unwrap_or_default();
    (tried > 0 && verified.tests.is_empty()).then_some(Setback {
        phase: Phase::Verifying,
        file: None,
        tried,
        reason,
    })
}

fn most_frequent(reasons: impl Iterator<Item = String>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    reasons.for_each(|reason| *counts.entry(reason).or_default() += 1);
    let all: BTreeSet<(usize, String)> = counts
        .into_iter()
        .map(|(reason, count)| (count, reason))
        .collect();
    all.into_iter().next_back().map(|(_, reason)| reason)
}
