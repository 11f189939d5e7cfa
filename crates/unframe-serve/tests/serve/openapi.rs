//! The document says what the service does.

use std::collections::HashSet;

use serde_json::Value;

use crate::client::Running;

/// Every `$ref` of a value.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn the_document_is_whole() {
    let document = unframe_serve::openapi();
    assert_eq!(document["openapi"], "3.1.0");
    let mut found = Vec::new();
    references(&document, &mut found);
    for reference in &found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for name in schemas.keys() {
        assert!(found.contains(&format!("#/components/schemas/{name}")), "{name} is used by nothing");
    }
    let operations: Vec<&Value> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|path| path.as_object().unwrap().values())
        .collect();
    let names: HashSet<&str> =
        operations.iter().map(|operation| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.len(), operations.len());
}

#[test]
fn the_service_has_what_the_document_names() {
    let service = Running::new();
    let document = service.get("/openapi.json").json();
    assert_eq!(document, unframe_serve::openapi());
    for (path, operations) in document["paths"].as_object().unwrap() {
        let path =
            path.replace("{page}", "77").replace("{job}", "77").replace("{template}", "0123456789abcdef");
        let path = path
            .replace("{site}", "none.example")
            .replace("{model}", "none")
            .replace("{classifier}", "none")
            .replace("{file}", "main.js");
        let operations = operations.as_object().unwrap();
        for method in operations.keys() {
            let answer = service.ask(&method.to_uppercase(), &path, &[], b"");
            let is_known = answer.status != 405 && (answer.status != 404 || answer.code() != "not-found");
            assert!(is_known && answer.status < 500, "{method} {path}: {answer:?}");
        }
        for method in ["get", "post", "put", "delete", "patch"]
            .iter()
            .filter(|method| !operations.contains_key(**method))
        {
            let answer = service.ask(&method.to_uppercase(), &path, &[], b"");
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (405, "method-not-allowed"),
                "{method} {path}"
            );
        }
    }
}
