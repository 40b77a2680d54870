package usage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/spending"
	"parley/ui/list"
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
	all[0].Dir = strings.Repeat("/deep", 20) + all[0].Dir
	for i := range 8 {
		all = append(all, spending.Session{Agent: "claude", Dir: fmt.Sprint("/repos/", i), Days: []spending.Day{{Day: "2026-03-01", Model: "n", NanoAIU: 1e9}}})
	}
	c := Command{Look: &style.Look{Now: func() time.Time { return now }}, Events: func() []session.Event { return events },
		Report: func(context.Context) (spending.Report, error) { return spending.NewReport(all, now), nil }}
	got := said(t, c)
	for _, want := range []string{
		"In this session: Last prompt | 1.00 credits in 1 request", "Costliest prompt | 8.00 credits in 1 request: costly", "Each request | 3.00 credits on average, of 2",
		"Subagents | 1.00 credits: explore 1.00", "Summaries | 2.00 credits", "Today | 3.00 credits", "7 days | 3.00 credits", "30 days | 11.00 credits  ",
		"Of it subagents | 1.00 credits", "By model, 30 days: n | 8.00 credits", "By agent: Claude Code | 8.00 credits", "By directory: …p/deep/deep/deep/deep/deep/repos/x␛[31m | ", "4 more | `parley usage` lists all",
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

// The list is open before anything is read, and each part is shown when it is there.
func TestTheListFills(t *testing.T) {
	asked := false
	c := Command{Look: &style.Look{Now: time.Now}, Lines: [][2]string{{"This session", "1 credit"}},
		Events: func() []session.Event { asked = true; return nil },
		Report: func(context.Context) (spending.Report, error) {
			asked = true
			return spending.NewReport(nil, time.Now()), nil
		}}
	p, cmd := opened(t, c)
	if got := rowsOf(p); asked || got != ": This session | 1 credit\nAll sessions on this machine: Reading their costs | …\n" {
		t.Errorf("it waits:\n%s", got)
	}
	if _, wait, _ := p.Found(); wait == "" {
		t.Error("the chat in lines prints half of it")
	}
	fill(t, p, cmd)
	if got := rowsOf(p); !asked || strings.Contains(got, "Reading") || !strings.Contains(got, "Today | 0 credits") {
		t.Errorf("%s", got)
	}
	if _, wait, _ := p.Found(); wait != "" {
		t.Error("the chat in lines waits for more")
	}
	if e, _ := p.Update(panel.Uncovered{}); e != (panel.Pass{}) {
		t.Errorf("%#v", e)
	}
}

// opened returns the list as it is opened, and the command that reads the rest.
func opened(t *testing.T, c Command) (*list.Panel, panel.Cmd) {
	t.Helper()
	push, is := c.Run().(panel.Push)
	if !is {
		t.Fatal("no list is opened")
	}
	return push.Panel.(*list.Panel), push.Start
}

// fill gives the list what is read.
func fill(t *testing.T, p *list.Panel, c panel.Cmd) {
	t.Helper()
	stack := panel.NewStack(t.Context(), nil, p)
	for todo := []tea.Cmd{stack.Do(panel.Bottom, panel.Start{Cmd: c})}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == nil {
			continue
		}
		switch msg := todo[0]().(type) {
		case tea.BatchMsg:
			todo = append(todo, msg...)
		default:
			stack.Route(msg)
		}
	}
}

// said returns the rows of the list of a command.
func said(t *testing.T, c Command) string {
	t.Helper()
	p, cmd := opened(t, c)
	fill(t, p, cmd)
	return rowsOf(p)
}

func rowsOf(p *list.Panel) string {
	var b strings.Builder
	for _, r := range p.Source.Rows() {
		fmt.Fprintf(&b, "%s: %s\n", r.Group, strings.Join(r.Cells, " | "))
	}
	return b.String()
}
