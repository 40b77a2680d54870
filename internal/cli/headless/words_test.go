package headless

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/live"
)

// A notice that comes after the end of the turn takes nothing from its answer.
func TestANoticeAfterTheTurnLeavesTheAnswer(t *testing.T) {
	var out bytes.Buffer
	p := &Printer{o: Options{Out: output.Results(&out, nil), Format: Text}, session: &live.Session{}, started: time.Now()}
	at := func(turn session.TurnID) session.Head {
		return session.Head{Session: "s", Turn: turn, Gen: 1, At: time.Now()}
	}
	for _, e := range []session.Event{
		session.TurnStarted{Head: at("t"), Prompt: session.Prompt{Text: "hello"}, Origin: session.OriginUser},
		session.PartStarted{Head: at("t"), Part: "p", Kind: session.PartText}, session.PartDelta{Head: at("t"), Part: "p", Text: "the answer"},
		session.PartEnded{Head: at("t"), Part: "p"}, session.TurnEnded{Head: at("t"), Outcome: session.TurnCompleted},
		session.Notice{Head: at(""), Severity: session.Warning, Text: "This conversation is not being stored."},
	} {
		p.t.Apply(e)
	}
	if got := p.Words(); got != "the answer" {
		t.Errorf("the words are %q", got)
	}
}

// TestRefusalNamesEveryRule says of rules that are granted together all of their flags.
func TestRefusalNamesEveryRule(t *testing.T) {
	r := refusalOf(session.Asked{Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "Bash", Command: "go vet && go test",
		Rules: []session.Rule{{Text: "command go vet *\ncommand go test *"}, {Text: "command go vet && go test"}}}}, "/w")
	if want := []string{"--allow 'command go vet *' --allow 'command go test *'"}; !slices.Equal(r.Allow, want) {
		t.Errorf("%q", r.Allow)
	}
}
