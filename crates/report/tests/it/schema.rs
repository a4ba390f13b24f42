//! JSON Schema, as much of draft 7 as the schemas of these tests use; other keywords panic.

use serde_json::Value;

/// The violations of the schema, each with its place in the instance.
pub(crate) fn faults(schema: &Value, instance: &Value) -> Vec<String> {
    let mut faults = vec![];
    check(schema, schema, instance, "", &mut faults);
    faults
}

fn is_valid(root: &Value, schema: &Value, instance: &Value) -> bool {
    let mut faults = vec![];
    check(root, schema, instance, "", &mut faults);
    faults.is_empty()
}

fn check(root: &Value, schema: &Value, instance: &Value, at: &str, faults: &mut Vec<String>) {
    let rules = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return faults.push(format!("{at}: nothing is allowed here")),
        _ => schema.as_object().expect("a schema"),
    };
    if let Some(to) = rules.get("$ref") {
        // Draft 7 ignores what is beside a reference.
        let pointer = to.as_str().unwrap().strip_prefix('#').expect("in the file");
        let target = root.pointer(pointer).expect("a definition");
        return check(root, target, instance, at, faults);
    }
    for (rule, value) in rules {
        if !holds(root, rules, rule, value, instance, at, faults) {
            faults.push(format!("{at}: {rule} is {value}, here is {instance}"));
        }
    }
}

/// Does a rule hold? Faults deeper in the instance go to `faults`.
fn holds(
    root: &Value,
    rules: &serde_json::Map<String, Value>,
    rule: &str,
    value: &Value,
    instance: &Value,
    at: &str,
    faults: &mut Vec<String>,
) -> bool {
    let (object, array) = (instance.as_object(), instance.as_array());
    let (text, number) = (instance.as_str(), instance.as_f64());
    let size = value.as_u64().map(|n| n as usize);
    let some = |schemas: &Value| {
        let schemas = schemas.as_array().unwrap().iter();
        schemas.filter(|s| is_valid(root, s, instance)).count()
    };
    match rule {
        "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
        "type" => match value.as_array() {
            Some(types) => types.iter().any(|t| is_of(t, instance)),
            None => is_of(value, instance),
        },
        "enum" => value.as_array().unwrap().contains(instance),
        "const" => value == instance,
        "anyOf" => some(value) > 0,
        "oneOf" => some(value) == 1,
        "minimum" => number.is_none_or(|n| n >= value.as_f64().unwrap()),
        "maximum" => number.is_none_or(|n| n <= value.as_f64().unwrap()),
        "pattern" => text.is_none_or(|t| matches(value.as_str().unwrap(), t)),
        "format" => text.is_none_or(|t| is_formatted(value.as_str().unwrap(), t)),
        "minItems" => array.is_none_or(|a| a.len() >= size.unwrap()),
        "maxItems" => array.is_none_or(|a| a.len() <= size.unwrap()),
        "uniqueItems" => array.is_none_or(|a| {
            value == false || a.iter().enumerate().all(|(i, v)| !a[..i].contains(v))
        }),
        "items" => {
            for (i, item) in array.into_iter().flatten().enumerate() {
                check(root, value, item, &format!("{at}/{i}"), faults);
            }
            true
        }
        "required" => object.is_none_or(|o| {
            let names = value.as_array().unwrap();
            names.iter().all(|n| o.contains_key(n.as_str().unwrap()))
        }),
        "properties" => {
            for (name, schema) in value.as_object().unwrap() {
                if let Some(inner) = object.and_then(|o| o.get(name)) {
                    check(root, schema, inner, &format!("{at}/{name}"), faults);
                }
            }
            true
        }
        "additionalProperties" => {
            for (name, inner) in object.into_iter().flatten() {
                if rules.get("properties").is_none_or(|p| p.get(name).is_none()) {
                    check(root, value, inner, &format!("{at}/{name}"), faults);
                }
            }
            true
        }
        _ => panic!("the keyword {rule}"),
    }
}

fn is_of(kind: &Value, instance: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "object" => instance.is_object(),
        "array" => instance.is_array(),
        "string" => instance.is_string(),
        "number" => instance.is_number(),
        "integer" => instance.as_f64().is_some_and(|n| n.fract() == 0.0),
        "boolean" => instance.is_boolean(),
        "null" => instance.is_null(),
        other => panic!("the type {other}"),
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    match pattern {
        "^[a-z0-9-]+$" => {
            let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            !text.is_empty() && text.bytes().all(known)
        }
        "^[0-9a-f]{16}$" => text.len() == 16 && text.bytes().all(hex),
        "[^/]+/.+" => (text.split_once('/')).is_some_and(|(a, b)| !a.is_empty() && !b.is_empty()),
        _ => panic!("the pattern {pattern}, for {text}"),
    }
}

fn is_formatted(format: &str, text: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    match format {
        "uri-reference" => text.chars().all(plain),
        "uri" => text.contains(':') && text.chars().all(plain),
        _ => panic!("the format {format}, for {text}"),
    }
}

#[test]
fn each_rule_of_a_schema_finds_its_fault() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["a"],
        "additionalProperties": false,
        "properties": {
            "a": { "type": "array", "items": { "$ref": "#/definitions/n" }, "uniqueItems": true },
            "b": { "type": ["string", "null"], "pattern": "^[0-9a-f]{16}$" },
            "c": { "anyOf": [{ "const": 1 }, { "enum": ["x", "y"] }], "minimum": 1 },
            "d": { "minItems": 1, "maxItems": 2 },
            "e": { "oneOf": [{ "minimum": 1 }, { "maximum": 5 }] },
            "f": { "format": "uri" },
        },
        "definitions": { "n": { "type": "integer", "minimum": 0, "maximum": 9 } },
    });
    let sound = r#"{"a": [1, 2.0], "b": null, "c": "x", "d": [1], "e": 9, "f": "a:b"}"#;
    assert!(faults(&schema, &serde_json::from_str(sound).unwrap()).is_empty());
    for faulty in [
        r#"[]"#,
        r#"{}"#,
        r#"{"a": [], "z": 1}"#,
        r#"{"a": [1, 1]}"#,
        r#"{"a": [1.5]}"#,
        r#"{"a": [-1]}"#,
        r#"{"a": [10]}"#,
        r#"{"a": [], "b": 1}"#,
        r#"{"a": [], "b": "0123"}"#,
        r#"{"a": [], "c": "z"}"#,
        r#"{"a": [], "d": []}"#,
        r#"{"a": [], "d": [1, 2, 3]}"#,
        r#"{"a": [], "e": 3}"#,
        r#"{"a": [], "f": "a b"}"#,
    ] {
        let found = faults(&schema, &serde_json::from_str(faulty).unwrap());
        assert_eq!(found.len(), 1, "{faulty}: {found:?}");
    }
}
