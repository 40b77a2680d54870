package builtin

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// An answer that was cut off at its longest is continued: its words stay as they are and the rest follows.
func TestCutAnswersGoOn(t *testing.T) {
	open := frame("content_block_start", `,"index":1,"content_block":{"type":"tool_use","id":"c1","name":"Write","input":{}}`) +
		delta(1, `"type":"input_json_delta","partial_json":"{\"file_path\": \"x\", \"con"`)
	for name, test := range map[string]struct {
		first      string
		words, say string // what the transcript has, and what the model reads before it goes on
	}{
		"words":    {start("m") + text(0, "The an") + end("max_tokens"), "The answer.", "exactly where it ended"},
		"thinking": {start("m") + think(0, "s", "hm") + end("max_tokens"), "swer.", "while you were still thinking"},
		"call":     {start("m") + text(0, "The an") + open + end("max_tokens"), "The answer.", "in the middle of a call"},
		"closed call": {start("m") + text(0, "The an") + open + stopBlock(1) + end("max_tokens"), "The answer.",
			"in the middle of this call"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, stream(test.first), says("swer."))
			ch := openChat(t, s)
			if end := ch.send("x"); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
			if got := wordsOf(ch.transcript().Turns[0]); got != test.words {
				t.Errorf("%q", got)
			}
			checkShape(t, s.messages(1))
			if all := s.requests(); !strings.Contains(all[1], test.say) || ch.content("x") != "(no such file or directory)" {
				t.Error(all[1])
			}
		})
	}
}

func TestAnswersAreNotContinuedForEver(t *testing.T) {
	s := newService(t)
	for range maxContinued + 1 {
		s.add(stream(start("m"), text(0, "and "), end("max_tokens")))
	}
	ch := openChat(t, s)
	end := ch.send("x")
	if end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.What, "cut off 6 times in a row") || len(s.requests()) != maxContinued+1 {
		t.Errorf("%+v, %d requests", end, len(s.requests()))
	}
}

// An empty answer is asked for again, once.
func TestEmptyAnswers(t *testing.T) {
	empty := stream(start("m"), end("end_turn"))
	s := newService(t, empty, says("here"), empty, stream(start("m"), text(0, " \n"), end("end_turn")))
	ch := openChat(t, s)
	ch.send("x")
	if got := wordsOf(ch.transcript().Turns[0]); got != "here" || len(s.requests()) != 2 {
		t.Errorf("%q", got)
	}
	checkShape(t, s.messages(1))
	if end := ch.send("y"); end.Outcome != session.TurnFailed || !strings.Contains(end.Problem.What, "answered nothing") || len(s.requests()) != 4 {
		t.Errorf("%+v", end)
	}
	s.add(stream(start("m"), use(0, "c1", "Read", `{"file_path":"x"}`), end("tool_use")), empty, empty) // the work is the answer
	if end := ch.send("z"); end.Outcome != session.TurnCompleted || len(s.requests()) != 7 {
		t.Errorf("%+v", end)
	}
}

// An answer that breaks off after a complete call leaves the call undone and goes on.
func TestBrokenAfterACall(t *testing.T) {
	s := newService(t, cut(start("m")+use(0, "c1", "Write", `{"file_path":"x","content":"y"}`)), says("Once more."))
	ch := openChat(t, s, mode(session.ModeBypass))
	if end := ch.send("x"); end.Outcome != session.TurnCompleted || len(s.requests()) != 2 || len(eventsOf[session.RetryScheduled](ch)) != 1 {
		t.Fatalf("%+v", end)
	}
	if got := ch.ended()["c1"]; got.Outcome != session.ToolFailed || ch.content("x") == "y" {
		t.Errorf("%+v", got)
	}
	checkShape(t, s.messages(1))
}

func limits(l session.Limits) chatOption {
	return func(_ *Options, open *session.OpenOptions) { open.Limits = l }
}

// Each answer of the service costs 130 tokens and 1500 nano AI units.
func TestLimits(t *testing.T) {
	for name, test := range map[string]struct {
		limits   session.Limits
		requests int
		what     string
	}{
		"rounds":  {session.Limits{Rounds: 5}, 5, "5 requests"},
		"tokens":  {session.Limits{Tokens: 650}, 5, "650 tokens"},
		"credits": {session.Limits{NanoAIU: 7500}, 5, "7.5e-06 credits"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			for i := range 9 {
				s.add(callsReply([3]string{fmt.Sprint("c", i), "Glob", fmt.Sprintf(`{"pattern":"%d"}`, i)}))
			}
			ch := openChat(t, s, limits(test.limits))
			end := ch.send("x")
			if end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.What, test.what) || len(s.requests()) != test.requests {
				t.Errorf("%+v, %d requests", end.Problem, len(s.requests()))
			}
			last := s.requests()[test.requests-1]
			if !strings.Contains(last, "little is left") {
				t.Error("the model was not told")
			}
			rounds := test.limits.Rounds > 0
			if strings.Contains(last, "the last request") != rounds || strings.Contains(last, `"tool_choice":{"type":"none"}`) != rounds {
				t.Errorf("what the last request says: %s", last)
			}
			if end = ch.send("more"); end.Outcome != session.TurnLimit || len(s.requests()) != test.requests {
				t.Errorf("the next turn begins anew: %+v, %d requests", end, len(s.requests()))
			}
		})
	}
}

func TestLimitOfTime(t *testing.T) {
	s := newService(t)
	s.add(s.hang(start("m"), text(0, "I")))
	ch := openChat(t, s, limits(session.Limits{Time: time.Hour}), func(o *Options, _ *session.OpenOptions) { o.Sleep = nil })
	late := ch.c.(*conversation)
	late.open.Limits.Time = time.Millisecond
	if end := ch.send("x"); end.Outcome != session.TurnLimit || !strings.Contains(end.Problem.What, "limit of") {
		t.Errorf("%+v", end)
	}
}

// The last request offers no tools, and says so. An answer to a question is one; work that it cuts short has reached the limit.
func TestTheLastRequest(t *testing.T) {
	for name, tc := range map[string]struct {
		rounds  int
		replies []reply
		outcome session.TurnOutcome
	}{
		"a question":      {1, []reply{says("It is a bug.")}, session.TurnCompleted},
		"a call":          {1, []reply{callsReply([3]string{"g", "Glob", `{"pattern":"*"}`})}, session.TurnLimit},
		"work cut short":  {2, []reply{callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), says("Not done.")}, session.TurnLimit},
		"ended before it": {3, []reply{callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), says("Done.")}, session.TurnCompleted},
	} {
		s := newService(t, tc.replies...)
		ch := openChat(t, s, limits(session.Limits{Rounds: tc.rounds}))
		if end := ch.send("x"); end.Outcome != tc.outcome || len(s.requests()) != len(tc.replies) {
			t.Errorf("%s: %+v, %d requests", name, end, len(s.requests()))
		}
		last := s.requests()[len(s.requests())-1]
		if strings.Contains(last, "the last request") != (len(tc.replies) == tc.rounds) || strings.Contains(last, `"tools":[`) == (tc.rounds == 1) {
			t.Errorf("%s: %s", name, last)
		}
	}
}

// What children use counts, and the last request is not theirs.
func TestLimitsCountChildren(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin": {callsReply(task("c1", "look", "")), says("never")},
		"look":  {callsReply([3]string{"g1", "Glob", `{"pattern":"1"}`}), callsReply([3]string{"g2", "Glob", `{"pattern":"2"}`}), says("never")},
	})
	ch := openChat(t, s, limits(session.Limits{Rounds: 3}))
	if end := ch.send("begin"); end.Outcome != session.TurnLimit || len(s.requests()) != 3 || !strings.Contains(s.requests()[2], "the last request") {
		t.Errorf("%+v", end)
	}
	if got := ch.ended()["c1"].Result.Text; !strings.Contains(got, "limit of 3 requests") {
		t.Error(got)
	}
}

// The same failing call, and a file that is edited back and forth, are noticed.
func TestDoingTheSameInVain(t *testing.T) {
	for name, input := range map[string]func(i int) [3]string{
		"call": func(i int) [3]string { return [3]string{fmt.Sprint("c", i), "Read", `{"file_path":"missing"}`} },
		"edit": func(i int) [3]string {
			sides := [2]string{"one", "two"}
			return [3]string{fmt.Sprint("c", i), "Edit", fmt.Sprintf(`{"file_path":"a","old_string":%q,"new_string":%q}`, sides[i%2], sides[(i+1)%2])}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			s.add(callsReply([3]string{"r", "Read", `{"file_path":"a"}`}))
			for i := range 20 {
				s.add(callsReply(input(i)))
			}
			ch := openChat(t, s, mode(session.ModeBypass), func(o *Options, _ *session.OpenOptions) { o.Now = time.Now })
			ch.file("a", "one\n")
			end := ch.send("x")
			if end.Outcome != session.TurnFailed || !strings.Contains(end.Problem.What, "6 times") {
				t.Fatalf("%+v %+v", end, end.Problem)
			}
			all := s.requests()
			warned := len(all)
			for i, r := range all {
				if strings.Contains(r, "Stop and think") {
					warned = i
					break
				}
			}
			if len(all)-warned != 3 && len(all)-warned != 2*3 { // a file goes back with every second edit, or each
				t.Errorf("warned before request %d of %d", warned, len(all))
			}
		})
	}
}

func TestUnknownToolIsGuessed(t *testing.T) {
	s := newService(t, callsReply([3]string{"c1", "Globb", `{}`}), says("ok"))
	ch := openChat(t, s)
	ch.send("x")
	if got := ch.ended()["c1"].Result.Text; !strings.Contains(got, `Did you mean "Glob"?`) {
		t.Error(got)
	}
}

// Turns that the agent begins itself are bounded, and one that runs makes room for a prompt.
func TestTurnsWithoutAPrompt(t *testing.T) {
	s := newService(t)
	n := 0
	for range maxAlone + 5 {
		n++
		id := fmt.Sprint("c", n)
		s.add(callsReply(task(id, "again", `,"run_in_background":true`)), says("started"))
	}
	ch := openChat(t, s)
	c := ch.c.(*conversation)
	c.top.inbox.add(note{text: "first", because: "x ended"})
	c.mu.Lock()
	c.alone = maxAlone - 1
	c.mu.Unlock()
	c.wake()
	c.busy.Wait()
	if got := eventsOf[session.TurnStarted](ch); len(got) != 1 || got[0].Because != "x ended" || !strings.HasPrefix(string(got[0].Turn), "auto-1-") {
		t.Errorf("%+v", got)
	}
	c.top.inbox.add(note{text: "second", because: "y ended"})
	c.wake()
	c.busy.Wait()
	if got := eventsOf[session.TurnStarted](ch); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	ch.send("x")
	if all := s.requests(); !slices.ContainsFunc(all, func(body string) bool { return strings.Contains(body, "second") }) {
		t.Error(all)
	}
}

func TestAPromptEndsATurnWithoutOne(t *testing.T) {
	s := newService(t)
	asked, goOn := make(chan struct{}), make(chan struct{})
	s.add(func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-goOn
		callsReply([3]string{"c1", "Glob", `{"pattern":"*"}`})(w, r)
	}, says("yours"))
	ch := openChat(t, s)
	c := ch.c.(*conversation)
	c.top.inbox.add(note{text: "first", because: "x ended"})
	c.wake()
	<-asked
	done := make(chan session.TurnEnded)
	go func() { done <- ch.sendAs("mine", session.Prompt{Text: "now me"}) }()
	for waits := false; !waits; {
		c.mu.Lock()
		waits = c.now != nil && c.now.yield
		c.mu.Unlock()
	}
	close(goOn)
	if end := <-done; end.Turn != "mine" || end.Outcome != session.TurnCompleted || len(s.requests()) != 2 {
		t.Errorf("%+v", end)
	}
	if ends := eventsOf[session.TurnEnded](ch); len(ends) != 2 || ends[0].Outcome != session.TurnCompleted {
		t.Errorf("%+v", ends)
	}
}

// A cut answer goes on in the same text: nothing stands between the two, neither for the user nor for the model later, whatever the
// second one begins with.
func TestCutAnswersJoinWithoutASeam(t *testing.T) {
	call := use(1, "c1", "Glob", `{"pattern":"*"}`)
	for name, tc := range map[string]struct {
		replies []reply
		parts   []string // the texts of the turn
	}{
		"words": {[]reply{stream(start("m"), text(0, "```\n    retu"), end("max_tokens")), says("rn 1\n```")}, []string{"```\n    return 1\n```"}},
		"three times": {[]reply{stream(start("m"), text(0, "a"), end("max_tokens")), stream(start("m"), text(0, "b"), end("max_tokens")), says("c")},
			[]string{"abc"}},
		"thinking first": {[]reply{stream(start("m"), text(0, "retu"), end("max_tokens")),
			stream(start("m"), think(0, "s", "hm"), text(1, "rn"), end("end_turn"))}, []string{"return"}},
		"then a call": {[]reply{stream(start("m"), think(0, "s", "hm"), text(1, "I lo"), end("max_tokens")), stream(start("m"), text(0, "ok."), call, end("tool_use")), says("Done.")},
			[]string{"I look.", "Done."}},
		"a call at once": {[]reply{stream(start("m"), text(0, "I look"), end("max_tokens")), stream(start("m"), call, end("tool_use")), says("Done.")},
			[]string{"I look", "Done."}},
		"a failure first": {[]reply{stream(start("m"), text(0, "retu"), end("max_tokens")), cut(""), says("rn")}, []string{"return"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, tc.replies...)
			s.add(says("Later."))
			ch := openChat(t, s)
			if end := ch.send("x"); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v %+v", end, end.Problem)
			}
			var parts []string
			for _, e := range ch.transcript().Turns[0].Entries {
				if p, ok := e.(*session.Part); ok && p.Kind == session.PartText && !p.Retracted && p.Text() != "" {
					parts = append(parts, p.Text())
				}
			}
			if !slices.Equal(parts, tc.parts) {
				t.Errorf("%q", parts)
			}
			ch.send("y")
			last := s.requests()[len(s.requests())-1]
			if strings.Contains(last, "exactly where it ended") {
				t.Error("the model is told of the cut again")
			}
			for i := range s.requests() {
				checkShape(t, s.messages(i))
			}
		})
	}
}

// An answer that goes on and breaks off goes on once more from what has arrived.
func TestCutAnswersThatBreakOffGoOn(t *testing.T) {
	s := newService(t, stream(start("m"), text(0, "retu"), end("max_tokens")), cut(start("m")+text(0, "rn ")), says("1"))
	ch := openChat(t, s)
	if end := ch.send("x"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	if got := wordsOf(ch.transcript().Turns[0]); got != "return 1" {
		t.Errorf("%q", got)
	}
}
