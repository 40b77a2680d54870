//go:build unix

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/ui/core"
)

// TestApprovalsOnATerminal holds one conversation in which everything is asked with the builtin agent; the contract test
// of the same name holds it with the real runtimes and wants the same screens.
func TestApprovalsOnATerminal(t *testing.T) {
	t.Parallel()
	newApprovals(t, "builtin").converse()
}

// approvals is a conversation in which everything is asked, on a terminal.
type approvals struct {
	*world
	agent string
	tm    *terminal
	// goldens is the directory of the screens in testdata.
	goldens string
	// records reports whether -update writes the screens down.
	records bool
	// differs are more differences for this conversation, without are rows that an agent or a run does not have.
	differs []difference
	without []*regexp.Regexp
}

// projectFile is a file of the project in which a scripted conversation takes place.
type projectFile struct {
	name, text string
	mode       fs.FileMode
}

func newApprovals(t *testing.T, agent string) *approvals {
	return scripted(t, "approvals", agent, []projectFile{{"greeting.txt", "good morning\n", 0o600}, {"notes.txt", "all is english\n", 0o600},
		{"build/out.bin", "x", 0o600}})
}

// scripted returns the conversation of a script in testdata, in a project with the files.
func scripted(t *testing.T, name, agent string, project []projectFile) *approvals {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(sources, "internal", "cli", "testdata", name, "script.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldApart(t)
	w.dir = filepath.Join(w.home, "acme")
	for _, f := range project {
		path := filepath.Join(w.dir, f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, f.mode); err != nil {
			t.Fatal(err)
		}
	}
	return &approvals{world: w.signIn(string(script)), agent: agent, goldens: name, records: agent == "builtin"}
}

// converse holds the conversation and compares its screens.
func (a *approvals) converse() {
	a.t.Helper()
	a.begin()
	a.edits()
	a.command()
	a.question()
	a.plan()
	a.rule()
	a.leave()
	a.begin()
	a.nextSession()
	a.leave()
}

func (a *approvals) begin() {
	a.tm = a.start(100, 30, "--agent", a.agent)
	a.tm.shows(core.AgentTitle(a.agent))
}

func (a *approvals) leave() {
	a.t.Helper()
	a.tm.send("/quit\r")
	if code := a.tm.exit(); code != 0 {
		a.t.Errorf("exit %d", code)
	}
}

const up, down, backTab = "\x1b[A", "\x1b[B", "\x1b[Z"

// file returns what is in a file of the project, "" for none.
func (a *approvals) file(name string) string {
	data, _ := os.ReadFile(filepath.Join(a.dir, name))
	return string(data)
}

// write changes a file as the user does, in place.
func (a *approvals) write(name, text string) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// edits approves one edit and refuses the other with a reason.
func (a *approvals) edits() {
	a.t.Helper()
	a.tm.send("greet in italian\r")
	a.asked("buongiorno")
	a.compare("edit")
	a.tm.send("y")
	a.asked("notes.txt?")
	if got := a.file("greeting.txt"); got != "buongiorno\n" {
		a.t.Errorf("the approved edit left %q", got)
	}
	a.tm.send("m")
	a.tm.shows("tell the agent")
	a.tm.send("leave the notes alone\r")
	a.tm.shows("the notes stay as they are.")
	a.compare("edit-refused")
	if got := a.file("notes.txt"); got != "all is english\n" {
		a.t.Errorf("the refused edit left %q", got)
	}
}

// command refuses a command.
func (a *approvals) command() {
	a.t.Helper()
	a.tm.send("clean up\r")
	a.asked("rm -r build")
	a.compare("command")
	a.tm.send("n")
	a.tm.shows("Then the build stays.")
	a.compare("command-refused")
	if a.file("build/out.bin") == "" {
		a.t.Error("the refused command has run")
	}
}

// asked waits for a question that has the keyboard and shows a text.
func (a *approvals) asked(text string) {
	a.t.Helper()
	a.tm.until(text+", asked", func(s string) bool { return strings.Contains(s, text) && strings.Contains(s, "❯ ") })
}

// compare waits for the screen to be as it was written down, but for its first and last row, which name the agent.
func (a *approvals) compare(name string) {
	a.t.Helper()
	path := filepath.Join(sources, "internal", "cli", "testdata", a.goldens, name+".txt")
	if *update && a.records {
		time.Sleep(2 * time.Second) // what is written down is looked at by a person
		if err := os.WriteFile(path, []byte(a.plain()), 0o600); err != nil {
			a.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		a.t.Fatal(err)
	}
	deadline := time.Now().Add(patience)
	for a.plain() != a.left(string(want)) {
		if time.Now().After(deadline) {
			a.t.Fatalf("%s: the screen is\n%q\nand was\n%q", name, a.plain(), a.left(string(want)))
		}
		select {
		case <-a.tm.news:
		case <-time.After(100 * time.Millisecond): // the terminal may say nothing more
		}
	}
}

// difference matches text that may differ between two screens, and replaces it.
type difference struct {
	pattern *regexp.Regexp
	with    string
}

// differs matches what differs between agents and runs: how long a turn takes, where the project is, and how many rules are
// offered, since a runtime has more of them.
var differs = []difference{
	{regexp.MustCompile(`^  (Done|Stopped|Failed)( in \d[0-9hms. ]*[hms]| after \d[0-9hms. ]*[hms])?( · [0-9.<]+ credits)?`), "  $1"},
	{regexp.MustCompile(`/\S*/acme\b`), "~/acme"},
	{regexp.MustCompile(` · e edit the rule`), ""},
}

// plain returns the rows of the screen without those differences, and without its first and last row.
func (a *approvals) plain() string {
	rows := strings.Split(a.tm.screen(), "\n")
	rows = rows[1 : len(rows)-1]
	for i, row := range rows {
		for _, d := range slices.Concat(differs, a.differs) {
			row = d.pattern.ReplaceAllString(row, d.with)
		}
		rows[i] = strings.TrimRight(row, " ")
	}
	return a.left(strings.Join(rows, "\n") + "\n")
}

// left returns a screen without the rows that an agent or a run does not have; then it has no empty rows at its end.
func (a *approvals) left(screen string) string {
	if len(a.without) == 0 {
		return screen
	}
	rows := slices.DeleteFunc(strings.Split(screen, "\n"), func(row string) bool {
		return slices.ContainsFunc(a.without, func(r *regexp.Regexp) bool { return r.MatchString(row) })
	})
	return strings.TrimRight(strings.Join(rows, "\n"), "\n") + "\n"
}

// question chooses two options of a question and adds a note.
func (a *approvals) question() {
	a.t.Helper()
	a.tm.send("ask me\r")
	a.asked("Which languages come next?")
	a.compare("question")
	// Two printable keys in a row may be text, so that an arrow stands between them.
	a.tm.send("1" + down + down + " " + up)
	a.tm.shows("3 [x] Polish")
	a.tm.send("n")
	a.tm.shows("enter keep the note")
	a.tm.send("Polish before the fair\r")
	a.compare("question-noted")
	a.tm.send("\r")
	a.tm.shows("French and Polish it is.")
	a.compare("question-answered")
	a.told("Polish before the fair")
}

// plan goes to plan mode, sends the first plan back and approves the second.
func (a *approvals) plan() {
	a.t.Helper()
	a.tm.send(backTab)
	a.tm.shows("Accept edits mode")
	a.tm.send(backTab)
	a.tm.shows("plan")
	a.tm.send("plan the rest\r")
	a.asked("Go on with this plan?")
	a.compare("plan")
	a.tm.send("m")
	a.tm.shows("tell the agent")
	a.tm.send("one language at a time\r")
	a.asked("Translate Polish")
	a.compare("plan-again")
	a.tm.send("y")
	a.tm.shows("I begin with the files.")
	a.compare("plan-approved")
}

// told wants the model to have read a text.
func (a *approvals) told(text string) {
	a.t.Helper()
	for _, r := range a.sim.Requests() {
		if strings.Contains(string(r.Body), text) {
			return
		}
	}
	a.t.Errorf("the model was not told %q", text)
}

// rule edits the rule that is offered for a command, and saves it for the project.
func (a *approvals) rule() {
	a.t.Helper()
	a.tm.send("mark it\r")
	a.asked("touch first.txt")
	a.compare("rule")
	a.tm.send("e")
	a.tm.shows("without an answer")
	a.tm.send("\x17*") // ctrl+w
	a.tm.shows("command touch *")
	a.compare("rule-edited")
	a.tm.send("\r")
	a.asked("don't ask again for touch")
	a.tm.send("\x1b[C") // right
	a.tm.shows("‹ this project ›")
	a.tm.press("\r", "The mark is there.")
	a.compare("rule-saved")
}

// nextSession wants the rule to let the same command pass in another session.
func (a *approvals) nextSession() {
	a.t.Helper()
	a.tm.send("once more\r")
	a.tm.shows("Both marks are there.")
	a.compare("next-session")
	if _, err := os.Stat(filepath.Join(a.dir, "second.txt")); err != nil {
		a.t.Error(err)
	}
}
