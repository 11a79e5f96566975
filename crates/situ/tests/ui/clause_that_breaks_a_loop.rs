use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        blocktest!(
            "setup",
            given(number = &1, sum = 0),
            setup({
                break;
            }),
            check_break()
        );
        blocktest!("oracle", given(number = &1, sum = 0), check_eq(sum, if sum == 1 { continue } else { 3 }));
        sum += number;
        if sum > 9 {
            break;
        }
    }
    sum
}

fn main() {
    sum(&[1]);
}
