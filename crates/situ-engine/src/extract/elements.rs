//! Values put together from what patterns bound: arguments of closures, elements of loops.

use super::locate::{Spot, Target};
use super::lost::why_lost;
use crate::record::plan::{Phase, bindings_of};
use crate::record::read::RecordedSite;
use situ_rt::recording::ValueSet;
use situ_rt::value::Value;
use syn::Pat;

/// What a closure was called with, put together from what its parameters bound.
pub fn arguments(recorded: &RecordedSite, set: &ValueSet, spot: &Spot) -> Result<Vec<Value>, String> {
    let Target::Closure { inputs, .. } = &spot.target else { return Ok(Vec::new()) };
    let bound = recorded.values(set, Phase::Argument);
    let of = |name: &str| bound.iter().find(|(bound, _)| *bound == name).map(|(_, value)| (*value).clone());
    // Whatever `_` is, nobody looks at it.
    let arguments = inputs.iter().map(|input| {
        let argument = element(input, &of, Some(&Value::Unit));
        argument.ok_or_else(|| "its arguments cannot be put together from its parameters".to_owned())
    });
    let arguments: Vec<Value> = arguments.collect::<Result<_, _>>()?;
    match arguments.iter().find_map(why_lost) {
        Some(loss) => Err(format!("an argument cannot be rebuilt: {loss}")),
        None => Ok(arguments),
    }
}

/// The elements that the loop went over, put together from what its pattern bound.
pub fn items(recorded: &RecordedSite, set: &ValueSet, spot: &Spot) -> Result<Vec<Value>, String> {
    let bound: Vec<&str> =
        recorded.site.slots.iter().filter(|slot| slot.phase == Phase::Item).map(|slot| slot.name.as_str()).collect();
    let values = recorded.values(set, Phase::Item);
    let pattern = spot.pattern.as_ref().ok_or("the loop has no pattern")?;
    if bound.is_empty() {
        return Err("the loop variable is not bound".to_owned());
    }
    let passes = values.chunks(bound.len());
    let items = passes.map(|pass| {
        let of = |name: &str| pass.iter().find(|(bound, _)| *bound == name).map(|(_, value)| (*value).clone());
        let bound = || match pass {
            [(_, value)] => (*value).clone(),
            several => Value::Tuple(several.iter().map(|(_, value)| (*value).clone()).collect()),
        };
        match mapping(pattern) {
            Some(_) => Ok(bound()),
            None => element(pattern, &of, None)
                .ok_or_else(|| "its elements cannot be put together from the loop's pattern".to_owned()),
        }
    });
    let items: Vec<Value> = items.collect::<Result<_, _>>()?;
    if let Some(reason) = items.iter().find_map(why_lost) {
        return Err(format!("an element cannot be compared: {reason}"));
    }
    if items.is_empty() {
        return Err("the loop went over nothing".to_owned());
    }
    Ok(items)
}

/// A closure that takes what is bound out of an element, where the pattern of a loop leaves parts of it out.
pub fn mapping(pattern: &Pat) -> Option<String> {
    if element(pattern, &|_| Some(Value::Unit), None).is_some() || !is_plain(pattern) {
        return None;
    }
    let names: Vec<String> = bindings_of(pattern).into_iter().map(|(name, _)| name).collect();
    let bound = match names.as_slice() {
        [] => return None,
        [name] => name.clone(),
        several => format!("({})", several.join(", ")),
    };
    Some(format!("|{}| {bound}", written(pattern)?))
}

/// Whether nothing in the pattern is bound as changeable or by reference.
fn is_plain(pattern: &Pat) -> bool {
    bindings_of(pattern).iter().all(|(_, is_special)| !is_special)
}

/// The pattern as one writes it.
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

/// The value that a pattern was matched with, from the values that it bound; `ignored` stands for what it does not bind.
pub fn element(pattern: &Pat, of: &dyn Fn(&str) -> Option<Value>, ignored: Option<&Value>) -> Option<Value> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => of(&name.ident.to_string()),
        Pat::Wild(_) => ignored.cloned(),
        Pat::Paren(inner) => element(&inner.pat, of, ignored),
        Pat::Type(typed) => element(&typed.pat, of, ignored),
        Pat::Tuple(tuple) => {
            let parts: Option<Vec<Value>> = tuple.elems.iter().map(|part| element(part, of, ignored)).collect();
            parts.map(Value::Tuple)
        }
        Pat::Reference(reference) => {
            let inner = Box::new(element(&reference.pat, of, ignored)?);
            Some(Value::Ref { mutable: reference.mutability.is_some(), inner })
        }
        _ => None,
    }
}
