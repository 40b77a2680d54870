package proc

// guardScript reads the mark, then waits: a second line dismisses it, the end of input means that parley has ended. It kills
// until it finds nothing, because killed processes may have started others, five times: a process that is becoming another
// program shows no mark. An empty mark would match everything.
const guardScript = `trap '' HUP INT QUIT TERM TSTP PIPE
read -r mark || exit 0
case $mark in PARLEY_RUN=?*.*.*.) ;; *) exit 1 ;; esac
read -r word && exit 0
round=0
none=0
while [ $round -lt 20 ]; do
	found=
	for file in $(grep -lsF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
		pid=${file#/proc/}
		kill -9 "${pid%/environ}" 2>/dev/null && found=1
	done
	if [ -z "$found" ]; then
		none=$((none + 1))
		[ $none -lt 5 ] || exit 0
		continue
	fi
	none=0
	round=$((round + 1))
	[ $round -lt 3 ] || sleep 1
done
`
