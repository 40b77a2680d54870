//go:build unix && !linux

package proc

// guardScript reads the mark, then waits: a second line dismisses it, the end of input means that parley has ended. It kills
// until it finds nothing, because killed processes may have started others. An empty mark would match everything.
const guardScript = `trap '' HUP INT QUIT TERM TSTP PIPE
read -r mark || exit 0
case $mark in PARLEY_RUN=?*.*.*.) ;; *) exit 1 ;; esac
read -r word && exit 0
round=0
while [ $round -lt 20 ]; do
	found=$(ps -A -ww -E -o pid=,command= | while read -r pid rest; do
		case " $rest" in
		*" $mark"*) kill -9 "$pid" 2>/dev/null && echo "$pid" ;;
		esac
	done)
	[ -n "$found" ] || exit 0
	round=$((round + 1))
	[ $round -lt 3 ] || sleep 1
done
`
