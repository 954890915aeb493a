#!/bin/sh
# Demonstrates PhotoSpots with the samples; 'make demo' runs it from the root of the package. $photospots is the program,
# $folder an empty folder for its index and state.
set -eu
: "${photospots:?}" "${folder:?}"

index=$folder/index.json
# The shorter path to the same program, for the user to type.
[ .build/debug/photospots -ef "$photospots" ] && photospots=.build/debug/photospots

# Prints the number of a JSON member.
number() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"; }
# Prints the time of day of a fix or an alert.
clock() { sed 's/.*T\([0-9][0-9]:[0-9][0-9]\).*/\1/'; }

summary=$("$photospots" index Samples/photos --index "$index" --json)
spots=$("$photospots" spots --index "$index" | wc -l)
printf '%s photos found in Samples/photos: %s have a position, at %s places.\n' \
  "$(echo "$summary" | number scanned)" "$(echo "$summary" | number located)" "$((spots))"

# Each alert runs this program, which records it as three lines.
cat > "$folder/hook" << 'END'
#!/bin/sh
cd "$(dirname "$0")"
printf '%s\n%s\n%s\n' "$PHOTOSPOTS_TIME" "$PHOTOSPOTS_TEXT" "$PHOTOSPOTS_SPOT_COVER" >> alerts
END
chmod +x "$folder/hook"
"$photospots" watch Samples/walk.nmea --hook "$folder/hook" --index "$index" \
  --state "$folder/state" > /dev/null
fixes=$("$photospots" fixes Samples/walk.nmea)

printf '\nA walk in Paris on 16 May 2026, as a GPS receiver recorded it (UTC):\n'
printf '  %s  The walk begins.\n' "$(echo "$fixes" | head -n 1 | clock)"
while read -r time && read -r text && read -r photo; do
  printf '  %s  ' "$(echo "$time" | clock)"
  echo "$text" | fold -s -w 71 | sed '2,$s/^/         /; s/ *$//'
  printf '         %s\n' "${photo#"$PWD"/}"
done < "$folder/alerts"
printf '  %s  The walk ends, without other alerts.\n' "$(echo "$fixes" | tail -n 1 | clock)"

cat << END

Try it with your own photos:
  $photospots index ~/Pictures     # reads them, changes none
  $photospots spots --limit 10     # where you took most of them
  $photospots watch track.gpx      # a walk that you recorded

This one was built quickly, without the server. 'make install' builds all of
it, and then shows the same in a browser, on a map:
  photospots serve Samples
END
