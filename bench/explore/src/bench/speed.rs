//! Executions a second of theories that hold, against the bare call.

use crate::tools::{explored, peer};
use anyhow::{Context as _, Result};

const SECONDS: u64 = 3;

/// A small table.
pub fn table(situ: &str) -> Result<String> {
    let mut lines = vec![
        "| theory that holds | Situ, executions a second | bare call, calls a second | share |"
            .to_owned(),
        "|---|--:|--:|--:|".to_owned(),
    ];
    for property in ["sums_commute", "reversed_twice"] {
        let own = explored(situ, property, 0, SECONDS)?;
        let summary = &own.last().context("explore says nothing")?["summary"];
        let own = summary["executions"].as_f64().unwrap_or(0.0)
            / summary["seconds"].as_f64().unwrap_or(1.0);
        let bare = peer(&[property, "bare", "0", &SECONDS.to_string()])?
            .context("the bare call says nothing")?;
        let bare = bare["calls"].as_f64().unwrap_or(0.0) / SECONDS as f64;
        lines.push(format!(
            "| {property} | {own:.0} | {bare:.0} | {:.3} |",
            own / bare
        ));
    }
    Ok(lines.join("\n"))
}
