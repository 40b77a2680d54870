//go:build unix

package shell

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
)

// realShell is a shell with options that change how it reads. posix means that no alias of a reserved word counts in it.
type realShell struct {
	argv   []string
	splits bool // variables outside of quotes
	posix  bool
}

// realShells are the shells by name. Those that are not installed are logged; bash and sh have to be there.
var realShells = map[string][]realShell{
	"bash": {
		{argv: []string{"bash", "--norc", "--noprofile"}, splits: true},
		{argv: []string{"bash", "--posix"}, splits: true, posix: true},
		{argv: []string{"bash", "--norc", "-O", "extglob", "-O", "globstar", "-O", "lastpipe", "-H"}, splits: true},
	},
	"sh":   {{argv: []string{"sh"}, splits: true, posix: true}},
	"dash": {{argv: []string{"dash"}, splits: true, posix: true}},
	"ash":  {{argv: []string{"busybox", "ash"}, splits: true, posix: true}},
	"zsh": {
		{argv: []string{"zsh", "-f"}},
		{argv: []string{"zsh", "-f", "-o", "rcquotes", "-o", "extendedglob", "-o", "braceccl"}},
		{argv: []string{"zsh", "--emulate", "sh", "-o", "norcs"}, splits: true},
		{argv: []string{"zsh", "-f", "-o", "kshglob", "-o", "magicequalsubst"}},
	},
}

// prelude has the recorders: rec and fail record their words, out and err also print the first of them, all also reads the
// input. The aliases must never be used.
const prelude = `S1= S2=
mark() { printf '\002%s\n' "$1" >&9; printf '\002%s\n' "$1"; printf '\002%s\n' "$1" >&2; }
rec() { printf '%s\001' "$S1" "$S2" $(($#+1)) rec "$@" >&9; S1= S2=; }
fail() { printf '%s\001' "$S1" "$S2" $(($#+1)) fail "$@" >&9; S1= S2=; return 1; }
out() { printf '%s\001' "$S1" "$S2" $(($#+1)) out "$@" >&9; printf '%s' "$1"; S1= S2=; }
err() { printf '%s\001' "$S1" "$S2" $(($#+1)) err "$@" >&9; printf '%s' "$1" >&2; S1= S2=; }
N='
'
all() {
	text=
	while IFS= read -r line; do text=$text$line$N; done
	printf '%s\001' "$S1" "$S2" $(($#+2)) all "$@" "$text$line" >&9
	S1= S2=
}
exec 9>>.log
`

// aliases never count: names of commands, and words that the print never has outside of quotes.
const aliases = `shopt -s expand_aliases 2>/dev/null || :
for n in rec fail out err all no printf read test echo a b case esac function select coproc typeset; do alias $n="echo ALIAS"; done
`

// reservedAliases are of words that the print has: a shell that follows POSIX looks no further than the word itself.
const reservedAliases = `for n in if then else fi for in do done while until time '!' '{' '}'; do alias "$n=echo ALIAS" 2>/dev/null; done
`

// programs are names that real programs of a structure have, in place of functions.
var programs = []string{"if", "for", "time", "do", "{", "}", "!", "a b", "é", "*", "$x", "'q'", `"`,
	"=x", "a=b", "~", "#", "[x]", "&", "a\nb", "^", "\\", "-x"}

// program is what these and the recorders are.
const program = `#!/bin/sh
name=${0##*/}
case $name in
all)
	text=
	while IFS= read -r line; do text="$text$line
"; done
	printf '%s\001' "$S1" "$S2" $(($#+2)) all "$@" "$text$line" >&9 ;;
*)	printf '%s\001' "$S1" "$S2" $(($#+1)) "$name" "$@" >&9 ;;
esac
case $name in
out) printf '%s' "$1" ;;
err) printf '%s' "$1" >&2 ;;
fail) exit 1 ;;
esac
exit 0
`

// TestShellsReadTheStructureFromThePrint has real shells run the print of random structures, and compares the calls, their words,
// what is printed and what is written with what an interpreter of the structures says. PARLEY_ORACLE=N makes N of them for each shell:
//
//	PARLEY_ORACLE=10000000 go test -run ShellsReadTheStructure -timeout 100h ./session/permission/shell
//
// PARLEY_ORACLE_SEED makes others. Most have nothing that takes a process; in some the recorders are programs in PATH.
func TestShellsReadTheStructureFromThePrint(t *testing.T) {
	amount := repeat.Times(400, 5000, 1_000_000)
	if n, err := strconv.Atoi(os.Getenv("PARLEY_ORACLE")); err == nil {
		amount = n
	}
	seed, _ := strconv.ParseUint(os.Getenv("PARLEY_ORACLE_SEED"), 10, 64)
	for name, forms := range realShells {
		if linksTo(name, "dash", "bash", "busybox") {
			t.Logf("%s is another name of one of the others", name)
			continue
		}
		if _, err := exec.LookPath(forms[0].argv[0]); err != nil {
			if name == "bash" || name == "sh" {
				t.Fatal(err)
			}
			t.Logf("%s is not installed", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			const batch = 1000
			size := min(batch, max(1, amount/len(forms)/4))
			o := oracle{root: t.TempDir()}
			for n := uint64(0); o.structures < amount && !t.Failed(); n++ {
				form := forms[n%uint64(len(forms))]
				m := &maker{Rand: rand.New(rand.NewPCG(seed, n))}
				switch n / uint64(len(forms)) % 8 {
				case 0, 4:
					o.batch(t, m, form, m.lines(max(1, size/4)))
				case 1:
					m.names = programs
					o.batch(t, m, form, m.lines(max(1, size/20)))
				default:
					m.calm = true
					o.batch(t, m, form, m.lines(size))
				}
			}
			t.Logf("%d structures, of those %d with processes and %d with programs; %d calls", o.structures, o.forking, o.programs, o.calls)
		})
	}
}

// oddLines are lines in which shells differ if they are not printed with care.
var oddLines = strings.Split(`{ (err a) 2>.out/1; } 2>.out/2
{ { (err a) 2>.out/3; }; } 2>.out/4
(err a) 2>.out/5 2>.out/6
{ (err a) 2>.out/7; rec b; } 2>.out/8
{ ! (err a) 2>.out/9; } 2>.out/10
{ (out a; err b) >.out/11 2>.out/12; } >.out/13 2>&1
out a >.out/14 >.out/15
out a >.out/16 | all
out a | all <'.é'
out a 2>&1 >.out/17 | all
out 'a b' | read -r x; rec "[$x]"
out 'a b' | { all; x=1; }; rec "[$x]"
x=0; out 'a' | while read -r y; do x=1; done; rec "$x"
x=0; { x=1; rec a; }; rec "$x"
x=0; (x=1); rec "$x"
out 'a b' | for x in 1; do all; done; rec
err a 2>&1 | all
err a |& all
rec 'if' '[[' %1 - '!' {} '{' '}'
rec "$(out 'a!b "c" \ (d')" "$(out '$(x)')"
if if fail; then rec 1; else fail 2; fi; then rec 3; elif out 4 | all; then rec 5; fi
if { rec 1; fail; } || (fail); then rec 2; else rec 3; fi
until { rec a; }; do rec b; done
while fail; do rec a; done; rec b
for x in 1 2; do for y in $x 'a b'; do rec "$x$y"; done >.out/18; done
! { fail; } && ! (fail) && ! for x in 1; do fail; done && rec yes
fail && rec no || rec yes && rec too
read -r x y <'.é'; rec "$x" "$y"
x=; rec $x a; x='a b'; rec "$x"
all <<< "it's"
{ all; rec; } <<< a; rec`, "\n")

// TestShellsReadOddLines does the same with lines that are chosen.
func TestShellsReadOddLines(t *testing.T) {
	var lines []Line
	for _, text := range oddLines {
		line, err := Read(Bash, text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lines = append(lines, line)
	}
	o := oracle{root: t.TempDir()}
	for _, forms := range realShells {
		for _, form := range forms {
			if _, err := exec.LookPath(form.argv[0]); err == nil {
				o.batch(t, &maker{Rand: rand.New(rand.NewPCG(3, 0))}, form, lines)
			}
		}
	}
}

// linksTo reports whether a shell is a link to one of others.
func linksTo(name string, others ...string) bool {
	path, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && filepath.Base(real) != name && slices.Contains(others, filepath.Base(real))
}

// oracle runs structures in one directory and counts them.
type oracle struct {
	root                                 string
	structures, forking, programs, calls int
}

// batch has a shell run the prints of lines in one script.
func (o *oracle) batch(t *testing.T, m *maker, shell realShell, lines []Line) {
	t.Helper()
	n := len(lines)
	o.structures += n
	dir, path := o.folder(t, m)
	var script strings.Builder
	if m.names == nil {
		script.WriteString(prelude)
	} else {
		script.WriteString(strings.SplitAfter(prelude, "\n")[1] + "exec 9>>.log\n")
		o.programs += n
	}
	if !m.calm && m.names == nil {
		o.forking += n
	}
	script.WriteString(aliases)
	if shell.posix {
		script.WriteString(reservedAliases)
	}
	w := newWorld(shell.splits)
	prints, want := make([]string, n), make([][3]string, n)
	for i, l := range lines {
		prints[i] = Print(l)
		*w.calls = nil
		w.out.Reset()
		w.err.Reset()
		w.line(l)
		o.calls += len(*w.calls)
		want[i] = [3]string{strings.Join(*w.calls, ""), w.out.String(), w.err.String()}
		fmt.Fprintf(&script, "\\mark %d\n%s\n", i, prints[i])
	}
	fmt.Fprintf(&script, "\\mark %d\n", n)
	file := filepath.Join(dir, ".script")
	write(t, file, script.String(), 0o600)
	bin, err := exec.LookPath(shell.argv[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append(slices.Clone(shell.argv[1:]), file)...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + path, "LC_ALL=" + pick(m, "C", "C.UTF-8")}
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ended := cmd.Run()
	log, _ := os.ReadFile(filepath.Join(dir, ".log"))
	for k, all := range []string{string(log), stdout.String(), stderr.String()} {
		parts := marked(all, n)
		for i, part := range parts {
			if i < n && part != want[i][k] && !(strings.Contains(prints[i], " | ") && sameBytes(part, want[i][k])) {
				t.Fatalf("%q, %s of\n%s\nis  %q\nwant %q\nstderr ends with %.300q", shell.argv, []string{"the calls", "the output", "the errors"}[k],
					prints[i], part, want[i][k], stderr.String()[max(0, stderr.Len()-300):])
			}
		}
		if len(parts) != n+1 {
			t.Fatalf("%q: %d of %d structures ran (%v), the last one was\n%s\nstderr ends with %.300q", shell.argv, len(parts), n, ended,
				prints[max(0, min(n, len(parts))-1)], stderr.String()[max(0, stderr.Len()-300):])
		}
	}
	for name, text := range w.files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text.String() {
			i := slices.IndexFunc(prints, func(p string) bool { return strings.Contains(p, name) })
			t.Fatalf("%s\n%q: the file %q has %q, want %q (%v)", prints[max(0, i)], shell.argv, name, got, text, err)
		}
	}
}

// sameBytes compares what commands of a pipeline record, which run side by side where one of them does not write into the pipe.
func sameBytes(a, b string) bool {
	one, two := []byte(a), []byte(b)
	slices.Sort(one)
	slices.Sort(two)
	return bytes.Equal(one, two)
}

// marked parts a text where the marks of the structures stand.
func marked(all string, n int) (parts []string) {
	_, all, _ = strings.Cut(all, "\x020\n")
	for i := 1; i <= n; i++ {
		part, rest, ok := strings.Cut(all, "\x02"+strconv.Itoa(i)+"\n")
		if parts = append(parts, part); !ok {
			return parts
		}
		all = rest
	}
	return append(parts, all)
}

// folder makes the directory of a batch, and one with programs for those that need it.
func (o *oracle) folder(t *testing.T, m *maker) (dir, path string) {
	t.Helper()
	dir, path = filepath.Join(o.root, "w"), "/nonexistent"
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".out"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(slices.Clone(folder), hidden...) {
		write(t, filepath.Join(dir, name), content(name), 0o600)
	}
	if m.names == nil {
		return dir, path
	}
	path = filepath.Join(o.root, "bin")
	if _, err := os.Stat(path); err == nil {
		return dir, path
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(slices.Clone(m.names), "rec", "fail", "out", "err", "all") {
		write(t, filepath.Join(path, name), program, 0o700)
	}
	return dir, path
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
