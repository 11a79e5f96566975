//! Values that must not be found in any recording.

use std::collections::HashMap;

pub struct Login {
    pub user: String,
    pub password: String,
}

pub fn check(login: &Login) -> bool {
    let user = login.user.trim();
    let typed = login.password.trim();
    let length = typed.chars().count();
    user.starts_with("adm") && length > 3
}

pub fn header(headers: &HashMap<String, String>) -> usize {
    headers.iter().map(|(key, value)| key.len() + value.len()).sum()
}

/// The secret under another name.
pub fn strength(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_ascii_digit()).count()
}

pub fn account(iban_text: &str) -> String {
    iban_text.replace(' ', "")
}

#[test]
fn secrets_are_used() {
    let login = Login { user: "admin".to_owned(), password: "hunter2-secret".to_owned() };
    assert!(check(&login));
    assert_eq!(strength(&login.password), 1);
    let headers = HashMap::from([("authorization".to_owned(), "Bearer 0123456789".to_owned())]);
    assert_eq!(header(&headers), 30);
    assert_eq!(account("DE89 3704"), "DE893704");
}
