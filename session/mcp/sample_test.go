package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A server that asks a model is answered only where the caller lets it, and only about texts within a bound.
func TestSampling(t *testing.T) {
	p := open(t, quick(), program(t, "prog", "samples"))
	p.Await(t.Context())
	var asked []Sampling
	lets := func(_ context.Context, s Sampling) (Sampled, error) {
		asked = append(asked, s)
		return Sampled{Text: "42 END and more", Model: "small"}, nil
	}
	for input, c := range map[string]struct {
		by   Caller
		want string
	}{
		`{"tokens":50}`:                {Caller{Sample: lets}, `small says "42 ", stopSequence`},
		`{"tokens":51}`:                {Caller{}, "sampling is not offered here"},
		`{"tokens":52}`:                {Caller{Sample: func(context.Context, Sampling) (Sampled, error) { return Sampled{}, errors.New("the user said no") }}, "the user said no"},
		`{"tokens":0}`:                 {Caller{Sample: lets}, "maxTokens is missing"},
		`{"tokens":-5}`:                {Caller{Sample: lets}, "maxTokens is missing"},
		`{"tokens":50,"picture":true}`: {Caller{Sample: lets}, "parley samples texts only"},
	} {
		if r, err := p.call("sample", input, c.by); err != nil || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s: %q, %v", input, r.Text, err)
		}
	}
	if got := fmt.Sprintf("%+v", asked); got != "[{Server:prog Allowed:false System:Be brief. Messages:[{Model:false Text:What is six times seven?}] MaxTokens:50 Hints:[gemini-9 haiku]}]" {
		t.Error(got)
	}
}

// What a server asks ends with its call, also if the server does not end it, and before the call returns.
func TestSamplingEndsWithItsCall(t *testing.T) {
	p := open(t, quick(), program(t, "prog", "samples"))
	p.Await(t.Context())
	ctx, abort := context.WithCancel(t.Context())
	ended := make(chan struct{})
	by := Caller{Sample: func(ctx context.Context, _ Sampling) (Sampled, error) {
		abort()
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Error("a model still answers for a call that was aborted")
		}
		close(ended)
		return Sampled{}, ctx.Err()
	}}
	i := slices.IndexFunc(p.Tools(Reach{Shared: true}), func(tool *Tool) bool { return tool.Own == "sample" })
	if _, err := p.Call(ctx, p.Tools(Reach{Shared: true})[i], json.RawMessage(`{"tokens":50,"stubborn":true}`), by); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("the call returned before the answer of the model had ended")
	}
}

// The question says what of a request it does not show.
func TestQuestionOfSampling(t *testing.T) {
	user := []Words{{Text: "one"}, {Model: true, Text: "two"}, {Text: "three\n four"}}
	const begins = "Let the MCP server depot ask a model? It costs credits. It says: three four"
	for want, s := range map[string]Sampling{
		begins:                                  {Messages: user[2:]},
		begins + " Not shown: a system prompt.": {System: "x", Messages: user[2:]},
		begins + " Not shown: 1 earlier message.":                      {Messages: user[1:]},
		begins + " Not shown: 2 earlier messages and a system prompt.": {System: "x", Messages: user},
	} {
		s.Server = "depot"
		if got := s.Question().Text; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
