//go:build unix

package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

const suggestAny = `,"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`

// withGo lets commands find a program called go, and none else.
func withGo(t *testing.T) option {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	return func(o *Options, _ *session.OpenOptions) { o.Environ = []string{"PATH=" + bin} }
}

// A grant for the session survives a restart of the runtime, because parley answers and not the runtime.
func TestAllowanceSurvivesARestart(t *testing.T) {
	environ := withGo(t)
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		ch.rt().ask("ask-1", bashAsk("t1", "go test ./...", suggestAny))
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || len(asked[0].Permission.Rules) == 0 || asked[0].Permission.Rules[0].Label != "go test *" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["ask-1"]); got != `{"behavior":"allow","updatedInput":{"command":"go test ./..."}}` {
			t.Error(got)
		}
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		ch.finished(done)
		done = ch.begin(context.Background(), turnID(2), "again")
		ch.rt().taken(string(turnID(2)))
		for i, tc := range []struct {
			command, more string
			allowed       bool
		}{
			{"go test -run X ./sub", suggestAny, true},
			{"go test", "", false}, // the runtime would not remember it either
			{"go test && go test -v", suggestAny, true},
			{"go test -exec sh", suggestAny, false},
			{"go testing", suggestAny, false},
			{"go test; rm -r x", suggestAny, false},
			{"go test > /etc/passwd", suggestAny, false},
			{"go test $(id)", suggestAny, false},
			{"go\u00a0test", suggestAny, false},
			{"ls sub", suggestAny, false},
			{"go test", suggestAny + `,"decision_reason_type":"safetyCheck"`, false},
			{"go test", suggestAny + `,"decision_reason_type":"rule"`, false},
			{"go test", suggestAny + `,"decision_reason_type":"hook"`, false},
		} {
			id := fmt.Sprintf("again-%d", i)
			ch.rt().ask(id, bashAsk(id, tc.command, tc.more))
			synctest.Wait()
			if allowed := ch.rt().replies[id].Behavior == "allow"; allowed != tc.allowed {
				t.Errorf("%s: allowed %v", tc.command, allowed)
			}
		}
		ch.rt().result()
		ch.finished(done)
	}, environ)
}

// TestRulesGrantedTogether takes one offer with a rule for each part of a line: the line and each part alone pass from then on, and
// another part is asked about.
func TestRulesGrantedTogether(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		const line = "go vet ./... && go test ./... 2>&1"
		done := ch.begin(context.Background(), turnID(1), "hello")
		ch.rt().taken(string(turnID(1)))
		ch.rt().ask("ask-1", bashAsk("t1", line, suggestAny))
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || len(asked[0].Permission.Rules) == 0 || asked[0].Permission.Rules[0].Text != "command go vet *\ncommand go test *" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &asked[0].Permission.Rules[0]}); err != nil {
			t.Fatal(err)
		}
		for command, want := range map[string]bool{line: true, "go vet ./sub": true, "go test ./sub": true, line + " && go generate": false} {
			ch.rt().ask(command, bashAsk(command, command, suggestAny))
			synctest.Wait()
			if allowed := ch.rt().replies[command].Behavior == "allow"; allowed != want {
				t.Errorf("%s: allowed %v", command, allowed)
			}
		}
		ch.c.(session.RuleRevoker).RevokeRule(session.Rule{Text: "command go vet *"})
		for command, want := range map[string]bool{"go vet ./x": false, "go test ./x": true} {
			ch.rt().ask(command, bashAsk(command, command, suggestAny))
			synctest.Wait()
			if allowed := ch.rt().replies[command].Behavior == "allow"; allowed != want {
				t.Errorf("go vet was revoked, %s: allowed %v", command, allowed)
			}
		}
		ch.rt().result()
		ch.finished(done)
	}, withGo(t))
}

// A rule for edits is for every tool that edits below the directory, and is parley's own: the runtime's mode stays.
func TestEditsForTheSession(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	edit := func(tool, path, more string) string {
		return fmt.Sprintf(`{"subtype":"can_use_tool","tool_name":%q,"tool_use_id":"t","input":{"file_path":%q}%s}`, tool, path, more)
	}
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("first", edit("Edit", filepath.Join(dir, "a.go"), suggestAny))
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || len(asked[0].Permission.Rules) == 0 || asked[0].Permission.Rules[0].Label != "edits of any file of this project" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("first", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["first"]); got != fmt.Sprintf(`{"behavior":"allow","updatedInput":{"file_path":%q}}`, filepath.Join(dir, "a.go")) {
			t.Error(got)
		}
		for i, tc := range []struct {
			tool, path, more string
			allowed          bool
		}{
			{"Write", filepath.Join(dir, "b.go"), suggestAny, true},
			{"MultiEdit", filepath.Join(dir, "new/c.go"), suggestAny, true},
			{"Edit", filepath.Join(dir, ".envrc"), suggestAny, false},
			{"Write", filepath.Join(dir, "HEAD"), suggestAny, false},
			{"Write", "/etc/x", suggestAny, false},
			{"Write", filepath.Join(dir, "b.go"), suggestAny + `,"blocked_path":"/etc/x"`, false},
			{"Read", filepath.Join(dir, "b.go"), suggestAny, false},
			{"Write", filepath.Join(dir, "b.go"), suggestAny + `,"decision_reason_type":"safetyCheck"`, false},
		} {
			id := fmt.Sprintf("ask-%d", i)
			ch.rt().ask(id, edit(tc.tool, tc.path, tc.more))
			synctest.Wait()
			if allowed := ch.rt().replies[id].Behavior == "allow"; allowed != tc.allowed {
				t.Errorf("%s of %s%s: allowed %v", tc.tool, tc.path, tc.more, allowed)
			}
		}
	}, func(_ *Options, o *session.OpenOptions) { o.Dir = dir })
}
