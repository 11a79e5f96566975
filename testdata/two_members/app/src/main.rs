fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{}", member_lib::initials(&words.join(" ")));
}
