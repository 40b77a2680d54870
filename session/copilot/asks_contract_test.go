//go:build contract && unix

package copilot

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/copilot/sim"
	"parley/session"
	"parley/session/permission"
	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotAsks lets real runtimes ask for everything that they ask for, and tries what they do without asking.
func TestContractCopilotAsks(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, step := range []struct {
			name string
			run  func(w *whole)
		}{
			{"permission", (*whole).permissionAsks}, {"rules", (*whole).ruleAsks}, {"modes", (*whole).modeAsks}, {"question", (*whole).questionAsks},
			{"plan", (*whole).planAsks}, {"servers", (*whole).serverAsks}, {"hooks", (*whole).hookAsks}, {"unattended", (*whole).unattended},
			{"images", (*whole).imagesBefore},
		} {
			t.Run(version+"/"+step.name, func(t *testing.T) {
				step.run(newWhole(t, runtimestest.Copilot(t, dir, version), true))
			})
		}
	}
}

// there reports whether a file of the project exists.
func (w *whole) there(name string) bool {
	_, err := os.Stat(filepath.Join(w.dir, name))
	return err == nil
}

// asked returns the asks so far.
func (w *whole) asked() []session.Asked {
	var out []session.Asked
	for _, e := range w.all() {
		if e, ok := e.(session.Asked); ok {
			out = append(out, e)
		}
	}
	return out
}

// replies answers every ask with the same.
func (w *whole) replies(a session.Answer) {
	w.answers(func(session.Asked) (session.Answer, bool) { return a, true })
}

func (w *whole) permissionAsks() {
	w.replies(session.Answer{Decision: session.Deny, Message: "Use make instead."})
	w.completes("run touch made", "Use make instead.")
	if w.there("made") {
		w.t.Error("a refused command ran")
	}
	w.replies(session.Answer{Decision: session.Allow, Message: "but only this once"})
	w.completes("run touch made", "but only this once")
	if !w.there("made") {
		w.t.Error("an allowed command did not run")
	}
	asks := w.asked()
	if len(asks) != 2 || asks[0].Permission.Command != "touch made" || asks[0].Call == "" || asks[0].Permission.Tool != "bash" {
		w.t.Fatalf("%+v", asks)
	}
	w.completes("write new.txt", "The tool said")
	edit := w.asked()[2].Permission
	if edit.Path != filepath.Join(w.dir, "new.txt") || edit.Edit == nil || !edit.Edit.Created || edit.Edit.Added != 1 || !strings.Contains(edit.Edit.Patch, "+made") {
		w.t.Errorf("%+v %+v", edit, edit.Edit)
	}
	// A harmless command and a read are not asked.
	w.completes("run ls", "made")
	if n := len(w.asked()); n != 3 {
		w.t.Errorf("%d asks", n)
	}
	for _, e := range w.all() {
		if end, ok := e.(session.ToolEnded); ok && end.Call == asks[0].Call && end.Outcome != session.ToolDenied {
			w.t.Errorf("a refused call ended as %s", end.Outcome)
		}
	}
}

func (w *whole) ruleAsks() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &a.Permission.Rules[0]}, true
	})
	w.completes("run touch made", "The tool said")
	w.completes("run touch made", "The tool said")
	if n := len(w.asked()); n != 1 {
		w.t.Errorf("asked %d times", n)
	}
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		w.t.Fatal(err)
	}
	rule.Ruling = permission.Deny
	w.agent.o.Rules = func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{rule}} }
	w.configure(session.ModeBypass)
	w.completes("run touch other", "the rule command touch *")
	if w.there("other") {
		w.t.Error("a denied command ran")
	}
	w.completes("run mkdir made.d", "The tool said")
	if !w.there("made.d") || len(w.asked()) != 1 {
		w.t.Error("the mode that bypasses permissions asks")
	}
}

// configure changes the mode of the session.
func (w *whole) configure(m session.Mode) {
	w.t.Helper()
	if err := w.s.Configure(session.Settings{Mode: m}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *whole) modeAsks() {
	w.configure(session.ModeAcceptEdits)
	w.completes("write new.txt", "The tool said")
	if !w.there("new.txt") || len(w.asked()) != 0 {
		w.t.Error("an edit is asked in acceptEdits")
	}
	if err := os.Mkdir(filepath.Join(w.dir, ".git"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.replies(session.Answer{Decision: session.Deny})
	w.completes("write .git/config", "rejected")
	w.configure(session.ModePlan)
	w.completes("run touch made", "plan mode")
	if w.there("made") || w.there(".git/config") {
		w.t.Error("something was changed")
	}
}

func (w *whole) questionAsks() {
	w.answers(func(a session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which color?": {"blue"}}}, true
	})
	w.completes("question", "blue")
	if q := w.asked()[0].Question.Questions[0]; len(q.Options) != 2 || !q.Free {
		w.t.Errorf("%+v", q)
	}
	w.replies(session.Answer{Decision: session.Deny})
	w.completes("question", "best judgement")
}

func (w *whole) planAsks() {
	w.configure(session.ModePlan)
	w.replies(session.Answer{Decision: session.Deny, Message: "Think about tests."})
	w.completes("propose", "Think about tests.")
	w.replies(session.Answer{Decision: session.Allow, Mode: session.ModeAcceptEdits, Plan: "# Mine\n\nDo it so.", Message: "Go."})
	if ended, _ := w.ask("propose"); ended.Outcome != session.TurnCompleted {
		w.t.Fatalf("%+v", ended)
	}
	for _, words := range []string{"Do it so.", "The user says: Go."} {
		if !slices.ContainsFunc(w.sim.Requests(), func(r sim.Request) bool { return strings.Contains(string(r.Body), words) }) {
			w.t.Errorf("the model never read %q", words)
		}
	}
	if p := w.asked()[0]; p.Kind != session.AskPlan || p.Plan.Plan != "# Theirs" {
		w.t.Errorf("%+v", p)
	}
	w.replies(session.Answer{Decision: session.Deny})
	w.completes("write new.txt", "The tool said")
	if !w.there("new.txt") {
		w.t.Error("the chosen mode does not hold")
	}
	plans, _ := filepath.Glob(filepath.Join(w.home, ".copilot", "session-state", "*", "plan.md"))
	if len(plans) != 1 {
		w.t.Fatalf("%q", plans)
	}
	if data, err := os.ReadFile(plans[0]); err != nil || !strings.Contains(string(data), "Do it so.") {
		w.t.Errorf("%q %v", data, err)
	}
}

// serveTools gives the sessions that are opened from now on an MCP server.
func (w *whole) serveTools() {
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	servers, _ := json.Marshal(map[string]any{"t": map[string]any{"type": "stdio", "command": exe, "env": map[string]string{serverVariable: "1"}, "tools": []string{"*"}, "timeout": 86400000}})
	w.agent.o.Servers = func(string, bool) json.RawMessage { return servers }
}

func (w *whole) serverAsks() {
	w.serveTools()
	// A tool that calls itself harmless is asked about too.
	w.replies(session.Answer{Decision: session.Deny, Message: "Not that one."})
	w.completes("server t-look", "Not that one.")
	w.answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind == session.AskElicitation {
			return session.Answer{Decision: session.Allow, Choices: map[string][]string{"name": {"Ann"}, "n": {"3"}}}, true
		}
		return session.Answer{Decision: session.Allow}, true
	})
	w.completes("server t-look", "did look")
	w.completes("server t-act", "did act")
	w.completes("server t-form", `answer {"action":"accept","content":{"n":3,"name":"Ann"}}`)
	w.completes("server t-page", `answer {"action":"accept"}`)
	var tools []string
	for _, a := range w.asked() {
		if a.Permission != nil {
			tools = append(tools, a.Permission.Tool)
		}
		if a.Elicitation != nil && a.Elicitation.Server != "t" {
			w.t.Errorf("%+v", a.Elicitation)
		}
	}
	want := []string{"mcp__t__look", "mcp__t__look", "mcp__t__act", "mcp__t__form", "mcp__t__page"}
	if !slices.Equal(tools, want) {
		w.t.Errorf("%q", tools)
	}
}

// hookAsks denies by the hook what the runtime never asks about.
func (w *whole) hookAsks() {
	rule, err := permission.ParseRule("tool task")
	if err != nil {
		w.t.Fatal(err)
	}
	rule.Ruling = permission.Deny
	w.agent.o.Rules = func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{rule}} }
	w.completes("delegate hello", "the rule tool task")
	for _, e := range w.all() {
		if _, ok := e.(session.ChildStarted); ok {
			w.t.Error("a child agent began")
		}
	}
}

func (w *whole) unattended() {
	w.replies(session.Answer{Decision: session.Deny, Message: session.UnattendedReason})
	w.completes("run touch made", "unattended")
	if w.there("made") {
		w.t.Error("it ran")
	}
}

// photographer takes note of what a file contained before a call.
type photographer struct {
	mu   sync.Mutex
	seen []string
}

func (p *photographer) Before(_ context.Context, c session.FileCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range c.Paths {
		_, err := os.Stat(path)
		p.seen = append(p.seen, filepath.Base(path)+" "+map[bool]string{true: "is there", false: "is not there"}[err == nil])
	}
	if c.Command != "" {
		p.seen = append(p.seen, c.Command)
	}
}
func (p *photographer) Drop(session.CallID)            {}
func (p *photographer) Ended(session.ToolEnded)        {}
func (p *photographer) Unaccepted(context.Context) int { return 0 }
func (p *photographer) Close(context.Context) error    { return nil }

// imagesBefore checks that files are looked at before every call that may change them, also without an ask.
func (w *whole) imagesBefore() {
	p := &photographer{}
	done := make(chan struct{}, 10)
	c, err := w.agent.Open(w.t.Context(), session.OpenOptions{Session: "10000000-0000-4000-8000-000000000001", Gen: 1, Dir: w.dir,
		Settings: session.Settings{Mode: session.ModeBypass}, Files: p, Emit: func(e session.Event) {
			if _, ok := e.(session.TurnEnded); ok {
				done <- struct{}{}
			}
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	for i, prompt := range []string{"write new.txt", "run touch made", "run ls"} {
		if err := c.Send(w.t.Context(), session.TurnID("20000000-0000-4000-8000-00000000000"+string(rune('0'+i))), session.Prompt{Text: prompt}, session.OriginUser); err != nil {
			w.t.Fatal(err)
		}
		<-done
	}
	if err := c.Close(w.t.Context()); err != nil {
		w.t.Error(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := []string{"new.txt is not there", "touch made"}; !slices.Equal(p.seen, want) {
		w.t.Errorf("%q, want %q", p.seen, want)
	}
}
