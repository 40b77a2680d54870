package usage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/spending"
	"parley/ui/list/listtest"
	"parley/ui/panel"
	"parley/ui/style"
)

func TestList(t *testing.T) {
	listtest.Check(t, listtest.Case{Source: List{Lines: [][2]string{{"This session", strings.Repeat("word ", 40)}}}})
}

// The list says what the session's credits went for, and what all sessions cost: at most five of each kind, and nothing drives the
// terminal.
func TestCommand(t *testing.T) {
	head := session.Head{Turn: "1"}
	events := []session.Event{
		session.TurnStarted{Head: head, Prompt: session.Prompt{Text: "costly\x1b[31m words"}}, session.ChildStarted{Head: head, ID: "c", Name: "explore"},
		session.CreditsReported{Head: head, NanoAIU: 5e9}, session.CreditsReported{Head: session.Head{Turn: "1", Child: "c"}, NanoAIU: 1e9},
		session.CreditsReported{Head: head, NanoAIU: 2e9}, session.Compacted{Head: head},
		session.TurnStarted{Head: session.Head{Turn: "2"}, Prompt: session.Prompt{Text: "cheap"}}, session.CreditsReported{Head: session.Head{Turn: "2"}, NanoAIU: 1e9},
	}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	all := []spending.Session{{Agent: "builtin", Dir: "/repos/x\x1b[31m", Days: []spending.Day{{Day: "2026-03-10", Model: "m", NanoAIU: 3e9, Children: 1e9}}}}
	for i := range 8 {
		all = append(all, spending.Session{Agent: "claude", Dir: fmt.Sprint("/repos/", i), Days: []spending.Day{{Day: "2026-03-01", Model: "n", NanoAIU: 1e9}}})
	}
	c := Command{Look: &style.Look{Now: func() time.Time { return now }}, Events: func() []session.Event { return events },
		Report: func(context.Context) (spending.Report, error) { return spending.NewReport(all, now), nil }}
	got := said(t, c)
	for _, want := range []string{
		"In this session: Last prompt | 1.00 credits in 1 request", "Costliest prompt | 8.00 credits in 1 request: costly", "Each request | 3.00 credits on average, of 2",
		"Subagents | 1.00 credits: explore 1.00", "Summaries | 2.00 credits", "Today | 3.00 credits", "7 days | 3.00 credits", "30 days | 11.00 credits  ",
		"Of it subagents | 1.00 credits", "By model, 30 days: n | 8.00 credits", "By agent: Claude Code | 8.00 credits", "By directory: /repos/x", "4 more | `parley usage` lists all",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the list lacks %q:\n%s", want, got)
		}
	}
	if strings.ContainsRune(got, '\x1b') {
		t.Errorf("%q", got)
	}
	c.Events, c.Report = nil, func(context.Context) (spending.Report, error) { return spending.Report{}, errors.New("no disk") }
	if got := said(t, c); !strings.Contains(got, "Unknown | ") || !strings.Contains(got, "no disk") {
		t.Error(got)
	}
}

// said returns the rows of the list of a command.
func said(t *testing.T, c Command) string {
	t.Helper()
	l := c.read(t.Context())
	if run, is := c.Run().(panel.Run); !is || run.Work == nil {
		t.Fatal("the list is not read in the background")
	}
	var b strings.Builder
	for _, r := range l.Rows() {
		fmt.Fprintf(&b, "%s: %s\n", r.Group, strings.Join(r.Cells, " | "))
	}
	return b.String()
}
