//go:build unix

package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// attacks are lines that earlier versions let run: what the shell takes them for is more than what the parser does.
var attacks = []string{
	`echo "${x:-'$(touch PWNED)'}"`, `echo "${x-'$(touch PWNED)'}"`, "echo \"${x:-'`touch PWNED`'}\"", "cat <<E\n${x:-'$(touch PWNED)'}\nE",
	"echo $(cat <<'EOF'\nx\nEOF)\ntouch PWNED\nEOF\n)", "echo `cat <<'EOF'\nx`\ntouch PWNED\nEOF\n`",
	`RANDOM='a[$(touch PWNED)]'`, `OPTIND+='a[$(touch PWNED)]'; echo`, `for RANDOM in 'a[$(touch PWNED)]'; do ls; done`, `SRANDOM='a[$(touch PWNED)]' ls`,
	`test -f x -o -v 'a[$(touch PWNED)]'`, `[ -n x -a -v 'a[$(touch PWNED)]' ]`, `[[ -v 'a[$(touch PWNED)]' ]]`,
	`env --split-string='touch PWNED' ls`, `env -S'A=1 touch PWNED' ls`, `nice env -vS'A=1 touch PWNED' ls`, `timeout 5 env -S'touch PWNED' ls`,
	`sed -n '/[/p;s,]/e touch PWNED #,x,' a`, `echo touch/PWNED | sed 's/[]/A/;s,]/ /e;#,y,'`, `sed '/[/p;s,]/w PWNED' a`,
	`awk 'BEGIN{system("touch PWNED")}'`, "make -f - <<< 'a:;touch PWNED'", `git -c alias.x='!touch PWNED' x`, `xargs -I{} touch PWNED < a`, `find . -exec touch PWNED ';'`,
}

// TestAttacksHaveNoEffect runs them with a real shell, in every mode that asks.
func TestAttacksHaveNoEffect(t *testing.T) {
	for _, m := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits} {
		var calls [][3]string
		for i, line := range attacks {
			calls = append(calls, [3]string{fmt.Sprint("c", i), "Bash", `{"command":` + quoted(line) + `}`})
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a"), "touch PWNED\n", 0o600)
		ch := openChat(t, newService(t, callsReply(calls...), says("done")), in(dir), mode(m))
		ch.answerAll(session.Answer{Decision: session.Deny})
		ch.send("x")
		if _, err := os.Stat(filepath.Join(dir, "PWNED")); err == nil {
			t.Errorf("%s: an attack took effect", m)
		}
		ran := 0
		for i, line := range attacks {
			if e := ch.ended()[session.CallID(fmt.Sprint("c", i))]; e.Outcome != session.ToolDenied {
				ran++
				t.Logf("%s: ran as its print: %q", m, line)
			}
		}
		if ran > 4 { // their prints are harmless
			t.Errorf("%s: %d attacks were not asked", m, ran)
		}
	}
}

// What runs is the print: a file with the name of an option is a file. The result has what ran, and nothing where the model's own text did.
func TestWhatRunsIsThePrint(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"-n", "a b", "c"} {
		write(t, filepath.Join(dir, name), "in "+name+"\n", 0o600)
	}
	call := func(id, line string) [3]string { return [3]string{id, "Bash", `{"command":` + quoted(line) + `}`} }
	s := newService(t, callsReply(call("one", "cat *"), call("two", "cat c"), call("three", "for f in *; do cat \"$f\"; done 2>/dev/null | wc -l")), says("done"))
	ch := openChat(t, s, in(dir))
	ch.send("x")
	if asked := eventsOf[session.Asked](ch); len(asked) > 0 {
		t.Fatalf("asked about %+v", asked)
	}
	for id, want := range map[session.CallID]session.ToolResult{
		"one": {Text: "in -n\nin a b\nin c\n", Ran: "'cat' -- *"}, "two": {Text: "in c\n"},
	} {
		got := ch.ended()[id].Result
		if got.Text != want.Text || strings.ReplaceAll(got.Ran, "'--'", "--") != want.Ran {
			t.Errorf("%s: %q ran as %q", id, got.Text, got.Ran)
		}
	}
	if got := ch.ended()["three"].Result; !strings.Contains(got.Ran, "parley_f") || strings.TrimSpace(got.Text) != "3" {
		t.Errorf("%q ran as %q", got.Text, got.Ran)
	}
}
