package proxy

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"parley/copilot"
)

// failing returns a service in which the models with a kind of failure fail.
func failing(kinds map[string]copilot.Kind) *fake {
	fail := func(r copilot.Request) error {
		_, model, _ := stringAt(r.Body, "model")
		if kind := kinds[model]; kind != "" {
			return &copilot.Error{Op: "stream messages", Kind: kind, Message: "sorry"}
		}
		return nil
	}
	return &fake{
		onStream: func(_ context.Context, r copilot.Request) (frames, http.Header, error) {
			if err := fail(r); err != nil {
				return nil, nil, err
			}
			_, model, _ := stringAt(r.Body, "model")
			return newScript(step{event: "message_start", data: `{"type":"message_start","message":{"model":"` + model + `"}}`},
				step{event: "message_stop", data: `{"type":"message_stop"}`}), nil, nil
		},
		onMessage: func(_ context.Context, r copilot.Request) (*copilot.Response, error) {
			if err := fail(r); err != nil {
				return nil, err
			}
			return &copilot.Response{Body: []byte(`{"model":"claude-haiku-4.5"}`)}, nil
		},
	}
}

const (
	promptOf = `{"model":"claude-opus-4-6","stream":true,"messages":[{"role":"user","content":"a"}]}`
	resultOf = `{"model":"claude-opus-4-6","stream":true,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}`
)

// asked returns the models that requests named, in order.
func (f *fake) asked() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.requests {
		_, model, _ := stringAt(r.Body, "model")
		all = append(all, strings.TrimPrefix(model, "claude-"))
	}
	f.requests = nil
	return all
}

func TestFallbackAnswersUntilTheNextPrompt(t *testing.T) {
	kinds := map[string]copilot.Kind{"claude-opus-4.6": copilot.KindOverloaded, "claude-sonnet-4.6": copilot.KindModel}
	f := failing(kinds)
	var told []Fallback
	r := newRig(t, f, func(o *Options) {
		o.Fallback = []string{"claude-opus-4.6", "claude-sonnet-4-6", "claude-haiku-4-5"}
		o.FellBack = func(x Fallback) { told = append(told, x) }
	})
	is := func(body, want string, news int) {
		t.Helper()
		got := r.do("POST", "/v1/messages", body)
		if all := strings.Join(f.asked(), " "); got.status != 200 || all != want || len(told) != news {
			t.Errorf("%d, asked %q, want %q; %d reports; %s", got.status, all, want, len(told), got.body)
		}
		if strings.Contains(got.body, "haiku") {
			t.Errorf("the answer names another model than the request: %s", got.body)
		}
	}
	is(promptOf, "opus-4.6 sonnet-4.6 haiku-4.5", 1)
	if told[0] != (Fallback{Session: "s1", Wanted: "claude-opus-4.6", Used: "claude-haiku-4.5"}) {
		t.Errorf("reported %+v", told[0])
	}
	if x := r.settle(); x.Upstream != "claude-haiku-4.5" || x.Model != "claude-opus-4-6" {
		t.Errorf("observed %q for %q", x.Upstream, x.Model)
	}
	is(resultOf, "haiku-4.5", 1) // the turn goes on with the model that answered
	is(strings.Replace(promptOf, "true", "false", 1), "opus-4.6 sonnet-4.6 haiku-4.5", 2)
	kinds["claude-opus-4.6"] = ""
	is(promptOf, "opus-4.6", 2)
	is(resultOf, "opus-4.6", 2)
}

func TestFallbackWaitsForItsReasons(t *testing.T) {
	for kind, want := range map[copilot.Kind]string{copilot.KindQuota: "opus-4.6", copilot.KindRateLimit: "opus-4.6",
		copilot.KindModel: "opus-4.6 haiku-4.5", copilot.KindOverloaded: "opus-4.6 haiku-4.5"} {
		f := failing(map[string]copilot.Kind{"claude-opus-4.6": kind, "claude-haiku-4.5": kind})
		r := newRig(t, f, func(o *Options) { o.Fallback = []string{"claude-haiku-4.5"} })
		got := r.do("POST", "/v1/messages", promptOf)
		if all := strings.Join(f.asked(), " "); all != want || got.status < 400 {
			t.Errorf("%s: %d, asked %q, want %q", kind, got.status, all, want)
		}
	}
}

// A request that is not admitted reaches no model, and its client reads why.
func TestAdmit(t *testing.T) {
	f := failing(nil)
	var why error
	r := newRig(t, f, func(o *Options) {
		o.Admit = func(id string) error {
			if id != "s1" {
				t.Errorf("asked about %q", id)
			}
			return why
		}
	})
	if got := r.do("POST", "/v1/messages", promptOf); got.status != 200 || len(f.asked()) != 1 {
		t.Errorf("%d %s", got.status, got.body)
	}
	why = errors.New("Today's limit is reached.")
	if got := r.do("POST", "/v1/messages", promptOf); got.status != 403 || !strings.Contains(got.body, "Today's limit is reached.") || len(f.asked()) != 0 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := r.do("GET", "/v1/models", ""); got.status != 200 {
		t.Errorf("the list of models is refused: %d %s", got.status, got.body)
	}
}
