//! The HTML page in a browser: what it draws and lists, once its script has run, in light and dark and with many entries, and whether
//! people can use it who do not see it as others do.

use crate::project::Project;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A library that holds what would run a script if it became markup: it is in sources, in tests and in differences.
const LIB: &str = r#"pub fn label(number: usize) -> &'static str {
    let label = LABELS[number % LABELS.len()].trim();
    label
}

pub const LABELS: [&str; 5] = [
    "</script><script>document.documentElement.dataset.hacked = 1</script>",
    "<img src=x onerror='document.documentElement.dataset.hacked = 1'>",
    "<svg onload='document.documentElement.dataset.hacked = 1'>",
    "<!--<script>document.documentElement.dataset.hacked = 1</script>",
    "<a href='javascript:document.documentElement.dataset.hacked = 1'>",
];

pub fn double(x: u32) -> u32 {
    let text = x.to_string().trim().to_owned();
    text.parse::<u32>().unwrap_or(0) * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
        assert!((0..5).all(|number| super::label(number).starts_with('<')));
    }
}
"#;

/// What a document has in it once a script has run that is not its own.
const HACKED: &str = "data-hacked=";

/// The document after its script has run; none where there is no browser.
fn rendered(page: &Path) -> Option<String> {
    rendered_with(page, &[])
}

fn rendered_with(page: &Path, options: &[&str]) -> Option<String> {
    let address = format!("file://{}", page.display());
    let mut browser = Command::new("chromium");
    browser.args(options).args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--virtual-time-budget=8000",
        "--dump-dom",
        &address,
    ]);
    match browser.output() {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap()),
        _ => {
            assert!(
                std::env::var_os("SITU_TOOLS_REQUIRED").is_none(),
                "CI has Chromium; `.ci/tools` installs it"
            );
            eprintln!("skipped: Chromium is not installed; `.ci/tools` installs it");
            None
        }
    }
}

/// A page that lets others' scripts run.
fn without_policy(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap();
    let (before, rest) = text
        .split_once("<meta http-equiv=\"Content-Security-Policy\"")
        .unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    format!("{before}{after}")
}

/// What axe-core finds is written into the document, between these.
const FOUND: (&str, &str) = ("<pre id=\"axe\">", "</pre>");

/// Fails for whatever axe-core finds wrong with the page, in light or in dark.
fn assert_accessible(page: &Path) {
    let axe = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .with_file_name("tools")
        .join("axe.min.js");
    let Ok(axe) = fs::read_to_string(axe) else {
        assert!(
            std::env::var_os("SITU_TOOLS_REQUIRED").is_none(),
            "CI has axe-core; `.ci/tools` installs it"
        );
        eprintln!("skipped: axe-core is not there; `.ci/tools` installs it");
        return;
    };
    let check = "axe.run().then(found => {
        const said = found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${rule.help}: ${node.html}`));
        const shown = document.createElement('pre');
        shown.id = 'axe';
        shown.textContent = `${found.passes.length} rules hold\\n${said.join('\\n')}`;
        document.body.append(shown);
    });";
    let text = without_policy(page);
    let checked = page.with_file_name("checked.html");
    let scripts = format!(
        "<script>{axe}</script><script>window.onload = () => {{ {check} }};</script></body>"
    );
    fs::write(&checked, text.replace("</body>", &scripts)).unwrap();
    for scheme in ["0", "1"] {
        let option = format!("--blink-settings=preferredColorScheme={scheme}");
        let Some(document) = rendered_with(&checked, &[&option]) else {
            return;
        };
        let found = document
            .rsplit_once(FOUND.0)
            .and_then(|(_, rest)| rest.split_once(FOUND.1));
        let (found, _) = found.unwrap_or_else(|| {
            panic!(
                "axe-core said nothing in\n{}",
                &document[document.len() - 2000..]
            )
        });
        let (rules, wrong) = found.split_once('\n').unwrap();
        assert_ne!(rules, "0 rules hold");
        assert_eq!(wrong, "", "{}, colour scheme {scheme}", page.display());
    }
}

#[test]
fn a_browser_shows_the_results_of_each_verb() {
    let project = Project::library("", LIB);
    let page = project.path().join("target/page.html");
    let file = page.to_str().unwrap();
    let expected: [(&[&str], &[&str]); 3] = [
        (
            &["test", "--html", file],
            &["<b>1</b> passed", "tests::doubles", "1 of 1"],
        ),
        (
            &["mutants", "--html", file],
            &["survived", "killed", "text.parse"],
        ),
        (
            &["extract", "--all", "--html", file],
            &[
                "role=\"img\"",
                "extracted tests only",
                "Tests at a statement",
                "itest!(",
            ],
        ),
    ];
    for (arguments, words) in expected {
        assert_eq!(project.situ(arguments).code, 0, "{arguments:?}");
        let Some(document) = rendered(&page) else {
            return;
        };
        for word in words {
            assert!(
                document.contains(word),
                "{arguments:?}: no `{word}` in\n{document}"
            );
        }
        assert!(
            !document.contains(HACKED),
            "{arguments:?}: a text became markup"
        );
        assert_accessible(&page);
    }
    let foreign = "<script>document.documentElement.dataset.hacked = 1</script></body>";
    let with = |text: &str| {
        fs::write(&page, text.replace("</body>", foreign)).unwrap();
        rendered(&page).unwrap()
    };
    assert!(
        !with(&fs::read_to_string(&page).unwrap()).contains(HACKED),
        "the policy stops what is not the page's own"
    );
    assert!(
        with(&without_policy(&page)).contains(HACKED),
        "this test would notice"
    );
}

#[test]
fn the_call_tree_of_a_run_leads_to_its_tests() {
    let project = Project::library("", LIB);
    let page = project.path().join("target/page.html");
    let carved = project.situ(&["carve", "--quick", "--html", page.to_str().unwrap()]);
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    assert_accessible(&page);
    // What a reader does, once the page is there.
    let text = without_policy(&page);
    let click = "<script>[...document.querySelectorAll('.tree .test button')].find(button => button.textContent.includes('double')).click();</script></body>";
    fs::write(&page, text.replace("</body>", click)).unwrap();
    let Some(document) = rendered(&page) else {
        return;
    };
    assert!(!document.contains(HACKED));
    for word in [
        "Who called whom",
        "class=\"node good\"",
        "1 call, 1 distinct",
        "<li class=\"good\" aria-current=\"true\">",
    ] {
        assert!(document.contains(word), "no `{word}` in\n{document}");
    }
    let chosen = document
        .find("<pre class=\"chosen\">")
        .expect("the source shows the test that was chosen");
    assert!(
        document[chosen..].starts_with("<pre class=\"chosen\">#[test]\nfn double_returning_4()"),
        "{}",
        &document[chosen..]
    );
}

#[test]
fn labels_of_drawings_are_not_clipped() {
    let project = Project::library("", LIB);
    let page = project.path().join("target/page.html");
    assert_eq!(
        project
            .situ(&["test", "--html", page.to_str().unwrap()])
            .code,
        0
    );
    let bars = r#"[["strongly-coupled", 2], ["a class with a name that is much longer than any other", 12345678]]"#;
    let sets = r#"{"title":"t","left":["the crate's own unit tests and others only",1],"right":["extracted tests of all statements only",2],"both":3,"neither":12345678}"#;
    let text = without_policy(&page)
        .replacen(
            r#""distributions":[]"#,
            &format!(r#""distributions":[{{"title":"t","bars":{bars}}}]"#),
            1,
        )
        .replacen(r#""sets":null"#, &format!(r#""sets":{sets}"#), 1);
    let measure = "<script>
        const texts = [...document.querySelectorAll('figure svg text')].map(text => {
            const box = text.getBBox(), width = text.ownerSVGElement.viewBox.baseVal.width;
            return [text.textContent, box.x < 0 || box.x + box.width > width, box];
        });
        const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
        const clipped = texts.filter(([, out]) => out).map(([text]) => text);
        const figures = [...document.querySelectorAll('figure svg')];
        for (const figure of figures) {
            const boxes = [...figure.querySelectorAll('text')].map(text => [text.textContent, text.getBBox()]);
            boxes.forEach(([text, a], at) => boxes.slice(at + 1).forEach(([other, b]) => meet(a, b) && clipped.push(text + ' / ' + other)));
        }
        document.body.dataset.clipped = `${texts.length}: ${clipped.join('; ')}`;
    </script></body>";
    fs::write(&page, text.replace("</body>", measure)).unwrap();
    let Some(document) = rendered(&page) else {
        return;
    };
    let (_, found) = document.split_once("data-clipped=\"").unwrap();
    assert_eq!(found.split_once('"').unwrap().0, "10: ");
}

#[test]
fn ten_thousand_entries_are_listed() {
    let project = Project::library("", LIB);
    let page = project.path().join("target/page.html");
    assert_eq!(
        project
            .situ(&["test", "--html", page.to_str().unwrap()])
            .code,
        0
    );
    let text = fs::read_to_string(&page).unwrap();
    let start = text.find("\"entries\":[").unwrap() + "\"entries\":[".len();
    let end = start + text[start..].find("}]").unwrap() + 1;
    let entry = text[start..end].to_owned();
    let many = vec![entry; 10_000].join(",");
    fs::write(&page, format!("{}{many}{}", &text[..start], &text[end..])).unwrap();
    let Some(document) = rendered(&page) else {
        return;
    };
    assert!(document.contains("10000 of 10000"));
    assert!(
        document.matches("<li").count() > 10_000,
        "all of them are listed in the end"
    );
}
