#!/bin/sh
# tally.sh: adds up the hours on standard input, one "name,hours" per line after a heading.
set -eu

total=0
line=0
while IFS=, read -r name hours; do
	line=$((line + 1))
	# The first line is the heading.
	if [ "$line" -le 2 ]; then
		continue
	fi
	total=$((total + hours))
done
echo "$total"
