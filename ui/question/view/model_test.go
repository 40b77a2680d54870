package view

import (
	"math"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/question"
	"parley/ui/style"
)

// screen is a View with the rest of the screen around it.
type screen struct {
	*View

	now    time.Time
	frames int
	around Around
}

func newScreen(q *question.Question) *screen {
	s := &screen{now: time.Unix(1000, 0), around: Around{Visible: true, Idle: true}}
	s.View = New(Options{Look: &style.Look{Theme: style.NewTheme(true, true, nil), Now: func() time.Time { return s.now }, Width: 80, Height: 24},
		Now: func() time.Time { return s.now }, After: func(time.Duration, tea.Msg) tea.Cmd { return func() tea.Msg { return nil } },
		Frames: func() (int, int) { return s.frames, s.frames }})
	s.Show(q)
	s.frame()
	return s
}

// frame draws the question and lets time pass until it may take the keyboard.
func (s *screen) frame() {
	s.frames++
	s.SetTurn(1, "", "")
	s.Rows(80, s.Want(80, math.MaxInt))
	s.Place(10)
	s.Drawn()
	s.Look(s.around)
	s.pass(settleTime)
}

func (s *screen) pass(d time.Duration) Action {
	s.Watch(s.around)
	s.now = s.now.Add(d)
	act, _ := s.Update(TickMsg{s.wakes}, s.around)
	return act
}

func (s *screen) press(k tea.KeyPressMsg) (held, act Action) {
	held = s.Press(k, s.around.Visible)
	act, _ = s.Update(k, s.around)
	return held, act
}

func letter(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Text: string(r)} }

func command() *question.Question {
	return question.New(&session.Ask{Asked: session.Asked{Ask: "1", Permission: &session.PermissionAsk{Tool: "Bash", Command: "ls"}}}, question.Options{Dir: "/w"})
}

func TestLetterAnswersAfterAMoment(t *testing.T) {
	s := newScreen(command())
	if _, act := s.press(letter('y')); act != nil {
		t.Fatalf("the letter did %#v at once", act)
	}
	if act, ok := s.pass(confirmTime).(Answered); !ok || act.Answer.Decision != session.Allow {
		t.Fatalf("the letter did %#v", act)
	}
}

func TestHeldLetterIsTextWhenTheQuestionGoes(t *testing.T) {
	for name, leave := range map[string]func(s *screen) Action{
		"replaced": func(s *screen) Action { return s.Show(nil) },
		"hidden":   func(s *screen) Action { return s.Hide() },
		"covered": func(s *screen) Action {
			s.around.Visible = false
			return s.View.Look(s.around)
		},
		"typed over": func(s *screen) Action {
			held, act := s.press(letter('e'))
			if _, passed := act.(Passed); !passed {
				t.Errorf("the second letter did %#v", act)
			}
			return held
		},
	} {
		s := newScreen(command())
		s.press(letter('y'))
		if got, ok := leave(s).(Typed); !ok || got.Key.Text != "y" {
			t.Errorf("%s: %#v", name, got)
		}
		if act := s.pass(time.Minute); act != nil {
			t.Errorf("%s: answered later by %#v", name, act)
		}
	}
}

func TestClickAnswersWherePressed(t *testing.T) {
	s := newScreen(command())
	zones := s.cur.clicks.zones
	no, yes := zones[s.cur.q.ChoiceOf("n")], zones[0]
	if !s.PressAt(no.x0, no.row, true) || !s.Pressed() {
		t.Fatal("no answer under the pointer")
	}
	if _, act := s.releaseAt(yes.x0, yes.row, true); act != nil {
		t.Fatalf("released on another answer: %#v", act)
	}
	s.PressAt(no.x0, no.row, true)
	if _, act := s.releaseAt(no.x0, no.row, true); !isDenied(act) {
		t.Fatalf("released where pressed: %#v", act)
	}
	s.Place(11)
	if s.PressAt(no.x0, no.row+1, true) {
		t.Fatal("a click counts as soon as the answers moved")
	}
}

func isDenied(a Action) bool {
	got, ok := a.(Answered)
	return ok && got.Answer.Decision == session.Deny
}

func TestSummonedQuestionWaitsForItsKey(t *testing.T) {
	q := question.Trust(question.Directory{Items: []session.RepositoryItem{{Kind: "hooks", Name: "x"}}}, "/h")
	s := newScreen(q)
	if s.pass(time.Hour); s.HasKeyboard() {
		t.Fatal("it took the keyboard by itself")
	}
	s.Call()
	s.press(letter('y'))
	if act, ok := s.pass(confirmTime).(Chosen); !ok || act.Choice.Do != question.Load {
		t.Fatalf("the letter did %#v", act)
	}
}

func TestReasonGoesWithTheAnswer(t *testing.T) {
	s := newScreen(command())
	s.Toggle()
	s.press(letter('m'))
	if act := s.pass(confirmTime); act != nil || !s.Writes() {
		t.Fatalf("%#v, writes %v", act, s.Writes())
	}
	for _, r := range "too risky" {
		s.press(letter(r))
	}
	_, act := s.press(tea.KeyPressMsg{Code: tea.KeyEnter})
	if got, ok := act.(Answered); !ok || got.Answer.Message != "too risky" || got.Answer.Decision != session.Deny {
		t.Fatalf("%#v", act)
	}
}
