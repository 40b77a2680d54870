package core

import (
	"errors"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/ui/textarea"
)

func prompt(text string) *Outgoing { return &Outgoing{Prompt: session.Prompt{Text: text}} }

// Prompts leave in the order in which they came, also if the files of a later one are read first.
func TestOutboxKeepsTheOrder(t *testing.T) {
	var b Outbox
	first, second, third := prompt("first"), prompt("second"), prompt("third")
	if !b.Add(first, Files{Mentions: []textarea.Mention{{Path: "a"}}}) || !b.Add(second, Files{Images: []string{"/b.png"}}) || b.Add(third, Files{}) {
		t.Fatal("the wrong prompts wait for their files")
	}
	if out := b.Next(); out != nil {
		t.Fatalf("%q left before its files were read", out.Prompt.Text)
	}
	b.Complete(second, Attached{Err: errors.New("no such image")})
	if out := b.Next(); out != nil {
		t.Fatalf("%q overtook the first", out.Prompt.Text)
	}
	if !b.Complete(first, Attached{Attachments: []session.Attachment{{Path: "a"}}}) || b.Complete(first, Attached{Attachments: []session.Attachment{{Path: "late"}}}) {
		t.Error("a prompt is completed once")
	}
	for _, want := range []*Outgoing{first, second, third} {
		if out := b.Next(); out != want {
			t.Fatalf("%v left instead of %q", out, want.Prompt.Text)
		}
	}
	if !b.Empty() || b.Next() != nil {
		t.Error("something is left")
	}
	if len(first.Prompt.Attachments) != 1 || second.Err == nil {
		t.Errorf("the first has %d attachments, the second %v", len(first.Prompt.Attachments), second.Err)
	}
}

// A prompt on disk means that those sent to the same session before it are, and says nothing of other sessions.
func TestUnstoredLeaveWithTheOneAfterThem(t *testing.T) {
	one, other := new(live.Session), new(live.Session)
	a, b, c, d := prompt("a"), prompt("b"), prompt("c"), prompt("d")
	a.Session, b.Session, c.Session, d.Session = one, other, one, one
	var u Unstored
	for _, out := range []*Outgoing{a, b, c, d} {
		u.Add(out)
	}
	if gone := u.Stored(c); len(gone) != 2 || gone[0] != a || gone[1] != c {
		t.Fatalf("left: %v", gone)
	}
	if u.Stored(c) != nil {
		t.Error("it leaves twice")
	}
	if u.Last() != d {
		t.Errorf("the last is %v", u.Last())
	}
	u.Drop()
	if u.Stored(b) == nil || u.Last() != nil {
		t.Error("something is left")
	}
}

func TestAttachmentsOfDrafts(t *testing.T) {
	all := []session.Attachment{{Kind: session.AttachCommand, Path: "make", Text: "ok"}, {Kind: session.AttachImage, Path: "/a.png", Data: []byte("x")}}
	p := session.Prompt{Text: "[image 1] look", Attachments: all}
	draft := DraftOf(p)
	if got := AttachmentsOf(draft); len(got) != 1 || got[0].Path != "make" {
		t.Errorf("kept %+v", got)
	}
	c := textarea.New(textarea.Looks{})
	if err := c.SetDraft(draft); err != nil || len(c.Chips()) != 1 {
		t.Errorf("the composer reads %d images: %v", len(c.Chips()), err)
	}
	joined := JoinDrafts([]string{draft, draft, "", WithAttachments("", all[:1])})
	if got := AttachmentsOf(joined); len(got) != 2 {
		t.Errorf("joined: %+v", got)
	}
	if got := WithAttachments("only words", all); got != "only words" || AttachmentsOf(got) != nil {
		t.Errorf("another format: %q", got)
	}
}

// TestOutboxGivesBackWhatWaits takes prompts back whose files are still being read; what is read later changes nothing.
func TestOutboxGivesBackWhatWaits(t *testing.T) {
	var b Outbox
	first, second := prompt("first"), prompt("second")
	b.Add(first, Files{Mentions: []textarea.Mention{{Path: "a"}}})
	b.Add(second, Files{})
	if got := b.TakeBack(); len(got) != 2 || got[0] != first || got[1] != second || !b.Empty() {
		t.Errorf("%v came back", got)
	}
	if b.Complete(first, Attached{Attachments: []session.Attachment{{Path: "a"}}}) || b.Next() != nil {
		t.Error("a prompt that was taken back is sent")
	}
}
