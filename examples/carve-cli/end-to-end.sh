#!/bin/sh
# Everything that a customer does in a day. Needs the program: `carve-cli` on the path, or SITU_BIN.
till=${SITU_BIN:-carve-cli}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
prices=prices.txt
cat > "$prices" <<'PRICES'
# what we sell
apple = 0.30
bread = 2.20
tea = 3.95
PRICES

"$till" "$prices" apple apple bread
"$till" "$prices" --coupon TENOFF tea bread
"$till" "$prices" --coupon NOPE tea
"$till" "$prices" --paid 5.00 tea
"$till" "$prices" --paid 1 bread tea
"$till" "$prices" pear
"$till" "$prices" --paid none apple
"$till" /nowhere apple
exit 0
