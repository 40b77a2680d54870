//go:build unix

package builtin

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestImagesBeforeCalls runs calls of every kind. The tracker of files hears of those that may change files, before they run
// and only if they are allowed.
func TestImagesBeforeCalls(t *testing.T) {
	var ch *chat
	var stood []string
	tracker := &sessiontest.FileTracker{OnBefore: func(_ context.Context, c session.FileCall) {
		stood = append(stood, fmt.Sprintf("%s: a is %s, b is %s", c.Call, ch.content("a"), ch.content("b")))
	}}
	s := newService(t,
		callsReply([3]string{"r", "Read", `{"file_path":"a"}`}, [3]string{"g", "Glob", `{"pattern":"*"}`}),
		callsReply([3]string{"e", "Edit", `{"file_path":"a","old_string":"one","new_string":"two"}`},
			[3]string{"bad", "Edit", `{"file_path":"a","old_string":"none","new_string":"x"}`},
			[3]string{"denied", "Write", `{"file_path":"b","content":"denied"}`},
			[3]string{"w", "Write", `{"file_path":"./b","content":"three"}`},
			[3]string{"l", "Bash", `{"command":"ls"}`},
			[3]string{"c", "Bash", `{"command":"echo four > a"}`}),
		says("done"))
	ch = openChat(t, s, model("plain", ""), func(_ *Options, open *session.OpenOptions) { open.Files = tracker })
	ch.file("a", "one")
	ch.on = func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			a := session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}
			if asked.Call == "denied" {
				a.Decision = session.Deny
			}
			if err := ch.c.Answer(asked.Ask, a); err != nil {
				t.Error(err)
			}
		}
	}
	turn := ch.sendAs("t1", session.Prompt{ID: "t1", Text: "x"}).Turn
	want := []string{"e: a is one, b is (no such file or directory)", "w: a is two, b is (no such file or directory)", "c: a is two, b is three"}
	if !slices.Equal(stood, want) {
		t.Errorf("before the calls\n%q, want\n%q", stood, want)
	}
	calls := tracker.Calls()
	if len(calls) != 3 {
		t.Fatalf("%d calls", len(calls))
	}
	for i, c := range calls {
		if c.Turn != turn || c.Model != "plain" || len(c.Input) == 0 {
			t.Errorf("%+v", c)
		}
		if wantPaths := [][]string{{filepath.Join(ch.dir, "a")}, {filepath.Join(ch.dir, "b")}, nil}[i]; !slices.Equal(c.Paths, wantPaths) {
			t.Errorf("%s names %q, want %q", c.Call, c.Paths, wantPaths)
		}
	}
	if c := calls[2]; c.Tool != "Bash" || c.Command != "echo four > a" {
		t.Errorf("%+v", c)
	}
}

// TestImagesOfAnInterruptedCall interrupts the turn while the images are made: the call does not run.
func TestImagesOfAnInterruptedCall(t *testing.T) {
	var ch *chat
	tracker := &sessiontest.FileTracker{OnBefore: func(ctx context.Context, _ session.FileCall) {
		ch.c.Abort()
		<-ctx.Done()
	}}
	s := newService(t, callsReply([3]string{"w", "Write", `{"file_path":"b","content":"three"}`}), says("done"))
	ch = openChat(t, s, mode(session.ModeBypass), func(_ *Options, open *session.OpenOptions) { open.Files = tracker })
	if end := ch.send("x"); end.Outcome != session.TurnCancelled {
		t.Errorf("%+v", end)
	}
	if got := ch.ended()["w"]; got.Outcome != session.ToolCancelled {
		t.Errorf("%+v", got)
	}
	if got := ch.content("b"); got != "(no such file or directory)" {
		t.Errorf("b is %s", got)
	}
}
