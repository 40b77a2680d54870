#!/bin/sh
# check.sh: tries tally.sh on small inputs, one after the other. Exits with 1 if a sum is wrong.
cd "$(dirname "$0")" || exit 1
pause=${CHECK_PAUSE:-1}
failed=0

# check NAME WANT: tallies standard input and compares.
check() {
	printf 'checking %-14s' "$1"
	sleep "$pause"
	got=$(sh tally.sh)
	if [ "$got" = "$2" ]; then
		echo "ok"
	else
		echo "WRONG: got $got, want $2"
		failed=1
	fi
}

printf 'name,hours\n' | check "nobody" 0
printf 'name,hours\nann,3\n' | check "one person" 3
printf 'name,hours\nann,3\nben,5\n' | check "two people" 8
check "the file" 18 < hours.csv

if [ "$failed" = 0 ]; then
	echo "all sums are right"
else
	echo "some sums are wrong"
fi
exit "$failed"
