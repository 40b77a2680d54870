package input

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
)

func TestSubmitReadsTheText(t *testing.T) {
	for text, want := range map[string]Action{
		"":             SubmittedNothing{},
		" \n ":         SubmittedNothing{},
		"/mode plan":   Command{"mode", "plan", "/mode plan"},
		"/unknown":     Command{"unknown", "", "/unknown"},
		"exit":         Leave{},
		"! ls -l":      Shell{"ls -l"},
		"hello \n":     Submitted{Prompt: Prompt{Text: "hello"}},
		"//mode":       Submitted{Prompt: Prompt{Text: "/mode"}},
		"!!important":  Submitted{Prompt: Prompt{Text: "!important"}},
		"/etc/hosts":   Submitted{Prompt: Prompt{Text: "/etc/hosts"}},
		"look at\n/me": Submitted{Prompt: Prompt{Text: "look at\n/me"}},
	} {
		f := newField(t, nil)
		f.SetValue(text)
		got := f.Submit(false)
		s, sent := got.(Submitted)
		if sent {
			if s.Prompt.Draft == "" {
				t.Errorf("%q has no draft", text)
			}
			s.Prompt.Draft = ""
			got = s
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q gives %#v, want %#v", text, got, want)
		}
		if f.Empty() != (sent || text == "") {
			t.Errorf("%q leaves %q", text, f.Value())
		}
	}
}

// Words that leave the program are a prompt where something is attached to it.
func TestLeavingWordsWithAttachmentAreSent(t *testing.T) {
	f := newField(t, nil)
	f.Attach(session.Attachment{Kind: session.AttachCommand, Path: "ls", Text: "a"})
	f.SetValue("exit")
	if s, ok := f.Submit(true).(Submitted); !ok || !s.Steer || len(s.Prompt.Attachments) != 1 || len(f.Attached()) != 0 {
		t.Errorf("submitted %#v, %d still attached", s, len(f.Attached()))
	}
}

func TestActionsOfKeys(t *testing.T) {
	f := newField(t, nil)
	if a := f.key("h"); a != (Began{}) {
		t.Errorf("the first character gives %#v", a)
	}
	if a := f.key("?"); a != nil {
		t.Errorf("the second gives %#v", a)
	}
	f.want("h?")
	if p, ok := f.key("enter").(Submitted); !ok || p.Steer || p.Prompt.Text != "h?" {
		t.Errorf("enter gives %#v", p)
	}
	f.write("x")
	if p, ok := f.key("ctrl+s").(Submitted); !ok || !p.Steer {
		t.Errorf("ctrl+s gives %#v", p)
	}
	f.SetValue("")
	if p, ok := f.key("?").(Pressed); !ok || p.Bound.Command != "help" {
		t.Errorf("? in an empty field gives %#v", p)
	}
	if p, ok := f.key("home").(Pressed); !ok || p.Bound.Act != keymap.Top {
		t.Errorf("home in an empty field gives %#v", p)
	}
	f.want("")
}

// Up takes a queued prompt back while nothing is written, and walks through the history otherwise.
func TestUpTakesBackOrRecalls(t *testing.T) {
	f := newField(t, nil)
	f.SetHistory([]string{"first"})
	f.Remember("second")
	f.Remember("second")
	f.chat.queued = true
	a, ok := f.key("up").(TakeBack)
	if !ok {
		t.Fatal("up does not take back")
	}
	f.run(second(f.Type(a.Key))) // it was gone
	f.want("second")
	f.key("up")
	f.want("first")
}

func second(_ Action, cmd tea.Cmd) tea.Cmd { return cmd }

// What was written since comes behind a prompt that returns, whichever way it returns.
func TestReturningPromptsComeFirst(t *testing.T) {
	f := newField(t, nil)
	output := session.Attachment{Kind: session.AttachCommand, Path: "ls"}
	f.write("new")
	f.run(f.Reclaim("queued", nil, []session.Attachment{output}))
	f.want("queued\n\nnew")
	f.SetValue("not sent")
	p := f.Take(f.Value())
	f.write("since")
	f.PutBack(p.Draft, p.Attachments)
	f.want("not sent\n\nsince")
	if len(f.Attached()) != 1 {
		t.Errorf("%d attachments", len(f.Attached()))
	}
}

func TestBackspaceDetaches(t *testing.T) {
	f := newField(t, nil)
	f.run(f.Attach(session.Attachment{Kind: session.AttachCommand, Path: "one"}))
	f.run(f.Attach(session.Attachment{Kind: session.AttachCommand, Path: "two", Text: "out\nput"}))
	if n := f.Above(nil).Want(); n != 4 {
		t.Errorf("two attachments want %d rows", n)
	}
	f.Changes()
	f.write("x")
	f.key("backspace")
	f.key("backspace")
	if all := f.Attached(); len(all) != 1 || all[0].Path != "one" {
		t.Errorf("left attached: %+v", all)
	}
	if redraw, written := f.Changes(); !redraw || !written {
		t.Error("the draft does not change with it")
	}
	if redraw, written := f.Changes(); redraw || written {
		t.Error("a change is reported twice")
	}
}

// A running command takes the place of the newest output, and rows never exceed the limit.
func TestAttachedRows(t *testing.T) {
	f := newField(t, nil)
	f.Attach(session.Attachment{Kind: session.AttachCommand, Path: "ls", Text: "a\nb\nc"})
	if rows := f.Above(nil).Rows(80, 3); len(rows) != 3 {
		t.Errorf("%d rows of three: %q", len(rows), rows)
	}
	running := &Running{Line: "make", Output: "one\ntwo", Right: "esc to stop"}
	if n, rows := f.Above(running).Want(), f.Above(running).Rows(80, 9); n != 4 || len(rows) != 4 {
		t.Errorf("wants %d rows, has %q", n, rows)
	}
	if rows := f.Above(running).Rows(80, 0); rows != nil {
		t.Errorf("rows without room: %q", rows)
	}
}

func TestDraftKeepsTextThatIsNotOurs(t *testing.T) {
	f := newField(t, nil)
	f.SetDraft("just words", nil)
	f.want("just words")
	draft := f.Draft()
	f.Reset()
	f.SetDraft(draft, nil)
	f.want("just words")
}

func TestEditorKeepsWhatItDidNotChange(t *testing.T) {
	f := newField(t, nil)
	f.write("text")
	f.Changes()
	f.run(f.Edited("text"))
	if _, written := f.Changes(); written {
		t.Error("unchanged text was replaced")
	}
	f.run(f.Edited("better"))
	f.want("better")
}
