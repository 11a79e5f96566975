//! Values that must not be found in any recording.

pub mod leaks;

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

/// The token of a parser is none.
#[derive(Clone, Copy, PartialEq)]
pub enum Token {
    Plus,
    Digit(u8),
}

pub fn value_of(token: Token) -> u8 {
    let value = if token == Token::Plus { 0 } else { 41 };
    let digit = match token {
        Token::Digit(digit) => digit & 0x0f,
        Token::Plus => 0,
    };
    value + digit
}

/// The token of a session is one, whatever holds it.
pub struct Session {
    pub token: String,
}

pub fn is_fresh(session: &Session, cookie: &[u8]) -> bool {
    let first = session.token.trim();
    let second = cookie.iter().filter(|byte| byte.is_ascii_digit()).count();
    first.len() == second
}

#[test]
fn secrets_are_used() {
    assert_eq!((value_of(Token::Plus), value_of(Token::Digit(1))), (0, 42));
    assert!(!is_fresh(&Session { token: "tok-5512-of-me".to_owned() }, b"sid=4417"));
    let login = Login { user: "admin".to_owned(), password: "hunter2-secret".to_owned() };
    assert!(check(&login));
    assert_eq!(strength(&login.password), 1);
    let headers = HashMap::from([("authorization".to_owned(), "Bearer 0123456789".to_owned())]);
    assert_eq!(header(&headers), 30);
    assert_eq!(account("DE89 3704"), "DE893704");
}

#[test]
fn secrets_from_outside_are_used() {
    let path = std::env::var("SAMPLE_FILE").unwrap_or_default();
    assert_eq!(leaks::everything(&path) > 0, !path.is_empty());
}

#[test]
fn what_is_no_secret_is_noted() {
    assert_eq!(leaks::note("Two words"), 3);
    assert_eq!(leaks::greet("bob"), "bob");
    assert_eq!(leaks::halves("ab"), ("a".to_owned(), "b".to_owned()));
}
