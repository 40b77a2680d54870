package builtin

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire"
)

// routes answers a request by a text that its first message contains, each text with its replies in order.
type routes struct {
	mu      sync.Mutex
	replies map[string][]reply
}

func route(replies map[string][]reply) reply {
	r := &routes{replies: replies}
	return func(w http.ResponseWriter, req *http.Request) { r.answer(w, req) }
}

func (r *routes) answer(w http.ResponseWriter, req *http.Request) {
	body := req.Context().Value(bodyKey{}).(string)
	r.mu.Lock()
	var next reply
	for text, replies := range r.replies {
		if len(replies) > 0 && strings.Contains(firstMessage(body), text) {
			next, r.replies[text] = replies[0], replies[1:]
		}
	}
	r.mu.Unlock()
	if next == nil {
		w.WriteHeader(500)
		_, _ = io.WriteString(w, `{"type":"error","error":{"type":"api_error","message":"no route"}}`)
		return
	}
	next(w, req)
}

// firstMessage returns what the first message of a request begins with.
func firstMessage(body string) string {
	_, rest, _ := strings.Cut(body, `"messages":[`)
	first, _, _ := strings.Cut(rest, `"role":"assistant"`)
	return first
}

func task(id, prompt, more string) [3]string {
	return [3]string{id, "Task", fmt.Sprintf(`{"description":"do %s","prompt":%q%s}`, id, prompt, more)}
}

// always answers every request of a test by its first message.
func always(t *testing.T, replies map[string][]reply) *fakeService {
	s := newService(t)
	r := route(replies)
	for range 100 {
		s.add(r)
	}
	return s
}

// checkChildren checks that children are announced before anything they do and end once.
func checkChildren(t *testing.T, events []session.Event) {
	t.Helper()
	state := map[session.ChildID]string{}
	for i, e := range events {
		if c := e.Header().Child; c != "" && state[c] != "open" {
			if _, late := e.(session.ToolEnded); !late {
				t.Errorf("event %d, %T of the child %q, which is %q", i, e, c, state[c])
			}
		}
		switch e := e.(type) {
		case session.ChildStarted:
			if state[e.ID] == "open" && !e.Background || state[e.ID] == "ended" && !e.Resumed {
				t.Errorf("event %d: %+v", i, e)
			}
			state[e.ID] = "open"
		case session.ChildEnded:
			if state[e.ID] != "open" {
				t.Errorf("event %d: %+v ended while %q", i, e, state[e.ID])
			}
			state[e.ID] = "ended"
		}
	}
}

func TestChildrenRunTogether(t *testing.T) {
	var both sync.WaitGroup // each child answers only when the other has asked too
	both.Add(2)
	meet := func(r reply) reply {
		return func(w http.ResponseWriter, req *http.Request) {
			both.Done()
			both.Wait()
			r(w, req)
		}
	}
	s := always(t, map[string][]reply{
		"begin":   {callsReply(task("c1", "count the teapots", ""), task("c2", "count the kettles", `,"subagent_type":"explore"`)), says("Three in all.")},
		"teapots": {meet(callsReply([3]string{"g1", "Glob", `{"pattern":"*"}`})), says("One teapot.")},
		"kettles": {meet(callsReply([3]string{"g2", "Glob", `{"pattern":"*"}`}, [3]string{"w2", "Write", `{"file_path":"x","content":"y"}`})), says("Two kettles.")},
	})
	ch := openChat(t, s, mode(session.ModeBypass))
	if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	checkChildren(t, ch.all())
	ends := ch.ended()
	if ends["c1"].Result.Text != "One teapot." || ends["c2"].Result.Text != "Two kettles." || ends["c1"].Outcome != session.ToolOK {
		t.Errorf("%+v\n%+v", ends["c1"], ends["c2"])
	}
	if got := ends["w2"]; got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, "no tool") || ch.content("x") == "y" {
		t.Errorf("%+v", got)
	}
	tr := ch.transcript()
	for id, want := range map[session.ChildID]string{"c1": "general", "c2": "explore"} {
		if c := tr.FindChild(id); c == nil || !c.Ended || c.Name != want || c.Outcome != session.TurnCompleted || len(c.Entries) < 3 {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if tr.Usage.Output != 6*20 || tr.NanoAIU != 6*1500 {
		t.Errorf("%+v %d", tr.Usage, tr.NanoAIU)
	}
	for _, body := range s.requests() {
		first := firstMessage(body)
		if strings.Contains(first, "teapots") && strings.Contains(body, "kettles") {
			t.Error("a child knows what another is to do")
		}
		if isChild := !strings.Contains(first, "begin"); isChild == strings.Contains(body, `"AskUserQuestion"`) {
			t.Errorf("child %v has AskUserQuestion", isChild)
		}
	}
}

// Two levels and no more; the asks of a child are its own, and a child cannot do what its parent may not.
func TestChildrenOfChildren(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin":     {callsReply(task("c1", "level one", "")), says("ok")},
		"level one": {callsReply(task("c2", "level two", "")), says("one")},
		"level two": {callsReply(task("c3", "level three", ""), [3]string{"w", "Write", `{"file_path":"x","content":"y"}`}), says("two")},
	})
	ch := openChat(t, s)
	ch.answerAll(session.Answer{Decision: session.Deny, Message: "no"})
	ch.send("begin")
	checkChildren(t, ch.all())
	ends := ch.ended()
	if !strings.Contains(ends["c3"].Result.Text, "no tool") || ends["w"].Outcome != session.ToolDenied || ends["c2"].Result.Text != "two" {
		t.Errorf("%+v\n%+v", ends["c3"], ends["w"])
	}
	asked := eventsOf[session.Asked](ch)
	if len(asked) != 1 || asked[0].Child != "c2" || asked[0].Call != "w" {
		t.Errorf("%+v", asked)
	}
}

func TestChildThatFails(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin":  {callsReply(task("c1", "broken", ""), task("c2", "x", `,"model":"claude-tets"`), task("c3", "x", `,"subagent_type":"explorer"`)), says("ok")},
		"broken": {stream(start("m"), text(0, "So far so good."), end("refusal"))},
	})
	ch := openChat(t, s)
	ch.send("begin")
	for id, want := range map[session.CallID]string{"c1": "did not finish: The model declined", "c2": `Did you mean "claude-test"`, "c3": `Did you mean "explore"`} {
		if got := ch.ended()[id]; got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%+v", got)
		}
	}
}

// An interrupt ends the children of the turn; one of them alone can be stopped.
func TestStoppedChildren(t *testing.T) {
	for name, stop := range map[string]func(ch *chat){
		"turn":  func(ch *chat) { ch.c.Abort() },
		"child": func(ch *chat) { _ = ch.c.(session.Stopper).Stop(context.Background(), "c1") },
	} {
		t.Run(name, func(t *testing.T) {
			s := always(t, nil)
			s.replies = nil
			s.add(callsReply(task("c1", "wait", "")), s.hang(start("m"), text(0, "Halfway.")), says("ok"))
			ch := openChat(t, s)
			ch.on = func(e session.Event) {
				if _, ok := e.(session.PartDelta); ok && e.Header().Child != "" {
					stop(ch)
				}
			}
			end := ch.send("begin")
			checkChildren(t, ch.all())
			c := ch.transcript().FindChild("c1")
			if c.Outcome != session.TurnCancelled {
				t.Errorf("%+v", c)
			}
			got := ch.ended()["c1"]
			if name == "turn" {
				if end.Outcome != session.TurnCancelled || got.Outcome != session.ToolCancelled {
					t.Errorf("%+v %+v", end, got)
				}
				return
			}
			if end.Outcome != session.TurnCompleted || !strings.Contains(got.Result.Text, "the user stopped it") || !strings.Contains(got.Result.Text, "Halfway.") {
				t.Errorf("%+v %+v", end, got)
			}
		})
	}
}

// A child in the background outlives its turn; its end begins another one, which says why.
func TestChildInTheBackground(t *testing.T) {
	go1 := make(chan struct{})
	s := always(t, map[string][]reply{
		"begin":     {callsReply(task("c1", "long work", `,"run_in_background":true`)), says("It runs."), says("It found a teapot.")},
		"long work": {func(w http.ResponseWriter, req *http.Request) { <-go1; says("A teapot.")(w, req) }},
	})
	ch := openChat(t, s)
	over := make(chan struct{})
	ends := 0
	ch.on = func(e session.Event) {
		if _, ok := e.(session.TurnEnded); ok {
			if ends++; ends == 2 {
				close(over)
			}
		}
	}
	if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	close(go1)
	<-over
	checkChildren(t, ch.all())
	started := eventsOf[session.TurnStarted](ch)
	if len(started) != 2 || started[1].Origin != session.OriginAutonomous || started[1].Call != "c1" || started[1].Because != `agent "do c1" ended` {
		t.Fatalf("%+v", started)
	}
	by := map[string]int{}
	s.mu.Lock()
	for _, h := range s.headers {
		by[h.Get("X-Initiator")]++
	}
	s.mu.Unlock()
	if by["user"] != 1 || by["agent"] != 2 || len(s.requests()) != 4 { // the child's and that of the turn it began are the agent's
		t.Errorf("%d requests count as %v", len(s.requests()), by)
	}
	tr := ch.transcript()
	if got := wordsOf(tr.Turns[len(tr.Turns)-1]); got != "It found a teapot." {
		t.Errorf("%q", got)
	}
	last := s.messages(len(s.requests()) - 1)
	checkShape(t, last)
	if got := last[len(last)-1].Content; len(got) != 1 || !strings.Contains(got[0].Text, "A teapot.") {
		t.Errorf("%+v", got)
	}
	past := ch.transcript()
	next := openChat(t, s, history(past), func(_ *Options, open *session.OpenOptions) { open.Dir = ch.dir })
	s.mu.Lock()
	s.replies = []reply{says("bye")}
	s.mu.Unlock()
	next.sendAs("t9", session.Prompt{Text: "more"})
	again := s.messages(len(s.requests()) - 1)
	if diff := cmp.Diff(last, again[:len(last)], cmp.Comparer(sameContent)); diff != "" {
		t.Error(diff)
	}
}

// A child takes prompts while it runs, and goes on with what it knew after its end, also in another process.
func TestChildTakesPrompts(t *testing.T) {
	s := newService(t, callsReply(task("c1", "look", "")), callsReply([3]string{"g", "Glob", `{"pattern":"*"}`}), says("Seen."), says("ok"))
	ch := openChat(t, s)
	steered := false
	ch.on = func(e session.Event) {
		if e, ok := e.(session.ToolReady); ok && e.Call == "g" && !steered {
			steered = true
			if err := ch.c.(session.ChildSteerer).SteerChild(context.Background(), "c1", session.Prompt{Text: "only teapots"}); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("begin")
	checkChildren(t, ch.all())
	if got := s.messages(2); len(got) != 3 || got[2].Content[1].Text != "only teapots" {
		t.Errorf("%+v", got)
	}
	if err := ch.c.(session.ChildSteerer).SteerChild(context.Background(), "c1", session.Prompt{Text: "x"}); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	next := openChat(t, s, history(ch.transcript()), func(_ *Options, open *session.OpenOptions) { open.Dir = ch.dir })
	s.add(says("Kettles too."), says("Heard."))
	over := make(chan struct{})
	next.on = func(e session.Event) {
		if _, ok := e.(session.TurnEnded); ok {
			close(over)
		}
	}
	if err := next.c.(session.ChildResumer).ResumeChild(context.Background(), "c1", session.Prompt{Text: "and kettles"}); err != nil {
		t.Fatal(err)
	}
	<-over
	checkChildren(t, append(ch.all(), next.all()...))
	got := s.messages(4)
	checkShape(t, got)
	if diff := cmp.Diff(s.messages(2), got[:3], cmp.Comparer(func(a, b []wire.Content) bool { return sameContent(a, b) })); diff != "" {
		t.Error(diff)
	}
	if last := got[len(got)-1].Content; last[len(last)-1].Text != "and kettles" {
		t.Errorf("%+v", last)
	}
}
