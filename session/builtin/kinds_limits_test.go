package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

func held(custom string) chatOption {
	return func(_ *Options, o *session.OpenOptions) { o.Settings.Custom = custom }
}

var callsOfLimited = []string{"b", "w", "g"}

// triesAll calls tools that the agent "listed" lacks, the ids of the calls ending in more.
func triesAll(more string) reply {
	return callsReply([3]string{"b" + more, "Bash", `{"command":"touch x","description":"d"}`},
		[3]string{"w" + more, "Write", `{"file_path":"x","content":"y"}`}, [3]string{"g" + more, "Glob", `{"pattern":"*"}`})
}

// refusedAll checks that no call of triesAll ran.
func refusedAll(t *testing.T, ch *chat, more string) {
	t.Helper()
	for _, id := range callsOfLimited {
		got, ok := ch.ended()[session.CallID(id+more)]
		if !ok || got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, "There is no tool") {
			t.Errorf("%s: %v %+v", id+more, ok, got)
		}
	}
	if ch.content("x") == "y" {
		t.Error("a file was written")
	}
}

// toolsFor returns the tools of each request whose first message has a text.
func toolsFor(t *testing.T, s *fakeService, text string) []string {
	t.Helper()
	var all []string
	for _, body := range s.requests() {
		if strings.Contains(firstMessage(body), text) {
			tools, _ := sent(t, body)
			all = append(all, strings.Join(tools, " "))
		}
	}
	return all
}

// A child has at most the tools of the agent above it, whatever its kind, how deep it is and what holds the conversation.
func TestChildrenHaveAtMostTheToolsOfTheirAgent(t *testing.T) {
	for name, c := range map[string]struct {
		held, kind, tools string
		inner             string // the tools of a child of the child, "-" if it starts none
	}{
		"general of the chosen":    {"listed", "general", "Read Grep Task", "Read Grep"},
		"no kind of the chosen":    {"listed", "", "Read Grep Task", "Read Grep"},
		"another name of general":  {"listed", "general-purpose", "Read Grep Task", "Read Grep"},
		"explore of the chosen":    {"listed", "explore", "Read Grep", "-"},
		"everything of the chosen": {"listed", "everything", "Read Grep Task", "Read Grep"},
		"nothing of the chosen":    {"listed", "nothing", "", "-"},
		"listed of the top":        {"", "listed", "Read Grep Task", "Read Grep"},
	} {
		for _, background := range []string{"", `,"run_in_background":true`} {
			t.Run(name+background, func(t *testing.T) {
				more := background
				if c.kind != "" {
					more += as(c.kind)
				}
				s := always(t, map[string][]reply{
					"begin":     {callsReply(task("c1", "level one", more)), says("begun"), says("heard"), says("more")},
					"level one": {triesAll("1"), callsReply(task("c2", "level two", as("general"))), says("one")},
					"level two": {triesAll("2"), says("two")},
				})
				ch := openChat(t, s, mode(session.ModeBypass), customized, held(c.held))
				over := make(chan struct{})
				ch.on = func(e session.Event) {
					if e, is := e.(session.ChildEnded); is && e.ID == "c1" {
						close(over)
					}
				}
				if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
					t.Fatalf("%+v", end)
				}
				<-over
				refusedAll(t, ch, "1")
				checkTools(t, s, "level one", 3, c.tools)
				if c.inner == "-" {
					checkTools(t, s, "level two", 0, "")
					return
				}
				refusedAll(t, ch, "2")
				checkTools(t, s, "level two", 2, c.inner)
			})
		}
	}
}

// checkTools checks how many requests have a text in their first message, and the tools of each.
func checkTools(t *testing.T, s *fakeService, text string, n int, want string) {
	t.Helper()
	got := toolsFor(t, s, text)
	if len(got) != n || slices.ContainsFunc(got, func(tools string) bool { return tools != want }) {
		t.Errorf("%s: %q in %d requests, want %q in %d", text, got, len(got), want, n)
	}
}

// resumes continues a child and waits until it has ended.
func (ch *chat) resumes(id session.ChildID, prompt string) {
	ch.t.Helper()
	over := make(chan struct{})
	ch.listen(func(e session.Event) {
		if e, is := e.(session.ChildEnded); is && e.ID == id {
			close(over)
		}
	})
	if err := ch.c.(session.ChildResumer).ResumeChild(context.Background(), id, session.Prompt{Text: prompt}); err != nil {
		ch.t.Fatal(err)
	}
	<-over
	ch.listen(nil)
}

// A child that is continued keeps the limits of the agent that started it, and gets those of the one that is chosen now.
func TestContinuedChildrenKeepTheirLimits(t *testing.T) {
	replies := func(first reply) map[string][]reply {
		return map[string][]reply{"begin": {callsReply(task("c1", "level one", "")), says("ok")},
			"level one": {says("one"), first, says("two"), says("three"), says("four")},
			"agent":     {says("heard"), says("heard"), says("heard")}}
	}
	configure := func(ch *chat, custom string) {
		t.Helper()
		if err := ch.c.Configure(t.Context(), session.Settings{Mode: session.ModeBypass, Custom: custom}); err != nil {
			t.Fatal(err)
		}
	}
	last := func(s *fakeService) string {
		all := toolsFor(t, s, "level one")
		return all[len(all)-1]
	}
	t.Run("started under a limited agent", func(t *testing.T) {
		s := always(t, replies(triesAll("1")))
		ch := openChat(t, s, mode(session.ModeBypass), customized, held("listed"))
		ch.send("begin")
		configure(ch, "")
		ch.resumes("c1", "go on")
		refusedAll(t, ch, "1")
		if got := last(s); got != "Read Grep Task" {
			t.Errorf("%q", got)
		}
	})
	t.Run("continued under a limited agent", func(t *testing.T) {
		s := always(t, replies(triesAll("1")))
		ch := openChat(t, s, mode(session.ModeBypass), customized)
		ch.send("begin")
		configure(ch, "listed")
		ch.resumes("c1", "go on")
		refusedAll(t, ch, "1")
		configure(ch, "")
		ch.resumes("c1", "go on")
		if got := last(s); !strings.Contains(got, "Bash") {
			t.Errorf("%q", got)
		}
		configure(ch, "gone")
		err := ch.c.(session.ChildResumer).ResumeChild(context.Background(), "c1", session.Prompt{Text: "x"})
		if session.KindOf(err) != session.KindNotFound || !strings.Contains(err.Error(), "there is no gone") {
			t.Error(err)
		}
	})
}

// A restarted conversation knows from its transcript which custom agent held it in each turn, but for the one before the first
// change: children of those turns only read.
func TestRestartedChildrenKeepTheirLimits(t *testing.T) {
	const reads = "Read Glob Grep"
	const all = reads + " Edit MultiEdit apply_patch Write NotebookEdit Bash BashOutput BashInput KillShell WebFetch WebSearch Task TodoWrite"
	for name, c := range map[string]struct {
		held []string // what is chosen before each turn, which starts one child
		gone bool     // the files of the custom agents are gone after the restart
		want []string
	}{
		"never limited":  {[]string{"", ""}, false, []string{all, all}},
		"always limited": {[]string{"listed", "listed"}, false, []string{"Read Grep Task", "Read Grep Task"}},
		"changed":        {[]string{"", "listed", "everything", ""}, false, []string{reads, "Read Grep Task", all, all}},
		"gone":           {[]string{"listed"}, true, []string{reads}},
	} {
		t.Run(name, func(t *testing.T) {
			s := always(t, map[string][]reply{"level one": {says("one"), says("one"), says("one"), says("one")}})
			ch := openChat(t, s, mode(session.ModeBypass), customized, held(c.held[0]))
			ch.emit(session.CustomChanged{Head: session.Head{Session: "s", Gen: 1, At: ch.c.(*conversation).o.Now()}, Custom: c.held[0]})
			for i, custom := range c.held {
				if i > 0 && custom != c.held[i-1] {
					if err := ch.c.Configure(t.Context(), session.Settings{Mode: session.ModeBypass, Custom: custom}); err != nil {
						t.Fatal(err)
					}
					ch.emit(session.CustomChanged{Head: session.Head{Session: "s", Gen: 1, At: ch.c.(*conversation).o.Now()}, Custom: custom})
				}
				s.mu.Lock()
				s.replies = append([]reply{callsReply(task(fmt.Sprint("c", i), "level one", "")), says("one"), says("ok")}, s.replies...)
				s.mu.Unlock()
				if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
					t.Fatalf("%+v", end)
				}
			}
			customs := chatOption(customized)
			if c.gone {
				customs = func(o *Options, _ *session.OpenOptions) { o.Customs = finder{} }
			}
			s2 := always(t, map[string][]reply{"level one": {triesAll("1"), says("again")}, "agent": {says("heard")}})
			next := openChat(t, s2, mode(session.ModeBypass), customs, history(ch.transcript()))
			for i, want := range c.want {
				ch := next.c.(*conversation).children.all[session.ChildID(fmt.Sprint("c", i))]
				if got := strings.Join(toolNames(ch.loop.tools()), " "); got != want {
					t.Errorf("child %d: %q, want %q", i, got, want)
				}
			}
			if c.want[0] != all {
				next.resumes("c0", "go on")
				if end := next.ended()["b1"]; end.Outcome != session.ToolFailed || !strings.Contains(end.Result.Text, "There is no tool") {
					t.Errorf("%+v", end)
				}
			}
		})
	}
}
