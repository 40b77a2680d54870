package question

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/core"
	"parley/ui/textarea"
)

func reviewOf(plan string, problem func(session.Mode) string) *Question {
	return New(&session.Ask{Asked: session.Asked{Kind: session.AskPlan, Plan: &session.PlanAsk{Plan: plan}}}, Options{ModeProblem: problem, Who: "scout"})
}

// keysOf returns the keys of a question's choices.
func keysOf(q *Question) string {
	var keys strings.Builder
	for _, c := range q.Choices {
		keys.WriteString(c.Key)
	}
	return keys.String()
}

// choice returns the answer of a key.
func choice(t *testing.T, q *Question, key string) session.Answer {
	t.Helper()
	i := q.ChoiceOf(key)
	if i < 0 {
		t.Fatalf("no choice %s among %s", key, keysOf(q))
	}
	return q.Choices[i].Answer
}

// A plan is approved as it is or as it was changed, in a mode that can be had.
func TestPlanChoices(t *testing.T) {
	q := reviewOf("one\n\ntwo\n\n", nil)
	if keysOf(q) != "yanmeo?" || q.Choices[q.At].Key != "y" || q.Title != "scout: Go on with this plan?" {
		t.Fatalf("%s, %q, %s is selected", keysOf(q), q.Title, q.Choices[q.At].Key)
	}
	if !q.TakesMessage() {
		t.Error("no message goes along with an answer")
	}
	if problem := q.TakePlan("one\n\nthree\n"); problem != "" || keysOf(q) != "yandeo?" || q.Choices[q.At].Key != "y" {
		t.Fatalf("%q, %s", problem, keysOf(q))
	}
	for key, mode := range map[string]session.Mode{"y": session.ModeDefault, "a": session.ModeAcceptEdits} {
		if a := choice(t, q, key); a.Decision != session.Allow || a.Plan != "one\n\nthree" || a.Mode != mode {
			t.Errorf("%s: %+v", key, a)
		}
	}
	if a := choice(t, q, "n"); a.Decision != session.Deny || a.Message != core.EditedPlan+"one\n\nthree" || a.Plan != "" {
		t.Errorf("n: %+v", a)
	}
	if p := q.Review.Patch; !strings.HasPrefix(p, "@@") || !strings.Contains(p, "\n-two\n+three\n") {
		t.Errorf("the difference is %q", p)
	}
	if q.DropEdits(); keysOf(q) != "yanmeo?" || choice(t, q, "y").Plan != "" || q.Review.Unsent() != "" {
		t.Errorf("dropped: %s %+v", keysOf(q), choice(t, q, "y"))
	}
	only := func(good session.Mode) func(session.Mode) string {
		return func(m session.Mode) string {
			if m == good {
				return ""
			}
			return "the policy forbids it"
		}
	}
	if q := reviewOf("x", only(session.ModeDefault)); keysOf(q) != "ynmeo?" {
		t.Errorf("without accepting edits: %s", keysOf(q))
	}
	if q := reviewOf("x", only(session.ModeAcceptEdits)); keysOf(q) != "anmeo?" || choice(t, q, "a").Mode != session.ModeAcceptEdits {
		t.Errorf("without asking: %s", keysOf(q))
	}
	if q := reviewOf("x", only("none")); keysOf(q) != "nmeo?" || !strings.Contains(q.Detail, "the policy forbids it") {
		t.Errorf("without any mode: %s, %q", keysOf(q), q.Detail)
	}
}

// The text of the editor is taken when it is left, and none of it is lost until it is dropped.
func TestPlanInPlace(t *testing.T) {
	q := reviewOf("one\ntwo\n", nil)
	r := q.Review
	q.BeginEdit()
	if line, of := r.Editor.Position(); line != 1 || of != 2 || r.Editor.Undo() || r.Unsent() != "" {
		t.Fatalf("line %d of %d, unsent %q", line, of, r.Unsent())
	}
	r.Editor.Insert("zero ")
	if r.Unsent() != "zero one\ntwo" {
		t.Errorf("while it is edited: %q", r.Unsent())
	}
	if q.EndEdit(); r.Editing || r.Edited != "zero one\ntwo" || r.Unsent() != r.Edited {
		t.Errorf("%+v", r)
	}
	q.BeginEdit()
	if !r.Editor.Undo() || r.Editor.Value() != "one\ntwo" {
		t.Errorf("undo leads to %q", r.Editor.Value())
	}
	if q.EndEdit(); r.Editing || r.Edited != "" || keysOf(q) != "yanmeo?" {
		t.Errorf("the plan as it was is taken for a change: %+v", r)
	}
	q.BeginEdit()
	r.Editor.SetValue(" \n")
	if q.EndEdit(); !r.Editing || r.Trouble != emptyPlan {
		t.Errorf("an empty plan: %+v", r)
	}
	r.Editor.Insert("x")
	if q.EndEdit(); r.Editing || r.Trouble != "" {
		t.Errorf("%+v", r)
	}
	if problem := q.TakePlan("from the editor"); problem != "" {
		t.Fatal(problem)
	}
	if q.BeginEdit(); r.Editor.Value() != "from the editor" {
		t.Errorf("it edits %q", r.Editor.Value())
	}
	if q.DropEdits(); r.Editing {
		t.Error("it is still edited")
	}
	if q.BeginEdit(); r.Editor.Value() != "one\ntwo" {
		t.Errorf("after dropping it edits %q", r.Editor.Value())
	}
}

// A paste of 5,000 lines is text at once, one undo step, and a key after it lays out no more than the window.
func TestLongPaste(t *testing.T) {
	q := reviewOf("one\n", nil)
	q.BeginEdit()
	ed := q.Review.Editor
	ed.SetSize(80, 20)
	ed.PasteWhole(strings.Repeat("a line with 東京 in it\r\n", 5000))
	if line, of := ed.Position(); line != 5001 || of != 5001 {
		t.Fatalf("line %d of %d", line, of)
	}
	if v := ed.View(); len(v.Rows) != 20 || !v.Above {
		t.Errorf("%d rows", len(v.Rows))
	}
	q.EndEdit()
	if n := strings.Count(q.Review.Edited, "\n"); n != 5000 || strings.Contains(q.Review.Edited, "\r") {
		t.Errorf("%d lines", n)
	}
	q.BeginEdit()
	if !ed.Undo() || ed.Value() != "one" {
		t.Errorf("undo leaves %d bytes", len(ed.Value()))
	}
}

func BenchmarkTypeInALongPlan(b *testing.B) {
	q := reviewOf(strings.Repeat("a line with some words in it\n", 5000), nil)
	q.BeginEdit()
	ed := q.Review.Editor
	ed.SetSize(80, 20)
	ed.Move(textarea.TextEnd)
	for b.Loop() {
		ed.Insert("x")
		ed.View()
	}
}
