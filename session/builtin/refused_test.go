package builtin_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/script"
	"parley/session"
)

// refusedScript answers each prompt with a few words, and requests for a summary with one.
const refusedScript = `
rules:
  - name: summary
    when: {note: about to be shortened}
    reply: "## Task\nThe user says hello in several ways, and wants an answer to each."
  - name: say
    reply: "You said: {{last_user}}"
`

// refusals are how the service refuses one request as too long, by what its error says.
var refusals = map[string]script.Fault{
	"without figures": {Kind: script.FaultStatus, Status: 413},
	"with bytes":      {Kind: script.FaultStatus, Status: 413, Message: "Request body is larger than 900 bytes"},
}

// A prompt that the service refuses as too long while there is nothing to summarise fails alone: it is left out of the next
// request, and the chat goes on, also in another process.
func TestRefusedPromptFailsAlone(t *testing.T) {
	for name, fault := range refusals {
		for _, words := range []int{0, 3000, 20000} {
			for before := range 3 {
				for _, resumed := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s, %d words, turn %d, resumed %v", name, words, before+1, resumed), func(t *testing.T) {
						refuseOne(t, fault, "too much "+strings.Repeat("pasted words ", words), before, resumed)
					})
				}
			}
		}
	}
}

// refuseOne lets the service refuse one prompt after so many turns, and sends others.
func refuseOne(t *testing.T, fault script.Fault, paste string, before int, resumed bool) {
	l := newLongRunOf(t, refusedScript, 4<<20)
	l.open("")
	ask := func(text string) session.TurnEnded {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		end, err := l.conv.Ask(ctx, session.Prompt{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	for range before {
		if end := ask("hello"); end.Outcome != session.TurnCompleted {
			t.Fatalf("%+v", end.Problem)
		}
	}
	if err := l.sim.Inject(fault); err != nil {
		t.Fatal(err)
	}
	end := ask(paste)
	if end.Outcome != session.TurnFailed || end.Problem.Kind != session.KindTooLong ||
		!strings.Contains(end.Problem.What, "left out of the next request") {
		t.Errorf("%s %+v", end.Outcome, end.Problem)
	}
	if resumed {
		id := l.conv.ID()
		l.close()
		l.open(id)
	}
	for _, text := range []string{"another", "/compact", "and another"} {
		if end := ask(text); end.Outcome != session.TurnCompleted {
			t.Errorf("%s: %+v", text, end.Problem)
		}
	}
	for i, r := range l.sim.Requests() {
		if r.Path != "/v1/messages" || r.Status == fault.Status {
			continue
		}
		if r.Status != 200 || strings.Contains(string(r.Body), "too much") {
			t.Errorf("request %d, %d: has the refused prompt, or was refused", i, r.Status)
		}
	}
	l.close()
}
