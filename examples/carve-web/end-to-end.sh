#!/bin/sh
# What visitors do in a day. Needs the program: `carve-web` on the path, or SITU_BIN.
set -e
web=${SITU_BIN:-carve-web}
folder=$(mktemp -d)
trap 'kill $service $weather 2> /dev/null; rm -r "$folder"' EXIT

# Waits until a server says its address in a file.
address() {
    tries=0
    until [ -s "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || exit 1
        sleep 0.1
    done
    cat "$1"
}

ask() {
    if command -v curl > /dev/null; then curl -s -X "$1" "http://$2"; else "$web" "$(echo "$1" | tr A-Z a-z)" "http://$2"; fi
    echo
}

"$web" weather "$folder/weather" & weather=$!
"$web" serve "$folder/people.db" "http://$(address "$folder/weather")/" "$folder/web" & service=$!
web_address=$(address "$folder/web")

ask PUT "$web_address/people/james/carter"
ask PUT "$web_address/people/jimmy/carter"
ask PUT "$web_address/people/agent/007"
ask GET "$web_address/hello/carter"
ask GET "$web_address/hello/nobody"
ask GET "$web_address/weather"
ask GET "$web_address/weather"
ask GET "$web_address/weather"
