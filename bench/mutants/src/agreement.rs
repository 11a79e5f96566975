//! Whether both tools say the same of the mutants that both make.

use serde_json::Value;

#[derive(Default)]
pub struct Agreement {
    /// Mutants that both make.
    pub both: usize,
    /// Those with the same verdict.
    pub same: usize,
    /// The others: the peer's description and both verdicts.
    pub different: Vec<String>,
    /// What Situ says of the mutants that both make, one object each.
    pub common: Vec<Value>,
}

/// Compares what both tools say, mutant by mutant.
pub fn compare(situ: &[Value], peer: &[Value]) -> Agreement {
    let mut agreement = Agreement::default();
    for outcome in peer {
        let mutant = &outcome["scenario"]["Mutant"];
        let verdict = match outcome["summary"].as_str() {
            Some("CaughtMutant" | "Timeout") => "noticed",
            Some("MissedMutant") => "not noticed",
            _ => continue,
        };
        let Some(own) = situ.iter().find(|own| is_same(own, mutant)) else {
            continue;
        };
        agreement.both += 1;
        agreement.common.push(own.clone());
        let own_verdict = match own["status"].as_str() {
            Some("killed" | "timed_out") => "noticed",
            _ => "not noticed",
        };
        if own_verdict == verdict {
            agreement.same += 1;
        } else {
            let name = mutant["name"].as_str().unwrap_or("");
            let by = own["killed_by"][0].as_str().unwrap_or("nothing");
            agreement.different.push(format!(
                "{name}: cargo-mutants {verdict}, Situ {own_verdict} (by {by})"
            ));
        }
    }
    agreement
}

fn is_same(own: &Value, peer: &Value) -> bool {
    if own["file"] != peer["file"] {
        return false;
    }
    let start = &peer["span"]["start"];
    let at_same_place = own["line"] == start["line"] && own["column"] == start["column"];
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let (name, operator) = (text(&peer["name"]), text(&own["operator"]));
    match text(&peer["genre"]).as_str() {
        "FnValue" => {
            let lines = &peer["function"]["span"];
            let line = own["line"].as_u64();
            let inside =
                lines["start"]["line"].as_u64() <= line && line <= lines["end"]["line"].as_u64();
            operator == "body"
                && inside
                && bare(&text(&own["replacement"])) == bare(&text(&peer["replacement"]))
        }
        "BinaryOperator" => {
            let words: Vec<&str> = name
                .split("replace ")
                .nth(1)
                .unwrap_or("")
                .split(' ')
                .collect();
            let (old, new) = (
                words.first().copied().unwrap_or(""),
                words.get(2).copied().unwrap_or(""),
            );
            at_same_place
                && is_swap(
                    &bare(&text(&own["original"])),
                    &bare(&text(&own["replacement"])),
                    old,
                    new,
                )
        }
        "UnaryOperator" => at_same_place && operator == "unary",
        "MatchArmGuard" => {
            at_same_place && operator == "guard" && own["replacement"] == peer["replacement"]
        }
        "MatchArm" => at_same_place && operator == "match_arm",
        _ => false,
    }
}

/// Whether one text is the other with one operator replaced.
fn is_swap(original: &str, replacement: &str, old: &str, new: &str) -> bool {
    original.match_indices(old).any(|(at, _)| {
        let swapped = format!("{}{new}{}", &original[..at], &original[at + old.len()..]);
        swapped == replacement
    })
}

fn bare(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '(' | ')'))
        .collect()
}
