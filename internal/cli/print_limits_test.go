package cli

import (
	"strings"
	"testing"

	"parley/internal/cli/command"
	"parley/session"
)

// A turn ends at its limit, with the reason, and what it did before stays.
func TestLimitsOfATurn(t *testing.T) {
	for _, tc := range []struct{ flag, value, prompt, says string }{
		{"--max-turns", "2", "over and over", "2 requests"}, {"--max-tokens", "10", "over and over", "tokens"},
		{"--max-credits", "0.0000001", "over and over", "credits"}, {"--max-time", "1s", "slowly over and over", "limit of 1s"},
	} {
		t.Run(tc.flag, func(t *testing.T) {
			w := newWorld(t).signIn(driven)
			r, o := w.ends("", tc.flag, tc.value, "-p", "--allow", "command echo *", "--output-format", "json", tc.prompt)
			if o.code != int(command.ExitFailed) || r.Outcome != session.TurnLimit || r.Problem == nil || !strings.Contains(r.Problem.What, tc.says) ||
				!strings.Contains(o.err, tc.says) || tc.flag != "--max-time" && r.Result != "Again." {
				t.Errorf("%+v", o)
			}
		})
	}
}

// Limits count for all turns of a run: what asks for another answer begins no new count, and neither does the next prompt.
func TestLimitsOfARun(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	for _, limit := range [][]string{{"--max-turns", "1"}, {"--max-tokens", "10"}, {"--max-credits", "0.0000001"}} {
		w := newWorld(t).signIn(driven)
		r, o := w.ends("", append(limit, "-p", "--json-schema", schema, "--output-format", "json", "how many")...)
		if o.code != int(command.ExitFailed) || r.Outcome != session.TurnLimit || w.asks() != 1 {
			t.Errorf("%q: %d requests, %+v", limit, w.asks(), o)
		}
		w = newWorld(t).signIn(driven)
		prompts := `{"type":"prompt","text":"one"}` + "\n" + `{"type":"prompt","text":"two"}`
		if r, o = w.ends(prompts, append(limit, "-p", "--input-format", "stream-json")...); o.code != int(command.ExitFailed) ||
			r.Outcome != session.TurnLimit || w.asks() != 1 {
			t.Errorf("%q: %d requests, %+v", limit, w.asks(), o)
		}
	}
}

// asks counts the requests to the model.
func (w *world) asks() (n int) {
	for _, r := range w.sim.Requests() {
		if r.Messages != nil {
			n++
		}
	}
	return n
}

// An answer that is longer than one may be satisfies its schema when it was continued.
func TestContinuedAnswersSatisfyTheirSchema(t *testing.T) {
	w := newWorld(t).signIn(`
rules:
  - when: {round: 0}
    stop: max_tokens
    reply: '{"name": "har'
  - reply: 'bour"}'
`)
	const schema = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	if o := w.run("-p", "--json-schema", schema, "name it"); o.code != 0 || o.out != `{"name":"harbour"}`+"\n" {
		t.Errorf("%+v", o)
	}
	if o := w.run("-p", "name it"); o.code != 0 || o.out != `{"name": "harbour"}`+"\n" {
		t.Errorf("%+v", o)
	}
}
