//! One self-contained HTML page: the call tree of each scenario, clickable to its tests.

use super::report::{Carved, Report, Summary};
use super::tree::Node;
use std::collections::BTreeSet;

const FRAME: &str = include_str!("page/frame.html");
const STYLE: &str = include_str!("page/style.css");

/// The whole page, which needs nothing else: no network, no other file, no script.
pub fn page(report: &Report) -> String {
    let mut body = numbers(&report.summary);
    let mut drawn = BTreeSet::new();
    for tree in &report.trees {
        body.push_str(&format!("<h2>From <code>{}</code></h2>\n<ul class=\"tree\">\n", escaped(&tree.function)));
        node(tree, &mut drawn, &mut body);
        body.push_str("</ul>\n");
    }
    body.push_str("<h2>Tests</h2>\n");
    for test in &report.tests {
        body.push_str(&section(test));
    }
    if !report.summary.refused.is_empty() {
        body.push_str("<h2>Not shown</h2>\n<table>\n");
        for (reason, count) in &report.summary.refused {
            body.push_str(&format!("<tr><td>{count}</td><td>{}</td></tr>\n", escaped(reason)));
        }
        body.push_str("</table>\n");
    }
    // What was recorded goes in last: it may hold anything, also the marks.
    FRAME.replace("{{style}}", STYLE).replacen("{{body}}", &body, 1)
}

fn numbers(summary: &Summary) -> String {
    let numbers = [
        ("functions seen", summary.functions_seen),
        ("distinct calls", summary.calls),
        ("tests attempted", summary.attempted),
        ("shown", summary.shown),
        ("branches taken by the run", summary.branches),
        ("and by the tests", summary.branches_taken),
    ];
    let existing = [
        ("by tests that were there", summary.branches_of_existing_tests),
        ("new to them", summary.branches_new_to_tests),
    ];
    let existing = existing.into_iter().filter_map(|(name, number)| Some((name, number?)));
    let numbers: Vec<(&str, usize)> = numbers.into_iter().chain(existing).collect();
    let items = numbers.iter().map(|(name, number)| format!("<li><b>{number}</b> {name}</li>\n"));
    format!("<ul class=\"numbers\">\n{}</ul>\n", items.collect::<String>())
}

/// `drawn` are the functions that stand somewhere else in the trees already: links lead to the first place.
fn node(tree: &Node, drawn: &mut BTreeSet<String>, page: &mut String) {
    let name = anchor(&tree.file, &tree.function, "");
    let id = if drawn.insert(name.clone()) { format!(" id=\"{name}\"") } else { String::new() };
    let class = if tree.is_chosen { "" } else { " class=\"other\"" };
    page.push_str(&format!(
        "<li{class}{id}><details class=\"node\" open><summary><code>{}</code> <span class=\"place\">{}:{}, {} calls, {} distinct\
         </span></summary>\n<ul>\n",
        escaped(&tree.function),
        escaped(&tree.file),
        tree.line,
        tree.hits,
        tree.calls
    ));
    for test in &tree.tests {
        let (anchor, name) = (anchor(&tree.file, &tree.function, test), escaped(test));
        page.push_str(&format!("<li class=\"test\"><a href=\"#{anchor}\">✓ {name}</a></li>\n"));
    }
    for reason in &tree.refused {
        page.push_str(&format!("<li class=\"why\">not shown: {}</li>\n", escaped(reason)));
    }
    for leaf in &tree.leaves {
        page.push_str(&format!("<li class=\"leaf\">leaves by <code>{}</code></li>\n", escaped(leaf)));
    }
    for child in &tree.children {
        node(child, drawn, page);
    }
    page.push_str("</ul></details></li>\n");
}

fn section(test: &Carved) -> String {
    let anchor = anchor(&test.file, &test.function, &test.name);
    let place = format!("{}:{}", escaped(&test.file), test.line);
    let (function, text) = (escaped(&test.function), escaped(test.text.trim_end()));
    format!(
        "<section id=\"{anchor}\"><p><a href=\"#{}\"><code>{function}</code></a> <span class=\"place\">{place}</span></p>\n\
         <pre>{text}</pre></section>\n",
        self::anchor(&test.file, &test.function, "")
    )
}

fn anchor(file: &str, function: &str, test: &str) -> String {
    let text = format!("{file}-{function}-{test}");
    text.chars().map(|char| if char.is_alphanumeric() { char } else { '-' }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(function: &str, tests: Vec<String>, children: Vec<Node>) -> Node {
        Node {
            function: function.to_owned(),
            file: "src/a.rs".to_owned(),
            line: 3,
            hits: 4,
            calls: 2,
            is_chosen: true,
            leaves: vec!["fs::read(\"</code>\")".to_owned()],
            tests,
            refused: Vec::new(),
            children,
        }
    }

    #[test]
    fn a_page_is_whole_whatever_the_sources_hold() {
        let inner = leaf("inner", vec!["inner_returning_3".to_owned()], Vec::new());
        let tests = vec![leaf("outer<T>", Vec::new(), vec![inner.clone()]), inner];
        let report = Report { trees: tests, ..Report::default() };
        let page = page(&report);
        assert!(page.contains("outer&lt;T&gt;") && page.contains("fs::read(&quot;&lt;/code&gt;&quot;)"));
        assert!(page.contains("href=\"#src-a-rs-inner-inner-returning-3\""));
        assert_eq!(page.matches("id=\"src-a-rs-inner-\"").count(), 1, "an id is there once");
        assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        assert!(!page.contains("{{") && !page.contains("<script") && !page.contains("http"));
    }
}
