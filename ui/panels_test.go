package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/chat"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/models"
	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/queue"
	"parley/ui/style"
)

// shownChat makes a screen that shows a conversation of so many turns, as a session brings them. set changes its options.
func shownChat(tb testing.TB, turns int, set func(*Options)) (m *Model, happen func(...session.Event)) {
	tb.Helper()
	mgr := sessiontest.NewWorld().Manager()
	s, err := mgr.Draft(live.DraftOptions{Dir: "/project"})
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	o := Options{Options: chat.Options{Options: core.Options{Manager: mgr, Session: s, Agent: "builtin", Dir: "/project", Input: &out, Output: &out,
		Env: []string{"TERM=xterm-256color"}}}, Width: 120, Height: 40, Profile: colorprofile.TrueColor, Quiet: true}.fill()
	if set != nil {
		set(&o)
	}
	m = newModel(tb.Context(), o, paint.New(paint.Options{Out: &out, Env: o.Env, Width: 120, Height: 40, Quiet: true}))
	var log session.Log
	var news tea.Msg
	m.pump = func(b *core.Inbox, msg tea.Msg) { readFrom(b, &log); news = msg }
	m.Init()
	happen = func(events ...session.Event) {
		log.Add(events...)
		m.Update(panel.Reply(panel.Bottom, news))
	}
	happen(sessiontest.Turns(s.ID(), turns, false)...)
	return m, happen
}

// readFrom makes an inbox read a log instead of its session, and returns the one to pump in its place.
func readFrom(b *core.Inbox, log *session.Log) (pumped *core.Inbox) {
	_, pumped = core.NewInbox(log)
	b.Close()
	b.Reader = pumped.Reader
	return pumped
}

// text is the frame without styles.
func (m *Model) text() string { return style.Unstyled(strings.Join(m.frame().Rows, "\n")) }

// shows reports whether the top panel is a list of a kind.
func shows[L list.Source](m *Model) bool {
	p, is := m.stack.Top().(*list.Panel)
	if !is {
		return false
	}
	_, is = p.Source.(L)
	return is
}

// A list is refreshed by one of its kind and by no other.
func TestAListIsRefreshedByItsKind(t *testing.T) {
	m, _ := shownChat(t, 1, nil)
	open := list.Open(m.look, queue.List{Prompts: []session.Prompt{{ID: "a"}, {ID: "b"}}}, "")
	m.stack.Do(0, panel.Push{Panel: open})
	m.stack.Tell(list.Fresh{Source: models.Models{}})
	if !shows[queue.List](m) {
		t.Error("it is replaced by another list")
	}
	m.stack.Tell(list.Fresh{Source: queue.List{Prompts: []session.Prompt{{ID: "b"}}}})
	if r, ok := open.Picker.Selected(); !ok || r.ID != "b" || len(open.Source.Rows()) != 1 {
		t.Errorf("%v", r)
	}
	m.stack.Back()
	if shows[queue.List](m) || m.stack.Covered() {
		t.Error("it is shown after it was closed")
	}
}

func TestInlineAListTakesHalfOfTheWindowAtMost(t *testing.T) {
	m, _ := shownChat(t, 1, func(o *Options) { o.Appearance.Inline = true })
	m.stack.Do(0, panel.Push{Panel: list.Open(m.look, models.Bypass{}, "")})
	if n := len(m.frame().Rows); n >= m.height/2 || n < 3 {
		t.Errorf("%d rows of %d", n, m.height)
	}
}

// What every panel has in common: esc and ctrl+c close it, the wheel and what is pasted stay in it, a notice and a waiting
// question are seen over it, and a window that is too small says so.
func TestPanels(t *testing.T) {
	command := func(name, args string) panel.Effect { return panel.Command{Name: name, Args: args} }
	for name, open := range map[string]panel.Effect{
		"help": command("help", ""), "palette": command("palette", ""), "modes": command("mode", ""), "models": command("model", ""),
		"notices": command("notices", ""), "sessions": command("resume", ""), "question": command("btw", "why?"), "usage": command("usage", ""),
		"facts": panel.Report{Title: "x", Lines: []string{"one", "two"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, key := range []tea.KeyPressMsg{{Code: tea.KeyEscape}, {Code: 'c', Mod: tea.ModCtrl}} {
				m, happen := shownChat(t, 30, nil)
				before := m.text()
				m.stack.Do(0, open)
				if !m.stack.Covered() {
					t.Fatal("it is not open")
				}
				m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 5, Y: 5})
				m.Update(tea.PasteMsg{Content: "pasted"})
				m.notices.Warn("something is wrong")
				h := session.Head{Session: m.chat.Session().ID(), Turn: "t30", At: time.Now()}
				happen(session.TurnStarted{Head: h}, session.Asked{Head: h, Ask: "a", Kind: session.AskQuestion, Question: &session.QuestionAsk{}})
				text := m.text()
				rows := strings.Split(text, "\n")
				if !strings.Contains(text, "! something is wrong") || !strings.Contains(rows[0], "the agent asks") {
					t.Errorf("no notice, or no mark:\n%s", text)
				}
				happen(session.Settled{Head: h, Ask: "a"}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
				m.resize(20, 5)
				if text := strings.Join(m.frame().Rows, " "); !strings.Contains(text, "esc to go back") {
					t.Errorf("in a small window: %q", text)
				}
				m.resize(120, 40)
				m.Update(key)
				if name == "sessions" && key.Code == tea.KeyEscape { // which clears what is written there before
					m.Update(key)
				}
				if m.stack.Covered() {
					t.Errorf("%s leaves it open", key)
				}
				if first := func(s string) string { return strings.SplitN(s, "\n", 3)[1] }; first(m.text()) != first(before) || strings.Contains(m.text(), "pasted") {
					t.Error("the wheel or a paste reached the chat below")
				}
			}
		})
	}
}

// A user who is not signed in has no feature to open, whatever key is pressed.
func TestNoFeatureWithoutASession(t *testing.T) {
	m, _ := shownChat(t, 0, func(o *Options) { o.Session, o.SignIn = nil, &core.SignIn{GH: true} })
	if !m.stack.Covered() {
		t.Fatal("nothing asks the user to sign in")
	}
	for key := range m.keys.Acts {
		top := m.stack.Top()
		if k, known := keyOf(key); known {
			m.Unused(k)
		}
		if m.stack.Top() != top {
			t.Errorf("%s opens %T", key, m.stack.Top())
		}
	}
}

// keyOf returns the message of a key that opens a feature.
func keyOf(name string) (k tea.KeyPressMsg, known bool) {
	codes := map[string]tea.KeyPressMsg{"f1": {Code: tea.KeyF1}, "alt+x": {Code: 'x', Mod: tea.ModAlt}, "alt+e": {Code: 'e', Mod: tea.ModAlt},
		"alt+j": {Code: 'j', Mod: tea.ModAlt}, "alt+o": {Code: 'o', Mod: tea.ModAlt}}
	k, known = codes[name]
	return k, known
}

// What must not be lost with a panel is a draft at the end of the program.
func TestTheEndOfTheProgramKeepsAPrompt(t *testing.T) {
	m, _ := shownChat(t, 1, nil)
	p := session.Prompt{Text: "not sent"}
	m.stack.Do(0, panel.Push{Panel: &heldPrompt{core.Prepared{Prompt: p, Draft: core.DraftOf(p)}}})
	closePanels(m.stack)
	m.stack.Do(0, panel.Clear{})
	if got := m.text(); !strings.Contains(got, "not sent") {
		t.Errorf("the field has not got it:\n%s", got)
	}
}

// heldPrompt is a panel about a prompt.
type heldPrompt struct{ prompt core.Prepared }

func (*heldPrompt) Update(tea.Msg) (panel.Effect, panel.Cmd) { return panel.Pass{}, nil }
func (*heldPrompt) Draw(int, int) panel.Frame                { return panel.Frame{Y: -1} }
func (r *heldPrompt) Close() panel.Effect                    { return panel.Restore{Prompt: r.prompt} }
