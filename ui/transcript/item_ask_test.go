package transcript

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui/style"
)

// An approved plan is shown as the user changed it, also if both versions have the same length, and notes below answers.
func TestAnswersOfAsksAreShown(t *testing.T) {
	l := &style.Look{Theme: style.NewTheme(true, false, nil), Now: time.Now, Width: 80, Height: 24}
	a := &session.Ask{Asked: session.Asked{Kind: session.AskPlan, Plan: &session.PlanAsk{Plan: "first version"}}}
	it := &askItem{ask: a}
	show := func() string { return style.Unstyled(strings.Join(it.planRows(l), "\n")) }
	if got := show(); !strings.Contains(got, "first version") {
		t.Errorf("open:\n%s", got)
	}
	a.Settled, a.Settlement = true, session.Settled{How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow, Plan: "other version"}}
	it.turned, it.open = true, true
	if got := show(); strings.Contains(got, "first version") || !strings.Contains(got, "other version") || !strings.Contains(got, "approved as you changed it") {
		t.Errorf("settled:\n%s", got)
	}
	a = &session.Ask{Asked: session.Asked{Kind: session.AskQuestion, Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which?"}}}}, Settled: true,
		Settlement: session.Settled{How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which?": {"this"}},
			Notes: map[string]string{"Which?": "but\x1b[2J late"}}}}
	it = &askItem{ask: a}
	got := strings.Join(it.questionRows(l), "\n")
	if plain := style.Unstyled(got); !strings.Contains(plain, "this") || !strings.Contains(plain, "note: but") || strings.Contains(plain, "\x1b") {
		t.Errorf("%q", plain)
	}
	a.Settlement.Answer = session.Answer{Decision: session.Cancel}
	if it.outcome() != "closed" {
		t.Errorf("closed: %q", it.outcome())
	}
}
