//go:build contract

package claude

import (
	"encoding/json"
	"io/fs"
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

// TestContractCommands lets real runtimes run commands that parley allows, and tries those that nobody may run unasked.
func TestContractCommands(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, step := range []struct {
			name string
			run  func(w *whole)
		}{
			{"quiet", (*whole).quietCommands},
			{"quiet in plan mode", (*whole).quietInPlanMode},
			{"attacks", (*whole).attacks},
			{"uncovered", (*whole).uncoveredCommands},
			{"own rules", (*whole).ownRules},
			{"background", (*whole).quietInBackground},
		} {
			t.Run(rt.version+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				step.run(newWhole(t, runtimestest.Claude(t, dir, rt.version)))
			})
		}
	}
}

// input is what a command of the runtime really got.
type input struct {
	Command    string `json:"command"`
	Timeout    int    `json:"timeout"`
	Background bool   `json:"run_in_background"`
}

// watched gives the runtime settings, with a hook that writes down what it runs, and makes a repository of the project.
func (w *whole) watched(permissions string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(w.home, ".claude"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	settings := `{"permissions":` + permissions + `,"hooks":{"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command",` +
		`"command":"cat >> \"$HOME/runs\"; echo >> \"$HOME/runs\""}]}]}}`
	if err := os.WriteFile(filepath.Join(w.home, ".claude", "settings.json"), []byte(settings), 0o644); err != nil {
		w.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(w.dir, "sub", "below"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.put("notes.md", "first\nsecond\n", 0o644)
	w.git("", "init", "-q")
}

func (w *whole) git(dir string, args ...string) {
	w.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	c.Dir = filepath.Join(w.dir, dir)
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git %q: %v, %s", args, err, out)
	}
}

// runs returns what the runtime has run since the last time.
func (w *whole) runs() []input {
	w.t.Helper()
	path := filepath.Join(w.home, "runs")
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	var all []input
	for line := range strings.Lines(string(data)) {
		var call struct {
			Input input `json:"tool_input"`
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, call.Input)
	}
	if err := os.RemoveAll(path); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// quietly runs a line that may not be asked about, and checks that its print ran and is reported, and what it printed.
func (w *whole) quietly(prompt, command, ran, out string) {
	w.t.Helper()
	asked := w.asks(session.Answer{Decision: session.Deny})
	w.runs()
	before := len(w.all())
	w.completes(prompt+command, out)
	if got := asked(); len(got) > 0 {
		w.t.Errorf("%q: asked %+v", command, got[0].Permission)
	}
	want := ran
	if want == "" {
		want = command
	}
	if got := w.runs(); len(got) != 1 || got[0].Command != want {
		w.t.Errorf("%q: ran %+v, want %q", command, got, want)
	}
	reported := false
	for _, e := range w.all()[before:] {
		if end, ok := e.(session.ToolEnded); ok && end.Result.Ran == ran && end.Outcome == session.ToolOK {
			reported = true
		}
	}
	if !reported {
		w.t.Errorf("%q: the end does not say that %q ran", command, ran)
	}
}

const (
	runLine    = "run the line "
	markdown   = "cat *.md | head -3"
	printedMD  = "'cat' '--' *'.md' | 'head' '-3'"
	below      = "cd sub && ls"
	printedSub = "'cd' './sub' && 'ls'"
)

func (w *whole) quietCommands() {
	w.watched("{}")
	w.quietly(runLine, markdown, printedMD, "second")
	w.quietly(runLine, "ls", "", "notes.md")
	w.quietly("let a colleague run ", markdown, printedMD, "")
	w.mode(session.ModeAcceptEdits)
	w.quietly(runLine, markdown, printedMD, "second")
	w.mode(session.ModeDefault)
	w.quietly(runLine, below, printedSub, "below")
	w.resumes()
	var ran []string
	for _, e := range w.all() {
		if end, ok := e.(session.ToolEnded); ok && end.Result.Ran != "" {
			ran = append(ran, end.Result.Ran)
		}
	}
	if want := []string{printedMD, printedMD, printedMD, printedSub}; !slices.Equal(ran, want) {
		w.t.Errorf("after a restart %q ran", ran)
	}
}

func (w *whole) quietInPlanMode() {
	w.watched("{}")
	w.mode(session.ModePlan)
	w.quietly(runLine, markdown, printedMD, "second")
	w.quietly(runLine, "ls", "", "notes.md")
	asked := w.asks(session.Answer{Decision: session.Deny})
	w.completes(runLine+"git status", "On branch")
	if got := asked(); len(got) > 0 {
		w.t.Errorf("asked %+v", got[0].Permission)
	}
	if got := w.runs(); len(got) != 1 || !strings.Contains(got[0].Command, " 'git' ") || !strings.Contains(got[0].Command, "'status'") {
		w.t.Errorf("ran %+v", got)
	}
	w.quietly(runLine, below, printedSub, "below")
}

// hostile are lines that shells and programs read otherwise than they look. Each makes the file PWNED in bash.
var hostile = []string{
	`echo "${x:-'$(touch PWNED)'}"`,
	"echo \"${x-'`touch PWNED`'}\"",
	`x="${y:-'$(touch PWNED)'}"`,
	"cat <<E\n${x:-'$(touch PWNED)'}\nE",
	"echo $(cat <<'EOF'\nx\nEOF)\ntouch PWNED\nEOF\n)",
	"echo `cat <<'EOF'\nx`\ntouch PWNED\nEOF\n`",
	`RANDOM='a[$(touch PWNED)]'`,
	`OPTIND+='a[$(touch PWNED)]'`,
	`export RANDOM='a[$(touch PWNED)]'`,
	`for RANDOM in 'a[$(touch PWNED)]'; do ls; done`,
	`test -f x -o -v 'a[$(touch PWNED)]'`,
	`[ -n x -a -v 'a[$(touch PWNED)]' ]`,
	`env --split-string='touch PWNED' ls`,
	`env -S'A=1 touch PWNED' ls`,
	`timeout 5 env --split-string='touch PWNED' ls`,
	`sed -n '/[/p;s,]/e touch PWNED #,x,' a.md`,
	"sed -n '/[/p;s,]/w PWNED\n#,x,' a.md",
	`git status`,
	`git diff`,
}

func (w *whole) attacks() {
	w.watched("{}")
	w.put("a.md", "one\n[/p;s,]\n", 0o644)
	w.git("", "init", "-q", "mod")
	w.git("mod", "commit", "-q", "--allow-empty", "-m", "x")
	w.git("", "add", "mod")
	w.git("mod", "config", "core.fsmonitor", "touch PWNED; false")
	for _, line := range hostile {
		c := exec.Command("bash", "-c", line)
		c.Dir = w.dir
		_ = c.Run()
		if w.pwned() == 0 {
			w.t.Errorf("%q is harmless", line)
		}
	}
	w.completes("hello", "hello")
	if w.pwned() > 0 {
		w.t.Log("the runtime itself runs git status, with what the repository says")
	}
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits} {
		w.mode(mode)
		for _, line := range hostile {
			asked := w.asks(session.Answer{Decision: session.Deny})
			w.completes("run these lines:\n"+line, "")
			if w.pwned() > 0 {
				w.t.Errorf("%q in %s had its effect", line, mode)
			}
			for _, a := range asked() {
				if a.Permission.Command != line {
					w.t.Errorf("%q in %s: asked %+v", line, mode, a.Permission)
				}
			}
		}
	}
}

// pwned removes the files that the hostile lines have made, and returns how many.
func (w *whole) pwned() (made int) {
	w.t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "PWNED" {
			made++
			return os.Remove(path)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// uncoveredCommands is about what the runtime takes for harmless, and what the user's settings let it run.
func (w *whole) uncoveredCommands() {
	w.watched(`{"allow":["Bash(touch:*)"]}`)
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits} {
		w.mode(mode)
		for _, line := range []string{"docker ps", "touch made", "mkdir made", `ls "$(touch made)"`, "pyright"} {
			asked := w.asks(session.Answer{Decision: session.Deny})
			w.completes(runLine+line, mustBe)
			if got := asked(); len(got) != 1 || got[0].Permission.Command != line {
				w.t.Errorf("%q in %s: asked %+v", line, mode, got)
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(w.dir, "made")); err == nil {
		w.t.Error("it was made")
	}
	w.mode(session.ModeDefault) // the model's own words run where the user says so
	w.runs()
	asked := w.asks(yes)
	w.completes(runLine+"touch 'one'; cat *.md", "second")
	if got := w.runs(); len(got) != 1 || got[0].Command != "touch 'one'; cat *.md" || len(asked()) != 1 {
		w.t.Errorf("ran %+v", got)
	}
}

// ownRules is about rules of the user that the runtime keeps: they are compared with the model's words, and what they do not
// name runs as printed.
func (w *whole) ownRules() {
	w.watched(`{"deny":["Bash(git status:*)","Bash(tail:*)"],"ask":["Bash(wc:*)"]}`)
	r := &keptRules{t: w.t}
	w.agent.o.Rules = r.now
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits, session.ModeBypass} {
		if w.mode(mode); mode == session.ModeBypass { // so that what runs is what was compared
			r.set(permission.Deny, "command rm *")
		}
		for _, line := range []string{"git status", "git status --short; cat *.md", "tail -1 notes.md", "cat *.md | tail -1"} {
			w.runs()
			asked := w.asks(yes)
			w.completes(runLine+line, "denied")
			if got := w.runs(); len(got) > 0 || len(asked()) > 0 {
				w.t.Errorf("%q in %s: ran %+v, asked %d times", line, mode, got, len(asked()))
			}
		}
		for _, line := range []string{"wc -l notes.md", "wc -l *.md"} {
			asked := w.asks(session.Answer{Decision: session.Deny})
			w.completes(runLine+line, mustBe)
			if len(asked()) != 1 {
				w.t.Errorf("%q in %s: asked %d times", line, mode, len(asked()))
			}
		}
		if mode == session.ModeBypass {
			w.quietly(runLine, markdown, "'cat' *'.md' | 'head' '-3'", "second")
			continue
		}
		w.quietly(runLine, markdown, printedMD, "second")
		w.quietly("let a colleague run ", markdown, printedMD, "")
		w.quietly(runLine, "ls", "", "notes.md")
	}
}

// quietInBackground is about what a call says beside its command.
func (w *whole) quietInBackground() {
	w.watched("{}")
	asked := w.asks(session.Answer{Decision: session.Deny})
	w.completes("run behind the line until [ -e go ]; do sleep 0.05; done; cat *.md", "")
	got := w.runs()
	if len(got) != 1 || !strings.HasSuffix(got[0].Command, "'cat' '--' *'.md'") || got[0].Timeout != 5000 || !got[0].Background ||
		len(asked()) > 0 {
		w.t.Fatalf("ran %+v, asked %d times", got, len(asked()))
	}
	w.put("go", "", 0o644)
	w.until("end", func(e session.Event) bool {
		end, ok := e.(session.ToolEnded)
		return ok && !end.Result.Background && end.Result.Ran == got[0].Command && strings.Contains(end.Result.Text, "second")
	})
}
