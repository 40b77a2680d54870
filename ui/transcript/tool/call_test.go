package tool

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/style"
)

// Output of up to three lines stands below its call; of more the last ones, and how many there are before.
func TestTheEndOfTheOutputIsShown(t *testing.T) {
	l := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 62, Height: 24, Now: time.Now}
	for _, tt := range []struct {
		text    string
		outcome session.ToolOutcome
		summary string
		marked  bool
		right   string
		rows    []string
	}{
		{"ok\n", session.ToolOK, "", false, "", []string{"ok"}},
		{"ok\n", session.ToolOK, "", true, "", []string{"ok"}},
		{"a\nb\nc\n", session.ToolOK, "", false, "", []string{"a", "b", "c"}},
		{"1\n2\n3\n4\n5", session.ToolOK, "5 lines", true, "2 more lines  tab", []string{"3", "4", "5"}},
		{"1\n2\n3\n4", session.ToolFailed, "", false, "failed, 1 more line", []string{"2", "3", "4"}},
		{strings.Repeat("x", 200), session.ToolOK, "", false, "1 more line", []string{strings.Repeat("x", 58), strings.Repeat("x", 58), strings.Repeat("x", 26)}},
		{"a", session.ToolCancelled, "", false, "stopped", nil},
	} {
		c := Call{Tool: &session.Tool{Name: "bash", Input: json.RawMessage(`{"command":"go vet"}`), Ready: true, Ended: true, Outcome: tt.outcome, Result: session.ToolResult{Text: tt.text, Summary: tt.summary}}}
		rows := c.Rows(l, Fold{Marked: tt.marked})
		head := style.Unstyled(rows[0])
		if !strings.HasPrefix(strings.ToLower(head[len("•"):]), " ran go vet") && tt.outcome != session.ToolFailed || strings.TrimSpace(strings.TrimPrefix(head[strings.Index(head, "go vet"):], "go vet")) != tt.right {
			t.Errorf("%.10q: %q, want %q at its end", tt.text, head, tt.right)
		}
		var got []string
		for _, r := range rows[1:] {
			got = append(got, strings.TrimSpace(style.Unstyled(r)))
		}
		if strings.Join(got, "|") != strings.Join(tt.rows, "|") {
			t.Errorf("%.10q shows %q", tt.text, got)
		}
	}
}

// A command that runs names the key that sends it to the background, where there is one and room for it.
func TestTheKeyThatSendsACommandIsNamed(t *testing.T) {
	for _, tt := range []struct {
		width       int
		name, sends string
		ready, over bool
		right       string
	}{
		{80, "bash", "ctrl+b", true, false, "2 more lines · ctrl+b background"},
		{80, "bash", "", true, false, "2 more lines"},
		{50, "bash", "ctrl+b", true, false, "2 more lines"},
		{80, "view", "ctrl+b", true, false, "2 more lines"},
		{80, "bash", "ctrl+b", true, true, "4 more lines"},
	} {
		l := &style.Look{Theme: style.NewTheme(true, true, nil), Width: tt.width, Height: 24, Now: time.Now}
		of := &session.Tool{Name: tt.name, Input: json.RawMessage(`{"command":"go vet"}`), Ready: tt.ready, Ended: tt.over, Outcome: session.ToolOK}
		of.Result.Text = "1\n2\n3\n4\n5\n6\n7"
		c := Call{Tool: of, Sends: tt.sends}
		if !tt.over {
			of.Result.Text = ""
			c.hidden = 2
			c.describe("")
		} else {
			c.Rows(l, Fold{})
		}
		if got := c.summary(l, Fold{}); got != tt.right {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
