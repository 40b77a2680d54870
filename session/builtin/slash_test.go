package builtin

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// printed returns what the newest turn printed.
func (ch *chat) printed() string {
	var b strings.Builder
	for _, e := range ch.all() {
		switch e := e.(type) {
		case session.TurnStarted:
			b.Reset()
		case session.PartDelta:
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

func TestCommandsAreListed(t *testing.T) {
	var names []string
	for _, c := range New(Options{}).Commands("/") {
		names = append(names, c.Name)
		if c.About == "" {
			t.Errorf("%s says nothing of itself", c.Name)
		}
	}
	if diff := cmp.Diff([]string{"compact", "context", "init", "memory", "output-style"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestCommandOf(t *testing.T) {
	for text, want := range map[string]string{
		"/compact": "compact|", " /compact the  parser ": "compact|the  parser", "/compactx": "|", "/usr/bin is full": "|", "compact": "|",
		"# use tabs": "#|use tabs", "# Title\n\ntext": "|", "#": "|", "## two": "|", "": "|",
	} {
		name, args := commandOf(session.Prompt{Text: text})
		if got := name + "|" + args; got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestCompactCommand(t *testing.T) {
	s := newService(t, says("first answer"), says("second answer"))
	ch := openChat(t, s)
	if ch.send("/compact"); ch.printed() != "There is nothing to summarize yet." || len(s.requests()) != 0 {
		t.Errorf("%s, %d requests", ch.printed(), len(s.requests()))
	}
	ch.send("first")
	ch.send(long("second", 90))
	s.add(says(aSummary))
	if end := ch.send("/compact the parser"); end.Outcome != session.TurnCompleted {
		t.Fatalf("%+v", end)
	}
	c := eventsOf[session.Compacted](ch)
	if len(c) != 1 || c[0].Focus != "the parser" || c[0].Auto || c[0].After >= c[0].Before || !strings.Contains(s.requests()[2], "above all: the parser") {
		t.Errorf("%+v", c)
	}
	if got := ch.printed(); !strings.Contains(got, "/compact undo") {
		t.Error(got)
	}
	s.add(says("third answer"))
	ch.send("third")
	last := s.requests()[3]
	if !strings.Contains(last, "weeks") || strings.Contains(last, "first answer") || strings.Contains(last, "/compact") || !strings.Contains(last, "oldest first\\n\\nfirst\\n\\n---\\n\\nsecond words of it") || len(last) > 40_000 {
		t.Error(last)
	}
	// Undone, everything is sent again, but no command.
	ch.send("/compact undo")
	s.add(says("fourth answer"))
	ch.send("fourth")
	last = s.requests()[4]
	if strings.Contains(last, "weeks") || !strings.Contains(last, "first answer") || !strings.Contains(last, "words of it") || strings.Contains(last, "/compact") {
		t.Error(ch.printed())
	}
	if ch.send("/compact undo"); ch.printed() != "There is no compaction to undo." {
		t.Error(ch.printed())
	}
}

func TestUndoThatDoesNotFit(t *testing.T) {
	s := newService(t, counts(text(0, "first answer"), end("end_turn")), says(aSummary))
	ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
		o.Models = func(context.Context) ([]session.Model, error) {
			return []session.Model{{ID: "large", Default: true, MaxPrompt: 900000}, {ID: "small", MaxPrompt: 40000}}, nil
		}
	})
	ch.send(long("first", 300))
	ch.send("/compact")
	if err := ch.c.Configure(t.Context(), session.Settings{Model: "small"}); err != nil {
		t.Fatal(err)
	}
	ch.send("/compact undo")
	if got := ch.printed(); !strings.Contains(got, "stays") || !strings.Contains(got, "small reads at most 40k") {
		t.Error(got)
	}
	if n := len(eventsOf[session.Compacted](ch)); n != 1 {
		t.Errorf("%d compactions", n)
	}
}

func TestFailedCompactCommand(t *testing.T) {
	s := newService(t, says("first answer"), says("no"), callsReply([3]string{"g1", "Glob", "{}"}))
	ch := openChat(t, s)
	ch.send("first")
	ch.send("/compact")
	if got := ch.printed(); !strings.Contains(got, "Couldn't summarize the conversation: the model gave no summary") {
		t.Error(got)
	}
	s.add(says("second answer"))
	ch.send("second")
	if last := s.requests()[2]; !strings.Contains(last, "first answer") || strings.Contains(last, "/compact") {
		t.Error(last)
	}
}

func TestContextCommand(t *testing.T) {
	s := newService(t, callsReply([3]string{"r1", "Read", `{"file_path":"a"}`}), says("done"))
	ch := openChat(t, s)
	ch.file("a", "text\n")
	ch.file("AGENTS.md", "use tabs")
	ch.send("read it")
	ch.send("/context")
	got := ch.printed()
	for _, want := range []string{"**claude-test**: about ", " of 200k", "| System prompt |", "| `AGENTS.md` |", "| Tools (", "| Your prompts (1) |", "| Results of Read (1) |",
		"| Free before auto-compact |", "| Kept free for the answer |", "91 % of the input was cached"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := len(s.requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
	// Neither the command nor what it printed is part of the conversation, also after a resume.
	s.add(says("bye"))
	ch2 := openChat(t, s, in(ch.dir), history(ch.transcript()))
	ch2.sendAs("last", session.Prompt{Text: "bye"})
	if last := s.requests()[2]; strings.Contains(last, "/context") || strings.Contains(last, "Free until") {
		t.Error(last)
	}
}

func TestInitCommand(t *testing.T) {
	s := newService(t, says("written"))
	ch := openChat(t, s)
	ch.send("/init mind the tests")
	if got := s.requests()[0]; !strings.Contains(got, "The user wants an AGENTS.md") || !strings.Contains(got, "The user adds: mind the tests") {
		t.Error(got)
	}
}

func TestMemoryCommand(t *testing.T) {
	s := newService(t)
	config := t.TempDir()
	ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) { o.ConfigDir = config })
	if ch.send("/memory"); !strings.Contains(ch.printed(), "There are no instructions here") {
		t.Error(ch.printed())
	}
	answer := func(label string) {
		ch.on = func(e session.Event) {
			if asked, ok := e.(session.Asked); ok {
				q := asked.Question.Questions[0]
				if err := ch.c.Answer(asked.Ask, session.Answer{Decision: session.Allow, Choices: map[string][]string{q.Text: {label}}}); err != nil {
					t.Error(err)
				}
			}
		}
	}
	ch.file("AGENTS.md", "no line break")
	answer(noteHere)
	ch.send("/memory add use tabs")
	ch.send("# and short lines")
	if got := ch.content("AGENTS.md"); got != "no line break\n- use tabs\n- and short lines\n" {
		t.Errorf("%q", got)
	}
	answer(noteOwn)
	ch.send("# speak plainly")
	if b, err := os.ReadFile(filepath.Join(config, "AGENTS.md")); err != nil || string(b) != "- speak plainly\n" {
		t.Errorf("%q, %v", b, err)
	}
	ch.send("/memory")
	if got := ch.printed(); !strings.Contains(got, "`AGENTS.md`") || !strings.Contains(got, "yours, in every project") {
		t.Error(got)
	}
	if n := len(s.requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	answer(notePrompt)
	s.add(says("a prompt"))
	if ch.send("# a heading"); !strings.Contains(s.requests()[0], "# a heading") {
		t.Error("it was not sent")
	}
	ch.on = func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			if err := ch.c.Answer(asked.Ask, session.Answer{Decision: session.Deny}); err != nil {
				t.Error(err)
			}
		}
	}
	if ch.send("# not this"); ch.printed() != "Nothing was added." {
		t.Error(ch.printed())
	}
}
