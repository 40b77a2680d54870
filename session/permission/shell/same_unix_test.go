//go:build unix

package shell

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// handler has bash record the words of every command that it does not find, and of those builtins that could do harm.
const handler = `exec 9>&1 >/dev/null
enable -n . alias fc history times jobs bind builtin cd command declare dirs enable eval exec exit export \
 kill local popd pushd read readonly set shopt source suspend trap typeset ulimit umask unalias unset wait
command_not_found_handle() { printf '%s\001' "$#" "$@" $'\002' >&9; }
`

// FuzzSame has bash run lines that are the same as their prints as [Same] says, and the prints: both hand over the same words.
func FuzzSame(f *testing.F) {
	for _, text := range []string{"a b", "a 'b c' \"d\"", "a | b; c && d || e", "a 2>&1 >&2 | b",
		"a 12 2", "A=1 b", "a '2' 2>&1", "a b=c @ + , : % _", "a ''",
		"a; b\nc", "a 1>&2 x", "a x2>&1", "time a", "for x in a; do b; done", "if a; then b; fi", "a 'if' then"} {
		f.Add(text)
	}
	for _, text := range corpus(f)[:60] {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line, err := Read(Bash, text)
		if err != nil || !harmless(line) {
			return
		}
		print := Print(line)
		if !Same(text, print) {
			return
		}
		if one, two := handed(t, text), handed(t, print); !slices.Equal(one, two) {
			t.Fatalf("%q hands over %q\n%q hands over %q", text, one, print, two)
		}
	})
}

// harmless reports whether a line has only calls of names that are no program's, and no files.
func harmless(line Line) bool {
	ok := true
	line.Each(func(c *Command, _ bool) {
		ok = ok && c.Kind == Call && len(c.Words) > 0 && c.Words[0].Known && IsName(c.Words[0].Text)
		for _, r := range c.Redirects {
			ok = ok && r.Op == ">&"
		}
	})
	return ok
}

// handed returns the words of the calls, sorted, as those of a pipe run side by side.
func handed(t *testing.T, text string) []string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--norc", "--noprofile", "-c", handler+text)
	cmd.Env, cmd.Dir = []string{"PATH=/nonexistent"}, "/"
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // what fails shows in what is handed over
	if ctx.Err() != nil {
		t.Fatalf("%q does not end", text)
	}
	calls := strings.Split(stdout.String(), "\x02\x01")
	slices.Sort(calls)
	return calls
}
