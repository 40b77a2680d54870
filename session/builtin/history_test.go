package builtin

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire"
	"parley/session/builtin/wire/wiretest"
)

// checkShape checks what the service demands of messages.
func checkShape(t *testing.T, messages []wire.Message) {
	t.Helper()
	if err := wiretest.ShapeError(messages); err != "" {
		t.Errorf("%s in %+v", err, messages)
	}
}

// A session that is resumed between turns asks exactly what an uninterrupted one asks.
func TestResumedRequestsAreTheSame(t *testing.T) {
	script := func() []reply {
		return []reply{
			stream(start("m1"), think(0, "c2ln", "hm <&>"), text(1, "I look."), use(2, "r1", "Read", `{"file_path": "a"}`), use(3, "g1", "Glob", `{ "pattern" : "*" }`), end("tool_use")),
			callsReply([3]string{"b1", "Bash", `{"command":"echo out; exit 3"}`}),
			stream(start("m3"), think(0, "c2ln2", "so"), text(1, "Done."), end("end_turn")),
			callsReply([3]string{"e1", "Edit", `{"file_path":"a","old_string":"one","new_string":"two"}`}),
			says("Edited."),
			says("Bye."),
		}
	}
	prompts := []string{"first", "second", "third"}
	run := func(dir string, resume bool) []string {
		s := newService(t, script()...)
		realClock := func(o *Options, _ *session.OpenOptions) { o.Now = time.Now } // files have its times
		ch := openChat(t, s, in(dir), mode(session.ModeBypass), realClock)
		ch.file("a", "one\n")
		var past []session.Event
		for i, p := range prompts {
			if resume && i > 0 {
				past = append(past, ch.all()...)
				var tr session.Transcript
				for _, e := range past {
					tr.Apply(e)
				}
				ch = openChat(t, s, in(dir), mode(session.ModeBypass), realClock, history(&tr))
			}
			if end := ch.sendAs(session.TurnID(p), session.Prompt{Text: p}); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
		}
		if got := ch.content("a"); got != "two\n" {
			t.Errorf("%q", got)
		}
		return s.requests()
	}
	dir := t.TempDir()
	if diff := cmp.Diff(run(dir, false), run(dir, true)); diff != "" {
		t.Error(diff)
	}
}

// A prompt that failed or was refused before a word was said is not asked along with the next one, in this process or
// after resuming; one that was answered in part stays.
func TestWhatWasNeverAnsweredIsLeftOut(t *testing.T) {
	quota := fault(402, envelope("billing_error", "no quota"))
	refused := stream(start("m"), think(0, "c2ln", "hm"), end("refusal"))
	image := session.Attachment{Kind: session.AttachImage, MediaType: "image/png", Data: []byte("x")}
	prompts := []session.Prompt{{Text: "error quota", Attachments: []session.Attachment{image}}, {Text: "nonsense"}, {Text: "hello"},
		{Text: "look"}, {Text: "error quota"}, {Text: "bye"}}
	script := func() []reply {
		return []reply{quota, refused, says("Hi."), callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), quota, quota, says("Bye.")}
	}
	run := func(dir string, resume bool) []string {
		s := newService(t, script()...)
		ch := openChat(t, s, in(dir))
		var past []session.Event
		for i, p := range prompts {
			if resume && i > 0 {
				past = append(past, ch.all()...)
				var tr session.Transcript
				for _, e := range past {
					tr.Apply(e)
				}
				ch = openChat(t, s, in(dir), history(&tr))
			}
			ch.sendAs(session.TurnID(fmt.Sprint(i)), p)
		}
		last := s.messages(len(s.requests()) - 1)
		checkShape(t, last)
		var words []string
		for _, m := range last {
			for _, c := range m.Content {
				words = append(words, c.Type+" "+c.Text)
			}
		}
		want := []string{"text hello", "text Hi.", "text look", "tool_use ", "tool_result ", "text bye"}
		if diff := cmp.Diff(want, words); diff != "" {
			t.Errorf("resumed %v: %s", resume, diff)
		}
		return s.requests()
	}
	dir := t.TempDir()
	if diff := cmp.Diff(run(dir, false), run(dir, true)); diff != "" {
		t.Error(diff)
	}
}

// What is sent again is asked, once; what the user interrupted is still told.
func TestWhatIsSentAgainIsAskedOnce(t *testing.T) {
	s := newService(t, fault(402, envelope("billing_error", "no quota")), fault(402, envelope("billing_error", "no quota")), says("Hi."))
	ch := openChat(t, s)
	for range 3 {
		ch.send("hello")
	}
	if got := s.messages(2); len(got) != 1 || len(got[0].Content) != 1 || got[0].Content[0].Text != "hello" {
		t.Errorf("%+v", got)
	}
}
