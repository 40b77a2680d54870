//go:build unix

package uitest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/rules"
	"parley/ui"
)

// withRules returns the options of a chat with rules on disk below a home directory, the store, and a project there; or with
// the rules of another project.
func withRules(t *testing.T, project ...string) (*rules.Store, string, func(o *ui.Options)) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, policy := filepath.Join(home, "acme"), filepath.Join(home, "etc", "policy.yaml")
	put(t, filepath.Join(dir, "go.mod"), "module acme\n")
	if len(project) > 0 {
		dir = project[0]
	}
	put(t, policy, "bypass: forbid\nrules:\n  - deny: command curl *\n    since: 1999-06-01\n")
	store := rules.New(rules.Options{Config: filepath.Join(home, ".config"), Data: filepath.Join(home, ".local"),
		Policy: rules.PolicyFile{Path: policy, Guard: func(string) (string, error) { return "", nil }},
		Now:    func() time.Time { return time.Date(1999, 12, 31, 8, 0, 0, 0, time.UTC) }})
	for origin, texts := range map[permission.Origin][]string{
		permission.FromGlobal:  {"allow command git status", "deny read ~/.ssh/**"},
		permission.FromProject: {"allow command go test *", "ask edit go.mod", "allow edit src/**"},
	} {
		for _, text := range texts {
			ruling, text, _ := strings.Cut(text, " ")
			r, err := permission.ParseRule(text)
			if err != nil {
				t.Fatal(err)
			}
			r.Ruling = permission.Ruling(ruling)
			if err := store.Add(dir, origin, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return store, dir, func(o *ui.Options) { o.Rules = store }
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// kept returns the rules of an origin as text.
func kept(s *rules.Store, dir string, origin permission.Origin) string {
	var all []string
	for _, f := range s.Files(dir) {
		for _, r := range f.Rules {
			if f.Origin == origin {
				all = append(all, string(r.Ruling)+" "+r.String())
			}
		}
	}
	return strings.Join(all, "; ")
}

func TestPermissionsLook(t *testing.T) {
	for name, size := range map[string][2]int{"permissions": {120, 40}, "permissions-80x24": {80, 24}, "permissions-40x12": {40, 12}} {
		_, dir, options := withRules(t)
		Run(t, Config{Width: size[0], Height: size[1], Dir: dir, Options: options}, func(p *Program) {
			p.Type("/permissions")
			p.Keys("down", "down", "down")
			p.Golden(name)
			p.Keys("enter")
			p.Golden(name + "-edit")
		})
	}
}

// The list edits, removes, brings back, moves and adds rules; what is written is checked before it is saved.
func TestPermissionsAreChanged(t *testing.T) {
	store, dir, options := withRules(t)
	const project, global = permission.FromProject, permission.FromGlobal
	Run(t, Config{Width: 120, Height: 40, Dir: dir, Options: options}, func(p *Program) {
		check := func(origin permission.Origin, want string) {
			t.Helper()
			if got := kept(store, dir, origin); got != want {
				t.Errorf("the %s rules are %q, want %q\n%s", origin, got, want, p.Text())
			}
		}
		p.Type("/permissions")
		p.Send("go test")
		p.Keys("enter")
		p.Keys("ctrl+a")
		p.Send("x")
		p.Keys("enter")
		if !p.Has(`a rule begins with command, edit, read, fetch, mcp or tool, not "xcommand"`) || !p.Has("xcommand go test *") {
			t.Errorf("a wrong rule is not refused where it stands:\n%s", p.Text())
		}
		p.Keys("ctrl+e", "ctrl+u")
		p.Send("command go test ./... *")
		p.Keys("down", "enter")
		check(project, "ask command go test ./... *; ask edit go.mod; allow edit src/**")
		p.Send("src")
		p.Keys("ctrl+x")
		check(project, "ask command go test ./... *; ask edit go.mod")
		if !p.Has("enter brings it back") {
			t.Errorf("it cannot be brought back:\n%s", p.Text())
		}
		p.Keys("enter")
		check(project, "ask command go test ./... *; ask edit go.mod; allow edit src/**")
		p.Keys("alt+up")
		check(project, "ask command go test ./... *; ask edit go.mod")
		check(global, "allow command git status; deny read ~/.ssh/**; allow edit src/**")
		p.Keys("ctrl+u")
		p.Send("curl")
		p.Keys("ctrl+x", "enter")
		if !p.Has("your administrator's rules are changed in") {
			t.Errorf("a rule of the policy can be changed:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Type("/permissions deny --global tool WebSearch")
		check(global, "allow command git status; deny read ~/.ssh/**; allow edit src/**; deny tool WebSearch")
		p.Type("/permissions allow comand x")
		if !p.Has("a rule begins with") || !p.Has("> /permissions allow comand x") {
			t.Errorf("the mistake is not named, or not in the field:\n%s", p.Text())
		}
		p.Keys("ctrl+u")
		p.Type("/permissions explain go.mod")
		if !p.Has("Changing") || !p.Has("Reading") {
			t.Errorf("nothing is explained:\n%s", p.Text())
		}
	})
}

// A file that cannot be used is listed with its mistake, and opens in the user's editor.
func TestBrokenRulesOpenInTheEditor(t *testing.T) {
	store, dir, options := withRules(t)
	path := store.Path(dir, permission.FromGlobal)
	put(t, path, "rules:\n- alow: tool X\n")
	opened := ""
	Run(t, Config{Width: 120, Height: 40, Dir: dir, Options: func(o *ui.Options) {
		options(o)
		o.Editor = EditorFunc(func(name string, _ io.Reader, _, _ io.Writer) error {
			opened = name
			return os.WriteFile(name, []byte("rules:\n- allow: tool X\n"), 0o600)
		})
	}}, func(p *Program) {
		p.Type("/permissions")
		if !p.Has("did you mean allow?") || !p.Has("can't be used") {
			t.Errorf("the mistake is not shown:\n%s", p.Text())
		}
		p.Send("alow")
		p.Keys("enter")
		p.Pass(time.Second) // the loop waits a while for the pipe of the keys
		if opened != path || !p.Has("allow  tool X") {
			t.Errorf("opened %q, then:\n%s", opened, p.Text())
		}
	})
}

func TestPermissionsInLines(t *testing.T) {
	store, dir, options := withRules(t, Dir)
	RunLines(t, Config{Options: options}, func(l *Lines) {
		for _, c := range []struct{ typed, says string }{
			{"/permissions", "1. deny command curl *, since 1999-06-01"},
			{"/permissions", "3. allow edit src/**, since yesterday"},
			{"/permissions", "nothing bypasses permissions"},
			{"/permissions remove project 2", "Removed from the project rules: ask edit go.mod"},
			{"/permissions move project 1", "Moved to the global rules: allow command go test *"},
			{"/permissions edit project 1 deny edit src/*.go", "Changed in the project rules: deny edit src/*.go"},
			{"/permissions edit policy 1 tool X", "policy rules can't be changed here"},
			{"/permissions remove project 7", "there is no rule 7 in the project rules"},
			{"/permissions explain wc x", "wc x would be asked about"},
			{"/permissions burn", "write /permissions explain, allow"},
		} {
			l.Type(c.typed)
			if said := l.News(); !strings.Contains(said, c.says) {
				t.Errorf("%s says:\n%s", c.typed, said)
			}
		}
		if got := kept(store, dir, permission.FromProject); got != "deny edit src/*.go" {
			t.Errorf("left: %s", got)
		}
	})
}

// A rule of the session is listed with the time of its answer, can be removed, and cannot be edited.
func TestRulesOfTheSessionAreRemoved(t *testing.T) {
	_, dir, options := withRules(t)
	Run(t, Config{Width: 120, Height: 40, Dir: dir, Options: options}, func(p *Program) {
		p.Type("go")
		turn := p.Turn()
		id, got := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "make lint", Rules: []session.Rule{{Text: "command make lint"}}}})
		if err := p.Session.Answer(id, session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		<-got
		turn.Text("done")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("/permissions")
		p.Send("make")
		if !p.Has("1  allow  command make lint") || !p.Has("this session") {
			t.Errorf("it is not listed:\n%s", p.Text())
		}
		p.Keys("enter")
		if !p.Has("rules of the session can only be removed") {
			t.Errorf("it can be edited:\n%s", p.Text())
		}
		p.Keys("ctrl+x")
		if p.Has("1  allow  command make lint") || len(permission.Granted(session.Fold(p.World.Journals.Stored(p.Session.ID())))) != 0 {
			t.Errorf("it is still there:\n%s", p.Text())
		}
	})
}

// Nothing in a file of rules, or behind the command, drives the terminal.
func TestRulesDriveNoTerminal(t *testing.T) {
	store, dir, options := withRules(t)
	const evil = `\u009b31m\u202ered\u2066`
	put(t, store.Path(dir, permission.FromGlobal), `rules: [{allow: "command x`+evil+`"}, {deny: "mcp `+evil+`/`+evil+`"}, {ask: "edit a`+evil+`/**"}]`)
	for _, broken := range []bool{false, true} {
		if broken {
			put(t, store.Path(dir, permission.FromGlobal), `rules: [{"`+evil+`": x}]`)
		}
		Run(t, Config{Width: 120, Height: 40, Dir: dir, Options: options}, func(p *Program) {
			p.Type("/permissions")
			for range 12 {
				p.Keys("down")
			}
			p.Keys("ctrl+p", "ctrl+home", "down", "down", "down", "enter", "enter", "esc", "esc")
			for _, args := range []string{"explain x\u009b31m\u202e && ls", "deny comand \u009b31m\u202e", "remove global 2"} {
				p.Send("\x1b[200~/permissions " + args + "\x1b[201~")
				p.Keys("enter")
				p.Settle()
				p.Keys("esc", "ctrl+u")
			}
			raw := p.Raw()
			for _, bad := range []string{"\u009b", "\u202e", "\u2066"} {
				if i := strings.Index(raw, bad); i >= 0 {
					t.Errorf("%q reached the terminal in %q", bad, raw[max(0, i-40):min(len(raw), i+40)])
				}
			}
		})
	}
}
