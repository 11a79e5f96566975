//! Checks what `--json` prints against the schemas that users can rely on, and reports against those of other tools; only the words that
//! these use are known here.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// Says where a line of a verb is not as its schema promises.
pub fn check(verb: &str, line: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("schemas")
        .join(format!("{verb}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("`{verb}` has no schema"));
    let schema: Value = serde_json::from_str(&text).unwrap();
    if let Err(why) = check_against(&schema, line) {
        panic!("`{verb} --json` breaks its schema: {why}\n{line}");
    }
}

/// Says where a value is not as a schema wants it.
pub fn check_against(schema: &Value, value: &Value) -> Result<(), String> {
    matches(schema, schema, value, "")
}

/// What `schemaVersion` of a mutation testing report looks like: `1`, `2.0`, `2.10.3`.
const VERSION: &str = r"^([1-2])(\.(([1-9]\d*)|0)){0,2}$";

fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_number = |part: &&str| {
        part.parse::<u32>()
            .is_ok_and(|number| number.to_string() == **part)
    };
    parts.len() <= 3 && matches!(parts[0], "1" | "2") && parts.iter().all(is_number)
}

fn matches(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    for (word, wanted) in schema.as_object().unwrap() {
        match word.as_str() {
            "$schema" | "$id" | "title" | "description" | "examples" | "definitions" | "format" => {
            }
            "$ref" => {
                let name = wanted
                    .as_str()
                    .unwrap()
                    .strip_prefix("#/definitions/")
                    .unwrap();
                matches(root, &root["definitions"][name], value, place)?;
            }
            "pattern" => {
                assert_eq!(wanted, VERSION, "nobody checks another pattern");
                if !value.as_str().is_some_and(is_version) {
                    return Err(format!("{place} is not like {wanted}: {value}"));
                }
            }
            "minimum" if value.as_f64() < wanted.as_f64() => {
                return Err(format!("{place} is less than {wanted}: {value}"));
            }
            "maximum" if value.as_f64() > wanted.as_f64() => {
                return Err(format!("{place} is more than {wanted}: {value}"));
            }
            "minimum" | "maximum" => {}
            "uniqueItems" => {
                let items = value.as_array().unwrap();
                let is_repeated = |(at, item): (usize, &Value)| items[..at].contains(item);
                if items.iter().enumerate().any(is_repeated) {
                    return Err(format!("{place} has an item twice"));
                }
            }
            "type" => {
                let kinds = wanted
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![wanted.clone()]);
                if !kinds
                    .iter()
                    .any(|kind| is_of(value, kind.as_str().unwrap()))
                {
                    return Err(format!("{place} is no {wanted}: {value}"));
                }
            }
            "enum" if wanted.as_array().unwrap().contains(value) => {}
            "enum" => return Err(format!("{place} is none of {wanted}: {value}")),
            "required" => {
                for key in wanted.as_array().unwrap() {
                    value
                        .get(key.as_str().unwrap())
                        .ok_or_else(|| format!("{place} has no {key}"))?;
                }
            }
            "properties" => {
                for (key, inner) in wanted.as_object().unwrap() {
                    value.get(key).map_or(Ok(()), |value| {
                        matches(root, inner, value, &format!("{place}.{key}"))
                    })?;
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let others = value.as_object().into_iter().flatten();
                for (key, inner) in
                    others.filter(|(key, _)| !known.is_some_and(|known| known.contains_key(*key)))
                {
                    matches(root, wanted, inner, &format!("{place}.{key}"))?;
                }
            }
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    matches(root, wanted, item, &format!("{place}[{at}]"))?;
                }
            }
            "anyOf" => {
                let tried: Vec<_> = wanted
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| matches(root, one, value, place))
                    .collect();
                if tried.iter().all(Result::is_err) {
                    return Err(tried
                        .into_iter()
                        .filter_map(Result::err)
                        .collect::<Vec<_>>()
                        .join("; or "));
                }
            }
            other => panic!("the schemas use `{other}`, which nobody checks"),
        }
    }
    Ok(())
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("the schemas use the type `{other}`, which nobody checks"),
    }
}
