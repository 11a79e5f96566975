use std::io::Read;

fn shorten(line: &str, most: usize) -> String {
    let short: String = line.chars().take(most).collect();
    short.trim_end().to_owned()
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let endless = std::env::args().any(|argument| argument == "--endless");
    loop {
        for line in input.lines() {
            println!("{} {}", shorten(line, 5), nasty::depth(line));
        }
        if !endless {
            break;
        }
        for number in 0..u32::MAX {
            nasty::threads::squeeze(number);
        }
    }
}
