//! Values reconstructed from the bindings of patterns: arguments of closures, elements of loops.

use crate::generate::extract::find::locate::{InsertionPoint, Target};
use crate::generate::refusal::Refusal;
use crate::record::plan::{Phase, bindings_of};
use crate::record::read::RecordedSite;
use crate::values::capture_loss::why_lost;
use crate::values::pattern_value::element;
use situ_recorder::recording::ValueSet;
use situ_recorder::value::Value;
use syn::Pat;

/// Returns the arguments of a closure, reconstructed from the bindings of its parameters.
pub(crate) fn arguments(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &InsertionPoint,
) -> Result<Vec<Value>, Refusal> {
    let Target::Closure { inputs, .. } = &spot.target else {
        return Ok(Vec::new());
    };
    let bound = recorded.values(set, Phase::Argument);
    let of = |name: &str| {
        bound
            .iter()
            .find(|(bound, _)| *bound == name)
            .map(|(_, value)| (*value).clone())
    };
    // The value of `_` does not matter.
    let arguments = inputs.iter().map(|input| {
        let argument = element(input, &of, Some(&Value::Unit));
        argument.ok_or(Refusal::ArgumentPattern)
    });
    let arguments: Vec<Value> = arguments.collect::<Result<_, _>>()?;
    match arguments.iter().find_map(why_lost) {
        Some(loss) => Err(Refusal::Argument(loss)),
        None => Ok(arguments),
    }
}

/// Returns the elements of a loop, reconstructed from the bindings of its pattern.
pub(crate) fn items(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &InsertionPoint,
) -> Result<Vec<Value>, Refusal> {
    let bound: Vec<&str> = recorded
        .site
        .slots
        .iter()
        .filter(|slot| slot.phase == Phase::Item)
        .filter_map(|slot| slot.key.source())
        .collect();
    let values = recorded.values(set, Phase::Item);
    let pattern = spot.pattern.as_ref().ok_or(Refusal::NoLoopPattern)?;
    if bound.is_empty() {
        return Err(Refusal::NoLoopVariable);
    }
    let passes = values.chunks(bound.len());
    let items = passes.map(|pass| {
        let of = |name: &str| {
            pass.iter()
                .find(|(bound, _)| *bound == name)
                .map(|(_, value)| (*value).clone())
        };
        let bound = || match pass {
            [(_, value)] => (*value).clone(),
            several => Value::Tuple(several.iter().map(|(_, value)| (*value).clone()).collect()),
        };
        match mapping(pattern) {
            Some(_) => Ok(bound()),
            None => element(pattern, &of, None).ok_or(Refusal::ItemPattern),
        }
    });
    let items: Vec<Value> = items.collect::<Result<_, _>>()?;
    if let Some(reason) = items.iter().find_map(why_lost) {
        return Err(Refusal::Item(reason));
    }
    if items.is_empty() {
        return Err(Refusal::EmptyLoop);
    }
    Ok(items)
}

/// Returns a closure that extracts the bindings from an element, if the pattern of a loop ignores
/// parts of it.
pub(crate) fn mapping(pattern: &Pat) -> Option<String> {
    if element(pattern, &|_| Some(Value::Unit), None).is_some() || !is_plain(pattern) {
        return None;
    }
    let names: Vec<String> = bindings_of(pattern)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let bound = match names.as_slice() {
        [] => return None,
        [name] => name.clone(),
        several => format!("({})", several.join(", ")),
    };
    Some(format!("|{}| {bound}", written(pattern)?))
}

/// Returns whether no binding of the pattern is mutable or by reference.
fn is_plain(pattern: &Pat) -> bool {
    bindings_of(pattern)
        .iter()
        .all(|(_, is_special)| !is_special)
}

/// Returns the pattern as one writes it.
fn written(pattern: &Pat) -> Option<String> {
    Some(match pattern {
        Pat::Ident(name) if name.subpat.is_none() => name.ident.to_string(),
        Pat::Wild(_) => "_".to_owned(),
        Pat::Rest(_) => "..".to_owned(),
        Pat::Paren(inner) => written(&inner.pat)?,
        Pat::Reference(inner) if inner.mutability.is_none() => format!("&{}", written(&inner.pat)?),
        Pat::Tuple(tuple) if tuple.elems.len() > 1 => {
            let parts: Option<Vec<String>> = tuple.elems.iter().map(written).collect();
            format!("({})", parts?.join(", "))
        }
        _ => return None,
    })
}
