package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/role"
)

// finder has the custom agents of the tests.
type finder []session.CustomAgent

func (f finder) Customs(context.Context, string) session.Customs { return session.Customs{Agents: f} }

func (f finder) Chosen(_ context.Context, _, custom string) (*session.CustomAgent, error) {
	if a := (session.Customs{Agents: f}).Named(custom); a != nil || custom == "" {
		return a, nil
	}
	return nil, &session.Error{Op: "use the custom agent", Kind: session.KindNotFound, Err: errors.New("there is no " + custom)}
}

var someAgents = finder{
	{Name: "everything", About: "does all", Prompt: "MARK-everything"},
	{Name: "nothing", About: "says \"much\"", Prompt: "MARK-nothing", Tools: []string{}},
	{Name: "listed", About: "reads", Prompt: "MARK-listed", Tools: []string{"read", "search", "agent"}, Denied: []string{"Glob"}},
	{Name: "secret", About: "for the user only", Prompt: "MARK-secret", Hidden: true},
}

func customized(o *Options, _ *session.OpenOptions) { o.Customs = someAgents }

// sent returns the names of the tools and the system prompt of a request.
func sent(t *testing.T, body string) (tools []string, system string) {
	t.Helper()
	var r struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		System json.RawMessage `json:"system"`
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	for _, tool := range r.Tools {
		tools = append(tools, tool.Name)
	}
	return tools, string(r.System)
}

func as(agent string) string { return `,"subagent_type":"` + agent + `"` }

// Custom agents are children like the others, at once and nested, with the tools of their lists and no others.
func TestCustomAgentsAreChildren(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin": {callsReply(task("c1", "job of everything", as("everything")), task("c2", "job of nothing", as("nothing")),
			task("c3", "job of listed", as("listed")), task("c4", "x", as("secret"))), says("ok")},
		"job of everything": {says("one")},
		"job of nothing":    {callsReply([3]string{"w", "Write", `{"file_path":"x","content":"y"}`}), says("two")},
		"job of listed":     {callsReply(task("c5", "inner job", as("nothing")), [3]string{"b", "Bash", `{"command":"touch x","description":"d"}`}), says("three")},
		"inner job":         {says("four")},
	})
	ch := openChat(t, s, mode(session.ModeBypass), customized)
	if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	checkChildren(t, ch.all())
	ends := ch.ended()
	for id, want := range map[session.CallID]string{"c1": "one", "c2": "two", "c3": "three", "c5": "four",
		"w": "you have none", "b": `no tool "Bash"`, "c4": `no kind of agent "secret"`} {
		if got := ends[id].Result.Text; !strings.Contains(got, want) {
			t.Errorf("%s: %q", id, got)
		}
	}
	tr := ch.transcript()
	for id, want := range map[session.ChildID]string{"c1": "everything", "c2": "nothing", "c3": "listed", "c5": "nothing"} {
		if c := tr.FindChild(id); c == nil || !c.Ended || c.Name != want {
			t.Errorf("%s: %+v", id, c)
		}
	}
	for _, body := range s.requests() {
		tools, system := sent(t, body)
		first, list := firstMessage(body), strings.Join(tools, " ")
		switch {
		case strings.Contains(first, "job of everything"):
			if !slices.Contains(tools, "Bash") || !strings.Contains(system, "MARK-everything") {
				t.Errorf("everything: %s", list)
			}
		case strings.Contains(first, "job of nothing"), strings.Contains(first, "inner job"):
			if list != "" || !strings.Contains(system, "MARK-nothing") {
				t.Errorf("nothing: %s", list)
			}
		case strings.Contains(first, "job of listed"):
			if list != "Read Grep Task" {
				t.Errorf("listed: %s", list)
			}
		case !strings.Contains(body, `- listed: reads`) || strings.Contains(body, "for the user only") || strings.Contains(system, "MARK-"):
			t.Error("the top does not know the agents, or knows too many")
		}
	}

	// Another conversation of the session continues them with the same tools.
	s2 := always(t, map[string][]reply{"job of listed": {says("three again")}, "[the": {says("ok")}})
	ch2 := openChat(t, s2, mode(session.ModeBypass), customized, history(tr))
	c := ch2.c.(*conversation)
	if got := c.children.all["c3"].loop.tools(); len(got) != 3 {
		t.Errorf("continued with %d tools", len(got))
	}
	gone := openChat(t, newService(t), history(tr)).c.(*conversation)
	if got := gone.children.all["c2"].loop.role(); got != role.Explore {
		t.Errorf("a custom agent that is gone is %q", got.Name)
	}
}

func TestACustomAgentInTheBackground(t *testing.T) {
	s := always(t, map[string][]reply{
		"begin": {callsReply(task("c1", "job of listed", as("listed")+`,"run_in_background":true`)), says("begun"), says("heard")},
		"job":   {says("done")},
	})
	ch := openChat(t, s, customized)
	over := make(chan struct{}, 2)
	ch.on = func(e session.Event) {
		if _, is := e.(session.ChildEnded); is {
			over <- struct{}{}
		}
	}
	ch.send("begin")
	<-over
	checkChildren(t, ch.all())
	if n := len(eventsOf[session.ChildEnded](ch)); n != 1 {
		t.Errorf("ended %d times", n)
	}
}

// The chosen agent holds the conversation from the next turn on.
func TestACustomAgentHoldsTheConversation(t *testing.T) {
	s := newService(t)
	for range 4 {
		s.add(says("ok"))
	}
	ch := openChat(t, s, customized, func(_ *Options, o *session.OpenOptions) { o.Settings.Custom = "listed" })
	choose := func(custom string) {
		t.Helper()
		if err := ch.c.Configure(t.Context(), session.Settings{Custom: custom}); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(mark, list string) {
		t.Helper()
		if end := ch.send("hello"); end.Outcome != session.TurnCompleted {
			t.Fatalf("%+v", end)
		}
		all := s.requests()
		tools, system := sent(t, all[len(all)-1])
		if got := strings.Join(tools, " "); mark != "" && !strings.Contains(system, mark) || list != "" && got != list || mark == "" && strings.Contains(system, "MARK-") {
			t.Errorf("%q: tools %q", mark, got)
		}
	}
	holds("MARK-listed", "Read Grep Task")
	choose("secret") // the user may choose what agents may not start
	holds("MARK-secret", "")
	choose("")
	holds("", "")
	choose("gone")
	if end := ch.send("hello"); end.Outcome != session.TurnFailed || end.Problem == nil || !strings.Contains(end.Problem.What, "there is no gone") {
		t.Errorf("%+v", end)
	}
	choose("")
	holds("", "")
}
