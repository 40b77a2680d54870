package extensions

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
)

// reporter reports some hooks.
type reporter struct{ session.HookReport }

func (r reporter) Hooks(context.Context) session.HookReport { return r.HookReport }

func newReporter() reporter {
	return reporter{session.HookReport{Hooks: []session.Hook{
		{Event: "PreToolUse", Matcher: "Bash", Kind: "command", Runs: "check\x1b[2J.sh", Scope: "user", From: "/home/u/.claude/settings.json", Timeout: 10 * time.Second},
		{Event: "Stop", Kind: "prompt", Runs: "Is it done?", Scope: "project", From: "/repo/.claude/settings.json", Timeout: time.Minute, Why: "off until you agree"}},
		Faults: []string{"/repo/.github/hooks/a.json: it cannot be read as JSON"},
		Runs:   []session.HookRun{{At: time.Now(), Event: "PreToolUse:Bash", Runs: "check.sh", From: "/home/u/.claude/settings.json", Took: 120 * time.Millisecond, Outcome: "blocked", Said: "not here"}}}}
}

func TestHookList(t *testing.T) {
	s := paneltest.Open(t, of(session.Extensions{Hooks: newReporter()}).Hooks("").(panel.Push))
	s.Wait()
	rows := s.Rows(100, 60)
	for _, want := range []string{"yours", "PreToolUse Bash", "on", "this project's", "asks a model: Is it", "off until you agree", "a.json",
		"last runs", "PreToolUse:Bash", "120ms", "blocked", "events, and which agents have them", "SessionStart", "parley Claude Copilot"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, "\x1b[2J") {
		t.Error("a hook drives the terminal")
	}
	s.Keys("ctrl+x")
	if e := s.Effects[len(s.Effects)-1]; e != (panel.EditFile{Path: "/home/u/.claude/settings.json"}) {
		t.Errorf("%#v", e)
	}
}

func TestHookParts(t *testing.T) {
	for args, want := range map[string][2]string{"log": {"not here", "SessionStart"}, "events": {"WorktreeRemove", "check"}} {
		s := paneltest.Open(t, of(session.Extensions{Hooks: newReporter()}).Hooks(args).(panel.Push))
		s.Wait()
		if rows := s.Rows(100, 80); !strings.Contains(rows, want[0]) || strings.Contains(rows, want[1]+" ") {
			t.Errorf("%s:\n%s", args, rows)
		}
	}
	s := paneltest.Open(t, Command{Look: look(), Agent: "claude", Keeper: &shop{found: func() inventory.Found { return inventory.Found{} }}}.Hooks("").(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 60); !strings.Contains(rows, "This agent runs its own hooks") || !strings.Contains(rows, "   agents") || !strings.Contains(rows, "PostToolBatch") {
		t.Error(rows)
	}
	if n, is := of(session.Extensions{}).Hooks("nonsense").(panel.Notice); !is || !n.Warn {
		t.Error("nonsense is accepted")
	}
}
