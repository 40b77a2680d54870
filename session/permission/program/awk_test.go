package program

import (
	"strings"
	"testing"
)

var awkYes = []string{
	`{print $1}`, `{print}`, `1`, `NR==5`, `NR>=10 && NR<=20`, `NR>5`, `/foo/`, `!/foo/`, `/a/,/b/`, `/a/ && !/b/`, `$3 ~ /^x[0-9]+$/`,
	`$1 == "a b"`, `$1 !~ /x/ {print $2}`,
	`length > 80`, `length($0) > 80 {print NR": "$0}`, `{print $1, $NF}`, `{print NR ": " $0}`, `{print $(NF-1)}`,
	`BEGIN{FS=":"} {print $1}`, `BEGIN {FS=","; OFS="\t"} {print $1,$2}`,
	`{s+=$1} END {print s}`, `{s += $1; n++} END {print s/n}`, `END{print NR}`, `{count[$1]++} END {for (k in count) print k, count[k]}`,
	`!seen[$0]++`, `!seen[$1,$2]++`,
	`{printf "%s %d\n", $1, $2}`, `{if ($1 > 5) print $2; else print $3}`,
	`{for(i=1;i<=NF;i++) print $i}`, `{for (i=NF; i>0; i--) print $i}`,
	`{gsub(/[[:space:]]+/, " "); print}`, `{sub(/a\/b/, "x", $2); print $2}`, `{print substr($0, 1, 80)}`,
	`{n = split($0, a, ","); print a[n]}`, `{print toupper($1) tolower($2)}`,
	`NR%2==0`, `NR==1{print; next} {print $2}`, `/a/{f=1} f{print} /b/{f=0}`, `$2 > 100 {print $1} END {print NR}`,
	`{x = ($1 == "a") ? "y" : "n"; print x}`, `{print $1 / 2}`, `{print int($1/1024) "K"}`,
	"/a/ {\n  print $1\n  n++\n}\nEND { print n }", `match($0, /x+/) {print substr($0, RSTART, RLENGTH)}`, `NF`, `{$1=""; print}`,
	`{print length}`, `($1 in seen) {print}`, `{ if (!($1 in a)) { a[$1]=1; print } }`,
	`BEGIN{printf "%s\n", "x"}`, `{print "a\tb\n"}`, `$0 = tolower($0)`, `{print -$1, +$2}`, `{delete a[$1]}`, `{exit}`, `NR==3{exit 1}`,
	`{print $1 $2}`, `FNR==NR{a[$1]=$2; next} $1 in a{print $0, a[$1]}`,
}

var awkNo = []string{
	``, `{print > "PWNED"}`, `{print $1 > $2}`, `{print >> "PWNED"}`, `{print | "sh"}`, `{print $0 | $1}`, `{"date" | getline x}`,
	`{"date" |& getline}`, `BEGIN{system("touch PWNED")}`, `{system ($1)}`,
	`{getline; print}`, `{getline x < "/etc/passwd"}`, `BEGIN{while((getline l < "f") > 0) print l}`, `{print ENVIRON["HOME"]}`,
	`BEGIN{print ARGV[1]}`, `BEGIN{ARGV[1]="/etc/passwd"; ARGC=2}`, `@load "x"`, `@include "x"`,
	`BEGIN{close("x")}`, `BEGIN{fflush()}`, `function f(x){return x} {print f($1)}`, `{@f()}`, `{print PROCINFO["pid"]}`,
	`{printf "%n"}`, `{printf "%*d", 1, 2}`, `{print (1 > "x")}`, `{printf("x") > "f"}`,
	`{print "a" > "b" "c"}`, `{ "x" > "y" }`, `a / b; system("touch PWNED") / c`, `x++ / "/ ; system(q) ; "/`,
	`if (x) / " / ; system("x") ; " /`, `{if (x) / " /; system("touch PWNED"); " /}`,
	`/a\`, `"\x`, `{print "\`, "{print \\\n 1}",
	`{srand()}`, `{nextfile}`, `{print foo(1)}`, `{print foo (1)}`,
	`{print OFMT}`, `BEGIN{OFMT="%s%s%s"}`, `BEGIN{CONVFMT="x"}`, `{print é}`,
	`{x|y}`, `{x||}`, `{1 2 3 |"sh"}`, `{extension("x")}`,
	`{switch (x) {}}`, `{print > /dev/stdout}`, `{print$1>$2}`, `x >> y`, `{a["x" | "y"]}`,
}

func TestAwkOnlyReads(t *testing.T) {
	for _, p := range awkYes {
		if !awkOnlyReads(p) {
			t.Errorf("%q is refused", p)
		}
	}
	for _, p := range awkNo {
		if awkOnlyReads(p) {
			t.Errorf("%q is taken", p)
		}
	}
}

// FuzzAwk: whatever is taken has none of the signs and words by which awk reaches beyond its input.
func FuzzAwk(f *testing.F) {
	for _, p := range append(awkYes, awkNo...) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, program string) {
		if !awkOnlyReads(program) {
			return
		}
		for _, bad := range []string{"|", "@", "`", ">>", "system(", "system (", "getline", "ENVIRON", "ARGV", "PROCINFO", "close(", "function"} {
			if strings.Contains(program, bad) {
				t.Errorf("%q is taken with %s", program, bad)
			}
		}
	})
}
