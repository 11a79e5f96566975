//! Pages with hostile texts.

use super::*;

/// Ways to run a script from a source, a name, a tag or an output.
const PAYLOADS: [&str; 16] = [
    "<script>hacked()</script>",
    "</script><script>hacked()</script>",
    "</SCRIPT ><script>hacked()</script>",
    "<img src=x onerror=hacked()>",
    "<svg onload=hacked()>",
    "<svg><script>hacked()</script></svg>",
    "\"><script>hacked()</script>",
    "' onmouseover='hacked()",
    "<iframe src=javascript:hacked()>",
    "<a href=\"javascript:hacked()\">x</a>",
    "<!--<script>",
    "--><script>hacked()</script>",
    "<![CDATA[<script>hacked()</script>]]>",
    "</style></title></textarea><script>hacked()</script>",
    "{{script}}{{data}}{{policy}}",
    "<\\/script><script>hacked()</script>\u{2028}\u{2029}",
];

fn hostile(payload: &str) -> Page {
    let text = payload.to_owned();
    Page {
        title: text.clone(),
        numbers: vec![(text.clone(), text.clone())],
        entries: vec![Entry {
            name: text.clone(),
            kind: text.clone(),
            outcome: text.clone(),
            is_bad: true,
            tags: vec![text.clone()],
            file: Some(text.clone()),
            line: Some(1),
            about: Some((1, 1)),
            text: text.clone(),
        }],
        sources: BTreeMap::from([(text.clone(), text.clone())]),
        sets: Some(Sets {
            title: text.clone(),
            left: (text.clone(), 1),
            right: (text.clone(), 1),
            both: 1,
            neither: 0,
            unknown: 0,
        }),
        distributions: vec![Distribution {
            title: text.clone(),
            bars: vec![(text.clone(), 1)],
        }],
        trees: Vec::new(),
    }
}

#[test]
fn no_text_becomes_markup_wherever_it_stands() {
    let plain = hostile("plain").html().unwrap();
    for payload in PAYLOADS {
        let html = hostile(payload).html().unwrap();
        let count = |part: &str| html.to_ascii_lowercase().matches(part).count();
        let expected = |part: &str| plain.to_ascii_lowercase().matches(part).count();
        for part in ["</script", "</style", "<meta", "<!--"] {
            assert_eq!(count(part), expected(part), "`{part}` with {payload:?}");
        }
        let (before, rest) = html
            .split_once("<script id=\"data\" type=\"application/json\">")
            .unwrap();
        let (data, after) = rest.split_once("</script>").unwrap();
        for outside in [before, after] {
            assert!(
                !outside.contains(payload),
                "{payload:?} stands outside the data"
            );
        }
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["entries"][0]["text"], payload);
    }
}

#[test]
fn a_page_is_whole_whatever_the_sources_hold() {
    let mut page = Page {
        title: "t".to_owned(),
        ..Page::default()
    };
    let hostile = "let x = \"</script><!-- {{style}} {{data}}\";";
    page.sources
        .insert("src/a.rs".to_owned(), hostile.to_owned());
    let html = page.html().unwrap();
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(html.contains("<\\/script>") && !html.contains("<!-- {{"));
    assert_eq!(
        html.matches("{{").count(),
        2,
        "only those of the source are left"
    );
    assert!(html.trim_end().ends_with("</html>"));
    assert!(
        !html.contains("http://") && !html.contains("https://"),
        "needs nothing from outside"
    );
}

#[test]
fn a_page_names_its_own_style_and_script_and_allows_nothing_else() {
    let html = Page::default().html().unwrap();
    let policy = html
        .split_once("Content-Security-Policy\" content=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0;
    let between = |open: &str, close: &str| {
        html.split_once(open)
            .unwrap()
            .1
            .split_once(close)
            .unwrap()
            .0
            .to_owned()
    };
    let style = between("<style>", "</style>");
    let script = html
        .rsplit_once("<script>")
        .unwrap()
        .1
        .split_once("</script>")
        .unwrap()
        .0
        .to_owned();
    assert_eq!(policy, policy::policy(&style, &script));
    assert!(
        policy.starts_with("default-src 'none';") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert!(
        html.find("Content-Security-Policy").unwrap() < html.find("<style>").unwrap(),
        "{html}"
    );
}
