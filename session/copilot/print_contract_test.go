//go:build contract && unix

package copilot

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotPrints lets real runtimes run what the policy prints in place of what the model wrote.
func TestContractCopilotPrints(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, step := range []struct {
			name string
			run  func(w *whole)
		}{
			{"unasked", (*whole).printsUnasked}, {"arguments", (*whole).printKeepsArguments}, {"child", (*whole).printInChild},
			{"pair", (*whole).printsPair},
			{"bypass", (*whole).printInBypass}, {"attacks", (*whole).attacks}, {"left behind", (*whole).leftRunning},
		} {
			t.Run(version+"/"+step.name, func(t *testing.T) {
				w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
				w.versioned()
				step.run(w)
			})
		}
	}
}

// versioned makes the project a git repository with a few files.
func (w *whole) versioned() {
	w.t.Helper()
	w.git(w.dir, "init", "-q")
	w.file("a.md", "one\n")
	w.file("b.md", "two\nthree\nfour\n")
	w.file("sub/c.txt", "touch PWNED\n")
}

func (w *whole) file(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// git runs git in a directory, without the settings of this machine.
func (w *whole) git(dir string, args ...string) {
	w.t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// last returns the newest end of a call.
func (w *whole) last() session.ToolEnded {
	w.t.Helper()
	events := w.all()
	for _, e := range slices.Backward(events) {
		if e, ok := e.(session.ToolEnded); ok {
			return e
		}
	}
	w.t.Fatal("no call has ended")
	return session.ToolEnded{}
}

// ready returns the input of a call as the screen has it.
func (w *whole) ready(call session.CallID) string {
	for _, e := range w.all() {
		if e, ok := e.(session.ToolReady); ok && e.Call == call {
			return string(e.Input)
		}
	}
	return ""
}

// printed reports whether what ran is the print of a line with these words, each in quotes.
func printed(ran string, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(ran, "'"+word+"'") {
			return false
		}
	}
	return true
}

func (w *whole) printsUnasked() {
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan} {
		w.configure(mode)
		for _, test := range []struct{ prompt, want, words string }{
			{"run git status", "No commits yet", "git status"},
			{"run cat *.md | head -3", "two", "cat head -3"},
			{"run cd sub && ls", "c.txt", "cd ls"},
			{"lines\ncat \\\n  *.md |\n  head -3\nend", "three", "cat .md head"},
			{"lines\ncd \"sub\" &&\n ls\nend", "c.txt", "cd ls"},
		} {
			w.completes(test.prompt, test.want)
			end := w.last()
			if end.Outcome != session.ToolOK || !printed(end.Result.Ran, strings.Fields(test.words)...) {
				w.t.Errorf("%s in %s: %s ran %q", test.prompt, mode, end.Outcome, end.Result.Ran)
			}
			if input := w.ready(end.Call); strings.Contains(input, "'") {
				w.t.Errorf("the screen has %s", input)
			}
		}
	}
	if asks := w.asked(); len(asks) != 0 {
		w.t.Errorf("asked about %q", asks[0].Permission.Command)
	}
}

// printKeepsArguments checks that all but the command of a call stays, and that it still goes to the background.
func (w *whole) printKeepsArguments() {
	w.completes("run cat *.md | head -3", "two")
	w.eventually("stored arguments", func() bool {
		paths, _ := filepath.Glob(filepath.Join(w.home, ".copilot", "session-state", "*", "events.jsonl"))
		for _, path := range paths {
			data, _ := os.ReadFile(path)
			for line := range strings.Lines(string(data)) {
				if strings.Contains(line, `"hookType":"postToolUse"`) &&
					strings.Contains(line, `| 'head' '-3'","description":"run it","initial_wait":60,"mode":"sync"}`) {
					return true
				}
			}
		}
		return false
	})
	for _, test := range []struct{ prompt, argument string }{
		{"background cat *.md | head -3", `"initial_wait":60`},
		{"detached cat *.md | head -3", `"detach":true`},
	} {
		prompt, argument := test.prompt, test.argument
		if ended, got := w.ask(prompt); ended.Outcome != session.TurnCompleted {
			w.t.Fatalf("%s: %+v %s", prompt, ended, got)
		}
		behind := w.until("a command in the background", func(e session.Event) bool {
			end, ok := e.(session.ToolEnded)
			return ok && end.Result.Background && strings.Contains(w.ready(end.Call), argument)
		}).(session.ToolEnded)
		if !printed(behind.Result.Ran, "cat", "head") {
			w.t.Errorf("%s: ran %q", prompt, behind.Result.Ran)
		}
	}
	if n := len(w.asked()); n != 0 {
		w.t.Errorf("%d asks", n)
	}
}

func (w *whole) printInChild() {
	w.completes("delegate run cat *.md | head -3", "two")
	ran := ""
	for _, e := range w.all() {
		if e, ok := e.(session.ToolEnded); ok && e.Child != "" {
			ran = e.Result.Ran
		}
	}
	if n := len(w.asked()); !printed(ran, "cat", "head") || n != 0 {
		w.t.Errorf("ran %q after %d asks", ran, n)
	}
}

// printsPair runs two calls of one answer.
func (w *whole) printsPair() {
	w.completes("pair cat *.md | head -3", "two")
	var ran []string
	for _, e := range w.all() {
		if e, ok := e.(session.ToolEnded); ok {
			ran = append(ran, e.Result.Ran)
		}
	}
	if n := len(w.asked()); n != 0 || len(ran) != 2 || !printed(ran[0], "cat", "head") || !printed(ran[1], "cat", "head") {
		w.t.Errorf("ran %q after %d asks", ran, n)
	}
}

// printInBypass lets a rule that denies be there: what runs is what was compared with it.
func (w *whole) printInBypass() {
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		w.t.Fatal(err)
	}
	rule.Ruling = permission.Deny
	w.agent.o.Rules = func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{rule}} }
	w.configure(session.ModeBypass)
	w.completes("run cat *.md | head -3", "two")
	if ran := w.last().Result.Ran; !printed(ran, "cat", "head") {
		w.t.Errorf("ran %q", ran)
	}
	w.completes("run mkdir made.*", "The tool said")
	if ran := w.last().Result.Ran; ran == "" || len(w.asked()) != 0 || !w.there("made.*") {
		w.t.Errorf("ran %q after %d asks", ran, len(w.asked()))
	}
	w.replies(session.Answer{Decision: session.Deny})
	for _, line := range attackLines {
		if strings.Contains(line, "touch") {
			w.attack(line)
		}
	}
}

// attackLines are lines that once ran something else than the judge read.
var attackLines = []string{
	`echo "${x:-'$(touch PWNED)'}"`, `echo "${x-'$(touch PWNED)'}"`, "echo \"${x:-'`touch PWNED`'}\"", `y="${x:-'$(touch PWNED)'}"; ls`,
	"cat <<E\n${x:-'$(touch PWNED)'}\nE", "echo $(cat <<'EOF'\nx\nEOF)\ntouch PWNED\nEOF\n)", "echo `cat <<'EOF'\nx`\ntouch PWNED\nEOF\n`",
	`RANDOM='a[$(touch PWNED)]'`, `OPTIND='a[$(touch PWNED)]'; ls`, `RANDOM+='a[$(touch PWNED)]'`, `export RANDOM+='a[$(touch PWNED)]'`,
	`HISTCMD+='a[$(touch PWNED)]'`, `for RANDOM in 'a[$(touch PWNED)]'; do ls; done`, `SECONDS='a[$(touch PWNED)]'`,
	`test -f x -o -v 'a[$(touch PWNED)]'`, `[ -n x -a -v 'a[$(touch PWNED)]' ]`,
	`env --split-string='touch PWNED' ls`, `env -S'A=1 touch PWNED' ls`, `env '-vSA=1 touch PWNED' ls`, `nice env -S'A=1 touch PWNED' ls`,
	`timeout 9 env --split-string='touch PWNED' ls`,
	`sed -n '/[/p;s,]/e touch PWNED #,x,' a.md`, `sed 's/[]/A/;s,]/ /e;#,y,' sub/c.txt`, `sed -n '/[/p;s,]/w PWNED' a.md`,
	`git status`, `git diff`, `git status --short`,
}

// attack runs a line of the model. A question about it is refused.
func (w *whole) attack(line string) {
	w.t.Helper()
	ended, _ := w.ask("lines\n" + line + "\nend")
	if end := w.last(); ended.Outcome != session.TurnCompleted || end.Turn != ended.Turn {
		w.t.Errorf("%s: %+v, the last call is %+v", line, ended, end)
	}
	if w.there("PWNED") || w.there("sub/PWNED") || w.there("nested/PWNED") {
		w.t.Errorf("%s ran", line)
		_ = os.Remove(filepath.Join(w.dir, "PWNED"))
		_ = os.Remove(filepath.Join(w.dir, "nested", "PWNED"))
	}
}

// attacks also has a repository within the project's, as a link without .gitmodules, that names a program to run.
func (w *whole) attacks() {
	nested := filepath.Join(w.dir, "nested")
	w.file("nested/x", "x\n")
	w.git(nested, "init", "-q")
	w.git(nested, "add", "x")
	w.git(nested, "commit", "-q", "-m", "x")
	w.git(w.dir, "-c", "advice.addEmbeddedRepo=false", "add", "nested", "a.md")
	w.git(w.dir, "commit", "-q", "-m", "x")
	w.git(nested, "config", "core.fsmonitor", "touch "+filepath.Join(w.dir, "PWNED")+"; false")
	w.file("nested/x", "changed\n")
	w.replies(session.Answer{Decision: session.Deny})
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits} {
		w.configure(mode)
		for _, line := range attackLines {
			w.attack(line)
		}
	}
}

// leftRunning allows commands by hand that would change what later ones do in the same shell.
func (w *whole) leftRunning() {
	const leaves = `ls() { touch PWNED; }; alias ls='touch PWNED'; export -f ls; declare -n x=PATH; PATH=/nowhere; set -f; cd sub; echo left`
	w.allows()
	for i, prompt := range []string{"run ", "shell s1 sync "} {
		w.completes(prompt+leaves, "left")
		if n := len(w.asked()); n != i+1 {
			w.t.Fatalf("%d asks for %d commands", n, i+1)
		}
	}
	for _, test := range []struct{ prompt, want string }{
		{"run ls", "a.md"}, {"shell s1 sync ls", "a.md"}, {"run cat *.md | head -3", "two"}, {"shell s1 sync cat *.md | head -3", "two"},
	} {
		w.completes(test.prompt, test.want)
	}
	if n := len(w.asked()); n != 2 || w.there("PWNED") || w.there("sub/PWNED") {
		w.t.Errorf("%d asks; made: %v", n, w.there("PWNED"))
	}
}
