package status

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/style"
)

// headerRow returns the row of a header without its styles.
func headerRow(h Header, width int) string {
	return style.Unstyled(h.Row(&style.Look{Theme: style.NewTheme(true, true, nil)}, width))
}

func TestHeaderDegrades(t *testing.T) {
	h := Header{Agent: "claude", Model: "claude-opus-4.8", Effort: "high", Dir: "~/src/acme", Branch: "main", Quota: "214 left",
		Context: session.ContextState{Used: 62000, Window: 200000}}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{100, "parley · claude · opus 4.8 high · ~/src/acme (main)                     ctx ▰▰▱▱▱ 31% · 214 left"},
		{72, "parley · claude · opus 4.8 high · ~/src/acme      ctx 31% · 214 left"},
		{60, "parley · claude · opus 4.8 high · ~/src/acme    214 left"},
		{54, "parley · claude · opus 4.8 · ~/src/acme   214 left"},
		{45, "parley · claude · opus 4.8 · ~/src/acme"},
		{40, "parley · claude · opus 4.8 · …c/acme"},
	} {
		got := strings.TrimSpace(headerRow(h, tt.width))
		if got != tt.want {
			t.Errorf("%d columns:\n got %q\nwant %q", tt.width, got, tt.want)
		}
	}
	h.Title, h.Spent, h.Changed = "Why the upload test flakes", "1.20 credits", 2
	for _, tt := range []struct {
		width int
		want  string
	}{
		{160, "Why the upload test flakes · claude · opus 4.8 high · ~/src/acme (main)                            2 files changed · ctx ▰▰▱▱▱ 31% · 1.20 credits · 214 left"},
		{120, "Why the upload test flakes · claude · opus 4.8 high · ~/src/acme      2 files changed · ctx ▰▰▱▱▱ 31% · 1.20 credits"},
		{80, "Why the upload test flakes · claude · opus 4.8      2 changed · 1.20 credits"},
		{40, "Why the upload test flakes · cla… ±2"},
	} {
		if got := strings.TrimSpace(headerRow(h, tt.width)); got != tt.want {
			t.Errorf("%d columns:\n got %q\nwant %q", tt.width, got, tt.want)
		}
	}
	h = Header{Agent: "parley", Model: "claude-sonnet-4.6", Dir: "/tmp/parley-demo-1/project", Demo: true}
	if got := headerRow(h, 40); got != "  parley · sonnet 4.6 (simulated)" {
		t.Errorf("the demo in 40 columns: %q", got)
	}
}

// The name of a directory is whole where it fits, and else its end.
func TestHeaderNamesTheDirectory(t *testing.T) {
	for dir, want := range map[string]string{"~/src/proj": "proj", "~/src/acme-uploads": "…ads", "~": "~", "/": "/", "~/a/b": "…a/b"} {
		h := Header{Agent: "builtin", Model: "claude-sonnet-4.6", Dir: dir}
		got := strings.TrimSpace(headerRow(h, 40))
		if got != "parley · builtin · sonnet 4.6 · "+want {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

// Work at a service shows its state in any window, then its pull request and checks.
func TestHeaderOfWorkAtAService(t *testing.T) {
	h := Header{Agent: "cloud", Dir: "octo/app", Branch: "copilot/fix-1", Quota: "214 left", Remote: &session.Remote{State: session.RemoteRunning,
		Pull: &session.Pull{Number: 12, Title: "Mend the upload that flakes", Draft: true, State: "open"}, Checks: session.Checks{Passed: 3, Failed: 1, Pending: 2}}}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{140, "parley · cloud · octo/app (copilot/fix-1)        working · #12 Mend the upload that flakes draft · ✗1 ○2 ✓3 · 214 left"},
		{100, "parley · cloud · octo/app (copilot/fix-1)            working · #12 draft · ✗1 ○2 ✓3 · 214 left"},
		{80, "parley · cloud · octo/app        working · #12 draft · ✗1 ○2 ✓3 · 214 left"},
		{60, "parley · cloud · octo/app           working · #12 · 214 left"},
		{40, "parley · cloud · …/app working · #12"},
	} {
		got := strings.TrimSpace(headerRow(h, tt.width))
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(tt.want), " ") {
			t.Errorf("%d columns:\n got %q\nwant %q", tt.width, got, tt.want)
		}
	}
	h.Remote = &session.Remote{State: "on_\x1bhold", Pull: &session.Pull{Number: 3, State: "merged"}}
	if got := headerRow(h, 80); !strings.Contains(got, "on ␛hold · #3 merged") {
		t.Errorf("an unknown state: %q", got)
	}
}
