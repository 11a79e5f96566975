//! Results as documents: HTML pages, JUnit XML, GitHub annotations, Stryker's JSON.

pub mod github;
pub mod junit;
pub mod page;
pub mod stryker;

#[cfg(test)]
mod tests {
    use super::github::failed_tests;
    use super::junit::junit;
    use super::page::Page;
    use crate::cargo::workspace::SecretNames;
    use crate::programs::catalog::Kind;
    use crate::suite::event::{Ended, Outcome, Summary};
    use crate::suite::run::Report;
    use std::path::Path;

    #[test]
    fn no_report_for_others_has_a_secret() {
        let ended = |outcome: Outcome, output: &str| Ended {
            name: "tests::login".to_owned(),
            kind: Kind::Unit,
            package: "mine".to_owned(),
            target: "lib mine".to_owned(),
            file: None,
            line: None,
            about: None,
            tags: Vec::new(),
            outcome,
            runs: 1,
            failures: 1,
            output: output.to_owned(),
            seconds: None,
        };
        let failed =
            "left: Login { password: \"of-report 77\" }\n right: Err(\"http://me:in-a-url@host/\")";
        let tests = vec![
            ended(Outcome::Failed, failed),
            ended(Outcome::Failed, "login OF-REPORT 77 is refused"),
            ended(Outcome::Skipped, "of-report 77 is too short"),
        ];
        let report = Report {
            tests,
            summary: Summary::default(),
        };
        let masked = report.masked(&SecretNames::default());
        let reports = [
            junit(&masked),
            failed_tests(&masked),
            serde_json::to_string(&masked.tests).unwrap(),
            Page::of_tests(Path::new("."), &masked).html().unwrap(),
        ];
        for text in reports {
            let lower = text.to_lowercase();
            assert!(
                !lower.contains("of-report") && !lower.contains("in-a-url"),
                "{text}"
            );
            assert!(
                text.contains("withheld") && text.contains("login"),
                "{text}"
            );
        }
        assert_eq!(
            report.tests[0].output, failed,
            "what is shown to the user alone is what the test said"
        );
    }
}
