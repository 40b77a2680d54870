package builtin

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/builtin/wire"
)

// steerOn sends prompts into the turn at the first event of a kind.
func steerOn[E session.Event](ch *chat, prompts ...session.Prompt) {
	done := false
	ch.on = func(e session.Event) {
		if _, ok := e.(E); !ok || done {
			return
		}
		done = true
		for _, p := range prompts {
			if taken, err := ch.c.(session.Steerer).Steer(context.Background(), p); !taken || err != nil {
				ch.t.Errorf("%v %v", taken, err)
			}
		}
	}
}

// A prompt that comes while tools run or while the model speaks is taken at the next boundary, in order, and stays in its place
// after a restart.
func TestSteering(t *testing.T) {
	one, two := session.Prompt{ID: "p1", Text: "use kettle.txt"}, session.Prompt{ID: "p2", Text: "and be brief"}
	for name, in := range map[string]func(ch *chat){
		"tool":  func(ch *chat) { steerOn[session.ToolReady](ch, one, two) },
		"words": func(ch *chat) { steerOn[session.PartEnded](ch, one, two) },
	} {
		t.Run(name, func(t *testing.T) {
			first := callsReply([3]string{"c1", "Glob", `{"pattern":"*"}`})
			if name == "words" {
				first = says("I look.")
			}
			s := newService(t, first, says("Done."), says("Bye."))
			ch := openChat(t, s)
			in(ch)
			if end := ch.send("begin"); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
			last := s.messages(1)
			checkShape(t, last)
			var texts []string
			for _, c := range last[len(last)-1].Content {
				if c.Type == "text" {
					texts = append(texts, c.Text)
				}
			}
			if diff := cmp.Diff([]string{one.Text, two.Text}, texts); diff != "" {
				t.Error(diff)
			}
			if got := eventsOf[session.Steered](ch); len(got) != 2 || got[0].Prompt != "p1" || got[1].Prompt != "p2" {
				t.Errorf("%+v", got)
			}
			past := ch.transcript()
			next := openChat(t, s, history(past), func(_ *Options, open *session.OpenOptions) { open.Dir = ch.dir })
			next.sendAs("t9", session.Prompt{Text: "more"})
			if diff := cmp.Diff(last[:len(last)-1], s.messages(2)[:len(last)-1], cmp.Comparer(sameContent)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func sameContent(a, b []wire.Content) bool {
	x, _ := wire.EncodeJSON(withoutMarks(a))
	y, _ := wire.EncodeJSON(withoutMarks(b))
	return string(x) == string(y)
}

func withoutMarks(in []wire.Content) []wire.Content {
	out := append([]wire.Content{}, in...)
	for i := range out {
		out[i].CacheControl = nil
	}
	return out
}

// Nothing is taken between turns, and what an interrupted turn did not take is not lost to its sender or told later.
func TestSteeringWithoutATurn(t *testing.T) {
	s := newService(t)
	s.add(s.hang(start("m"), text(0, "I")), says("ok"))
	ch := openChat(t, s)
	steerer := ch.c.(session.Steerer)
	if taken, err := steerer.Steer(context.Background(), session.Prompt{Text: "x"}); taken || err != nil {
		t.Errorf("%v %v", taken, err)
	}
	ended := make(chan session.TurnEnded)
	go func() { ended <- ch.send("begin") }()
	<-s.held
	if taken, _ := steerer.Steer(context.Background(), session.Prompt{ID: "p", Text: "never mind"}); !taken {
		t.Error("not taken")
	}
	ch.c.Abort()
	if end := <-ended; end.Outcome != session.TurnCancelled {
		t.Errorf("%+v", end)
	}
	ch.send("again")
	if all := s.requests(); strings.Contains(all[1], "never mind") || len(eventsOf[session.Steered](ch)) != 0 {
		t.Error(all[1])
	}
}
