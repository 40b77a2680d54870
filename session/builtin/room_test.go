package builtin

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire/wiretest"
)

// smallModel makes a model with a small window the only one. Its prompts may have 40,000 tokens.
func smallModel(o *Options, open *session.OpenOptions) {
	o.Models = func(context.Context) ([]session.Model, error) {
		return []session.Model{{ID: "small", Default: true, MaxPrompt: 40000}}, nil
	}
}

// counts answers with words, like says, and counts tokens as the service does: about one in four bytes of the request.
func counts(frames ...string) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		start := frame("message_start", fmt.Sprintf(`,"message":{"id":"m","type":"message","role":"assistant","content":[],`+
			`"model":"small","stop_reason":null,"usage":{"input_tokens":%d,"output_tokens":1}}`, r.ContentLength/4))
		io.WriteString(w, start+strings.Join(frames, ""))
	}
}

const aSummary = "## Task\nThe user wants the parser of dates to accept weeks.\n\n## Next step\nRun its tests."

// long returns a prompt of so many kilobytes.
func long(what string, kb int) string { return what + " " + strings.Repeat("words of it ", kb*1024/12) }

func TestConversationIsSummarisedBeforeTheLimit(t *testing.T) {
	script := func() []reply {
		return []reply{counts(text(0, "first answer"), end("end_turn")), counts(text(0, aSummary), end("end_turn")),
			counts(use(0, "g1", "Glob", `{"pattern":"*.none"}`), end("tool_use")), counts(text(0, "second answer"), end("end_turn")), counts(text(0, "third answer"), end("end_turn"))}
	}
	run := func(dir string, resume bool) []string {
		s := newService(t, script()...)
		ch := openChat(t, s, in(dir), smallModel)
		ch.send(long("first", 80))
		ch.send(long("second", 80))
		if resume {
			tr := ch.transcript()
			ch = openChat(t, s, in(dir), smallModel, history(tr))
		}
		if end := ch.sendAs("last", session.Prompt{Text: "third"}); end.Outcome != session.TurnCompleted {
			t.Fatalf("%+v", end)
		}
		return s.requests()
	}
	dir := t.TempDir()
	live := run(dir, false)
	if diff := cmp.Diff(live, run(dir, true)); diff != "" {
		t.Errorf("after a resume: %s", diff)
	}
	if len(live) != 5 {
		t.Fatalf("%d requests", len(live))
	}
	for i, want := range []struct{ has, lacks string }{{"first words", "second words"}, {"stands in its place. Write everything", "first answer<"},
		{"weeks", "first answer"}, {"second words", "first answer"}, {"weeks", "first answer"}} {
		if !strings.Contains(live[i], want.has) || strings.Contains(live[i], want.lacks) {
			t.Errorf("request %d lacks %q or has %q", i, want.has, want.lacks)
		}
	}
}

func TestCompactionIsReported(t *testing.T) {
	s := newService(t, counts(text(0, "first answer"), end("end_turn")), counts(text(0, aSummary), end("end_turn")), counts(text(0, "second answer"), end("end_turn")))
	ch := openChat(t, s, smallModel)
	ch.send(long("first", 80))
	if end := ch.send(long("second", 80)); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	got := eventsOf[session.Compacted](ch)
	if len(got) != 1 || !got[0].Auto || got[0].Summary != aSummary || got[0].Before < 36000 || got[0].After > 36000 || got[0].After < 5000 || got[0].Keep.Turn == "" {
		t.Errorf("%+v", got)
	}
	if n := len(eventsOf[session.UsageReported](ch)); n != 3 {
		t.Errorf("%d requests are charged", n)
	}
	for _, p := range eventsOf[session.PartDelta](ch) {
		if strings.Contains(p.Text, "## Task") {
			t.Error("the summary is an answer")
		}
	}
	if err := wiretest.ShapeError(s.messages(2)); err != "" {
		t.Error(err)
	}
}

// Old results are left out without asking the model where that is enough.
func TestOldResultsAreLeftOutFirst(t *testing.T) {
	s := newService(t)
	const reads = 14
	for i := range reads {
		s.add(counts(use(0, fmt.Sprintf("r%d", i), "Read", fmt.Sprintf(`{"file_path":"big.txt","limit":%d}`, 700+i)), end("tool_use")))
	}
	s.add(counts(text(0, "done"), end("end_turn")))
	ch := openChat(t, s, smallModel)
	ch.file("big.txt", strings.Repeat("a line of the file\n", 600))
	if end := ch.send("read it"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	got := eventsOf[session.Compacted](ch)
	if len(got) == 0 || len(got) > reads/4 || len(got[0].Dropped) == 0 || got[0].Dropped[0] != "r0" || got[0].Summary != "" || got[0].After >= got[0].Before {
		t.Errorf("%+v", got)
	}
	if n := len(s.requests()); n != reads+1 {
		t.Errorf("%d requests", n)
	}
}

func TestRefusedPromptsAreSummarised(t *testing.T) {
	tooLong := fault(400, envelope("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"))
	s := newService(t, says("first answer"), tooLong, says(aSummary), says("second answer"))
	ch := openChat(t, s, model("plain", ""))
	ch.send("first")
	if end := ch.send("second"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v %+v", end, end.Problem)
	}
	if last := s.messages(3); !strings.Contains(last[0].Content[0].Text, "weeks") || last[len(last)-1].Content[len(last[len(last)-1].Content)-1].Text != "second" {
		t.Errorf("%+v", last)
	}
	// A second refusal ends the turn and names the choices.
	s.add(tooLong, says(aSummary), tooLong)
	end := ch.send("third")
	if end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.Next, "/compact") {
		t.Errorf("%+v %+v", end, end.Problem)
	}
}

// A summary that fails changes nothing, and is not tried again with each request.
func TestFailedSummaryChangesNothing(t *testing.T) {
	s := newService(t, counts(text(0, "first answer"), end("end_turn")), says(""), counts(use(0, "g1", "Glob", `{"pattern":"*.none"}`), end("tool_use")),
		counts(text(0, "second answer"), end("end_turn")))
	ch := openChat(t, s, smallModel)
	ch.send(long("first", 80))
	kb := (38000 - len(s.requests()[0])/4) * 4 / 1024 // between the length to act at and the longest
	if end := ch.send(long("second", kb)); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v %+v", end, end.Problem)
	}
	if got := eventsOf[session.Compacted](ch); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := eventsOf[session.Notice](ch); len(got) != 1 || !strings.Contains(got[0].Text, "Couldn't summarize") {
		t.Errorf("%+v", got)
	}
	if got := s.requests(); len(got) != 4 || !strings.Contains(got[3], "first words") {
		t.Errorf("%d requests", len(got))
	}
}

// A conversation that fills its window again with each answer ends with the choices instead of going round.
func TestCompactionDoesNotLoop(t *testing.T) {
	s := newService(t)
	ch := openChat(t, s, smallModel)
	ch.file("big.txt", strings.Repeat("a line of the file\n", 2600))
	for i := range 12 {
		s.add(counts(use(0, fmt.Sprintf("a%d", i), "Read", `{"file_path":"big.txt"}`), use(1, fmt.Sprintf("b%d", i), "Read", `{"file_path":"big.txt"}`), use(2, fmt.Sprintf("c%d", i), "Read", `{"file_path":"big.txt"}`), end("tool_use")),
			counts(text(0, aSummary), end("end_turn")))
	}
	end := ch.send("read it")
	if end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.What, "3 times") || !strings.Contains(end.Problem.Next, "larger window") {
		t.Errorf("%+v %+v", end, end.Problem)
	}
	if n := len(eventsOf[session.Compacted](ch)); n != maxSummaries {
		t.Errorf("%d compactions", n)
	}
}

// A model with a smaller window gets a summary when it is chosen.
func TestSmallerModelGetsASummary(t *testing.T) {
	s := newService(t, counts(text(0, "first answer"), end("end_turn")), counts(text(0, aSummary), end("end_turn")), counts(text(0, "second answer"), end("end_turn")))
	ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
		o.Models = func(context.Context) ([]session.Model, error) {
			return []session.Model{{ID: "large", Default: true, MaxPrompt: 900000}, {ID: "small", MaxPrompt: 40000}}, nil
		}
	})
	ch.send(long("first", 400))
	if err := ch.c.Configure(t.Context(), session.Settings{Model: "small"}); err != nil {
		t.Fatal(err)
	}
	if end := ch.send("second"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v %+v", end, end.Problem)
	}
	if n := len(s.requests()[1]); n > 180<<10 {
		t.Errorf("the summary of %d bytes was asked of a model that reads 40,000 tokens", n)
	}
}

func TestListenerTakesTextOnly(t *testing.T) {
	var l listener
	l.take([]session.Event{session.PartStarted{Part: "a", Kind: session.PartReasoning}, session.PartDelta{Part: "a", Text: "hm"},
		session.PartStarted{Part: "b", Kind: session.PartText}, session.PartDelta{Part: "b", Text: "x"}, session.PartDelta{Part: "b", Text: "y"}})
	if l.text != "xy" {
		t.Error(l.text)
	}
}
