package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
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
