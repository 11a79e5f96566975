pub fn initials(text: &str) -> String {
    text.split(' ').filter_map(|word| word.chars().next()).collect()
}

#[test]
fn initials_of_words() {
    assert_eq!(initials("ab cd"), "ac");
}
