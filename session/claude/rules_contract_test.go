//go:build contract

package claude

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/session/runtimes/runtimestest"
)

// TestContractRules applies rules that parley keeps to calls of real runtimes, most of which they would not ask about.
func TestContractRules(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, step := range []struct {
			name string
			run  func(w *whole, r *keptRules)
		}{
			{"deny", (*whole).denied},
			{"deny in bypass", (*whole).deniedInBypass},
			{"deny a server", (*whole).deniedServer},
			{"deny by settings", (*whole).deniedBySettings},
			{"allow", (*whole).ruled},
			{"ask", (*whole).askedByRule},
			{"locked", (*whole).locked},
			{"allowed by its settings", (*whole).allowedBySettings},
		} {
			t.Run(rt.version+"/"+step.name, func(t *testing.T) {
				t.Parallel()
				w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
				r := &keptRules{t: t}
				w.agent.o.Rules = r.now
				step.run(w, r)
			})
		}
	}
}

// keptRules are the rules that are kept for every directory.
type keptRules struct {
	t    *testing.T
	mu   sync.Mutex
	kept permission.Kept
}

func (r *keptRules) now(string) permission.Kept {
	r.mu.Lock()
	defer r.mu.Unlock()
	return permission.Kept{Rules: slices.Clone(r.kept.Rules), Locked: r.kept.Locked}
}

// set replaces the rules of a project.
func (r *keptRules) set(ruling permission.Ruling, texts ...string) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = permission.Kept{}
	for i, text := range texts {
		rule, err := permission.ParseRule(text)
		if err != nil {
			r.t.Fatal(err)
		}
		rule.Ruling, rule.Origin, rule.Number = ruling, permission.FromProject, i+1
		r.kept.Rules = append(r.kept.Rules, rule)
	}
}

// asks counts what is asked from now on, and answers it.
func (w *whole) asks(answer session.Answer) (asked func() []session.Asked) {
	var mu sync.Mutex
	var all []session.Asked
	w.answers(func(a session.Asked) (session.Answer, bool) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, a)
		return answer, true
	})
	return func() []session.Asked {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// refused sends prompts whose call a rule must deny, and nothing may be asked.
func (w *whole) refused(want string, prompts ...string) {
	w.t.Helper()
	asked := w.asks(yes)
	for _, prompt := range prompts {
		before := len(w.all())
		w.completes(prompt, "")
		denied := 0
		for _, e := range w.all()[before:] {
			if end, ok := e.(session.ToolEnded); ok && end.Outcome == session.ToolDenied && strings.Contains(end.Result.Text, want) {
				denied++
			}
		}
		if denied == 0 {
			w.t.Errorf("%q is not denied with %q", prompt, want)
		}
	}
	if got := asked(); len(got) > 0 {
		w.t.Errorf("asked %+v", got[0].Permission)
	}
}

const (
	secret    = "TOPSECRET"
	byTheRule = "Refused: the rule "
)

func (w *whole) secret() {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(w.dir, "secret"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "secret", "key.txt"), []byte(secret+"\n"), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// unseen fails if the model has seen the secret.
func (w *whole) unseen() {
	w.t.Helper()
	for _, r := range w.sim.Requests() {
		if strings.Contains(string(r.Body), secret) {
			w.t.Errorf("the model saw the secret: %.300s", r.Body[max(0, strings.Index(string(r.Body), secret)-200):])
			return
		}
	}
}

// denied is about calls that the runtime lets pass by itself: a read in the project, a harmless command, an edit in
// acceptEdits, and all of them by a child agent.
func (w *whole) denied(r *keptRules) {
	w.secret()
	r.set(permission.Deny, "command ls *", "edit *.lock", "command git push *")
	for _, mode := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan} {
		if err := w.s.Configure(session.Settings{Mode: mode}); err != nil {
			w.t.Fatal(err)
		}
		w.refused(byTheRule+"command ls * of this project", "run the line ls", "run the line cat hello.txt | ls -a", "let a colleague run ls")
		w.refused(byTheRule+"edit *.lock", "write the file x.lock")
	}
	if _, err := os.Stat(filepath.Join(w.dir, "x.lock")); err == nil {
		w.t.Error("the file was written")
	}
	r.set(permission.Deny, "read secret/**")
	if err := w.s.Configure(session.Settings{Mode: session.ModeDefault}); err != nil {
		w.t.Fatal(err)
	}
	w.refused("", "read the file secret/key.txt", "let a colleague read secret/key.txt", "run the line cat secret/key.txt", "run the line grep -r TOP secret")
	w.unseen()
}

func (w *whole) deniedInBypass(r *keptRules) {
	w.secret()
	w.completes("hello", "hello")
	if err := w.s.Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
		w.t.Fatal(err)
	}
	r.set(permission.Deny, "read secret/**", "command touch *", "edit x.txt")
	w.refused(byTheRule+"command touch *", "run it", "two colleagues")
	w.refused(byTheRule+"edit x.txt", "write the file x.txt")
	w.refused("", "read the file secret/key.txt", "run the line cat secret/key.txt")
	for _, name := range []string{"made", "made-a", "made-b", "x.txt"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil {
			w.t.Errorf("%s was made", name)
		}
	}
	w.unseen()
	asked := w.asks(session.Answer{Decision: session.Deny})
	w.completes("write the file y.txt", "")
	w.completes("run the line echo free", "free")
	r.set(permission.Ask, "command echo *")
	w.completes("run the line echo free", "free")
	if got := asked(); len(got) > 0 {
		w.t.Errorf("asked %+v", got[0].Permission)
	}
}

func (w *whole) deniedServer(r *keptRules) {
	w.withForms()
	r.set(permission.Deny, "mcp forms")
	w.refused(byTheRule+"mcp forms of this project", "go through the gate")
	r.set(permission.Deny, "mcp forms/form")
	w.asks(yes)
	w.completes("go through the gate", "the gate is open")
}

// deniedBySettings is about what no hook sees: a file that a prompt mentions.
func (w *whole) deniedBySettings(r *keptRules) {
	w.secret()
	r.set(permission.Deny, "read secret/**")
	w.completes("hello @secret/key.txt", "hello")
	w.unseen()
	r.set(permission.Deny)
	w.completes("hello again @secret/key.txt", "hello")
	w.read("hello again", secret)
}

func (w *whole) ruled(r *keptRules) {
	r.set(permission.Allow, "command touch made", "edit **")
	asked := w.asks(session.Answer{Decision: session.Deny})
	w.completes("write the file one.txt", "")
	w.completes("run the line touch made", "")
	if got := asked(); len(got) > 0 {
		w.t.Errorf("asked %+v", got[0].Permission)
	}
	w.completes("run the line touch other", mustBe)
	w.completes("write the file .envrc", mustBe)
	got := asked()
	if len(got) != 2 {
		w.t.Fatalf("asked %d times", len(got))
	}
	if p := got[0].Permission; p.Command != "touch other" || len(p.Parts) != 1 || p.Parts[0].Allowed || p.Reason != "Do something" {
		w.t.Errorf("asked %+v", p)
	}
	for _, name := range []string{"one.txt", "made"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err != nil {
			w.t.Error(err)
		}
	}
}

// mustBe is the beginning of what the model reads when the user refuses a call.
const mustBe = "The user refused this call"

func (w *whole) askedByRule(r *keptRules) {
	r.set(permission.Ask, "command ls *", "read hello.txt", "edit a.txt")
	for _, mode := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits} {
		if err := w.s.Configure(session.Settings{Mode: mode}); err != nil {
			w.t.Fatal(err)
		}
		for _, prompt := range []string{"run the line ls", "read the file hello.txt", "write the file a.txt", "let a colleague read hello.txt"} {
			asked := w.asks(session.Answer{Decision: session.Deny})
			w.completes(prompt, "")
			if got := asked(); len(got) != 1 || !strings.HasPrefix(got[0].Permission.Reason, "Asked: the rule ") || len(got[0].Permission.Rules) > 0 {
				w.t.Errorf("%q in %s: asked %+v", prompt, mode, got)
			}
		}
	}
}

func (w *whole) locked(r *keptRules) {
	r.mu.Lock()
	r.kept.Locked = "The rules of this project cannot be read."
	r.mu.Unlock()
	for _, mode := range []session.Mode{session.ModeDefault, session.ModeBypass} {
		if err := w.s.Configure(session.Settings{Mode: mode}); err != nil {
			w.t.Fatal(err)
		}
		for _, prompt := range []string{"run the line ls", "read the file hello.txt", "write the file a.txt"} {
			asked := w.asks(session.Answer{Decision: session.Deny})
			w.completes(prompt, "")
			if got := asked(); len(got) != 1 || got[0].Permission.Reason != "The rules of this project cannot be read." {
				w.t.Errorf("%q in %s: asked %+v", prompt, mode, got)
			}
		}
	}
}

// allowedBySettings is about what the runtime's own settings allow: parley judges it all, and heeds these rules as its own.
func (w *whole) allowedBySettings(r *keptRules) {
	settings := filepath.Join(w.home, ".claude", "settings.json")
	w.file(settings, map[string]any{"permissions": map[string]any{"allow": []string{"Bash(touch:*)", "Write", "Edit(one.txt)", "Bash(rm:*)"}}})
	prompts := []string{"run the line touch made", "write the file one.txt", "run the line rm -f made"}
	for _, prompt := range prompts {
		asked := w.asks(session.Answer{Decision: session.Deny})
		w.completes(prompt, mustBe)
		if got := asked(); len(got) != 1 {
			w.t.Errorf("%q: asked %+v", prompt, got)
		}
	}
	store := rules.New(rules.Options{Claude: func(string) []rules.Settings { return []rules.Settings{{Path: settings, Root: filepath.Dir(settings)}} }})
	kept := store.Kept(w.dir)
	r.mu.Lock()
	r.kept = kept
	r.mu.Unlock()
	asked := w.asks(session.Answer{Decision: session.Deny})
	for _, prompt := range prompts {
		w.completes(prompt, "")
	}
	if got := asked(); len(got) > 0 {
		w.t.Errorf("asked %+v", got[0].Permission)
	}
	w.completes("write the file two.txt", mustBe)
	if got := asked(); len(got) != 1 {
		w.t.Errorf("asked %d times", len(got))
	}
}
