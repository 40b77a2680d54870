package proxy

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/copilot"
	"parley/proxy/repair"
)

// adaptive is a service with one model that decides itself how much to think.
func adaptive(answer string) *fake {
	f := whole(answer)
	f.onModels = func(context.Context) ([]copilot.Model, error) {
		return []copilot.Model{{ID: "claude-opus-4.8", Endpoints: []string{copilot.EndpointMessages},
			Limits: copilot.Limits{Output: 64000}, Supports: copilot.Supports{AdaptiveThinking: true, Efforts: []string{"low"}}}}, nil
	}
	return f
}

const brokenBody = `{"model":"claude-opus-4-8","x":1,"messages":[{"role":"user","content":"hi"}],"max_tokens":9,` +
	`"thinking":{"type":"enabled","budget_tokens":5}}`

// The proxy repairs what the service would refuse, by its description of the model, and reports it to the observer.
func TestRequestsAreRepaired(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		repairs    []string
		change     func(f *fake, o *Options)
	}{
		{"repaired", `{"model":"claude-opus-4.8","messages":[{"role":"user","content":"hi"}],"max_tokens":9,"thinking":{"type":"adaptive"}}`,
			[]string{"thinking", "unknown-fields"}, func(*fake, *Options) {}},
		{"rules off", `{"model":"claude-opus-4.8","x":1,"messages":[{"role":"user","content":"hi"}],"max_tokens":9,"thinking":{"type":"adaptive"}}`,
			[]string{"thinking"}, func(_ *fake, o *Options) { o.Repair.Off = []string{"unknown-fields"} }},
		{"unknown model", `{"model":"claude-opus-4.8","messages":[{"role":"user","content":"hi"}],"max_tokens":9,"thinking":{"type":"enabled","budget_tokens":5}}`,
			[]string{"unknown-fields"}, func(f *fake, _ *Options) {
				f.onModels = func(context.Context) ([]copilot.Model, error) { return nil, errors.New("not now") }
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := adaptive(wholeAnswer)
			r := newRig(t, f, func(o *Options) { tt.change(f, o) })
			if got := r.do("POST", "/v1/messages", brokenBody); got.status != 200 {
				t.Fatal(got)
			}
			seen := r.settle()
			if got := string(f.last(t).Body); got != tt.body {
				t.Errorf("\n got %s\nwant %s", got, tt.body)
			}
			if !slices.Equal(seen.Repairs, tt.repairs) {
				t.Errorf("repairs %v", seen.Repairs)
			}
		})
	}
}

// What cannot be repaired gets an error with the service's text, and is not sent.
func TestRefusalsOfTheRepair(t *testing.T) {
	const system = `{"model":"claude-opus-4-8","messages":[{"role":"user","content":"a"},{"role":"system","content":"b"}]}`
	f := adaptive(wholeAnswer)
	r := newRig(t, f, func(o *Options) { o.Repair.SystemRole = repair.Refuse })
	got := r.do("POST", "/v1/messages", system)
	if got.status != 400 || !strings.Contains(got.body, `"message":"messages.1.role: Input should be 'user' or 'assistant'"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if messages, _ := f.calls(); messages != 0 {
		t.Error("a refused request reached the service")
	}
	r = newRig(t, f)
	if got := r.do("POST", "/v1/messages", system); got.status != 200 || !bytes.Contains(f.last(t).Body, []byte("<system-reminder>")) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Reasoning that a translated model left behind does not go to a Claude model.
func TestOwnSignaturesStayHere(t *testing.T) {
	f := adaptive(wholeAnswer)
	r := newRig(t, f)
	body := `{"model":"claude-opus-4-8","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"parley:v1:responses:e30="},{"type":"text","text":"y"}]},{"role":"user","content":"z"}]}`
	if got := r.do("POST", "/v1/messages", body); got.status != 200 || bytes.Contains(f.last(t).Body, []byte("thinking")) {
		t.Errorf("%d %s", got.status, f.last(t).Body)
	}
}

func TestStartRefusesUnknownRules(t *testing.T) {
	if _, err := start(Options{Repair: repair.Options{Off: []string{"nope"}}}, &fake{}, newClock(0, 0)); err == nil || !strings.Contains(err.Error(), `"nope"`) {
		t.Errorf("%v", err)
	}
}
