package mcp

//lint:file-ignore SA1019 the newest revision of the protocol drops sampling; servers of the older ones ask for it

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/internal/human"
	"parley/session"
)

// Sampling is a wish of a server that a model answers it.
type Sampling struct {
	Server string
	// Allowed means that the user's file of the server lets it have answers unasked.
	Allowed bool
	// System is the server's system prompt, Messages are what it says, in order and of texts only.
	System   string
	Messages []Words
	// MaxTokens bounds the answer. Hints are parts of names of models, the best first.
	MaxTokens int64
	Hints     []string
}

// Words is one message of a [Sampling]: of the model if Model, or else of the server's user.
type Words struct {
	Model bool
	Text  string
}

// Sampled is the answer of a model, by its id.
type Sampled struct{ Text, Model string }

// The bounds of what a server may have a model read, in messages and bytes.
const (
	maxSampled      = 100
	maxSampledBytes = 256 << 10
)

// refusal is the answer to a request that is not carried out.
func refusal(why string) error { return &jsonrpc.Error{Code: -1, Message: why} }

// samples lets a server ask for answers of a model.
func (s *server) samples(o *sdk.ClientOptions) {
	o.Capabilities.Sampling = &sdk.SamplingCapabilities{}
	o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
		return s.calls.sample(ctx, s.spec.Name, s.spec.Sampling, r.Params)
	}
}

// sampling reads a request of a server.
func sampling(server string, allowed bool, p *sdk.CreateMessageParams) (Sampling, error) {
	s := Sampling{Server: server, Allowed: allowed, System: p.SystemPrompt, MaxTokens: min(p.MaxTokens, 1<<20)}
	size := len(s.System)
	for _, m := range p.Messages {
		text, is := m.Content.(*sdk.TextContent)
		if !is {
			return s, refusal("parley samples texts only")
		}
		size += len(text.Text)
		s.Messages = append(s.Messages, Words{Model: m.Role == "assistant", Text: text.Text})
	}
	switch {
	case s.MaxTokens <= 0:
		return s, refusal("maxTokens is missing")
	case len(s.Messages) == 0 || s.Messages[len(s.Messages)-1].Model:
		return s, refusal("the last message must be of the user")
	case len(s.Messages) > maxSampled || size > maxSampledBytes:
		return s, refusal("the request is too long")
	}
	if p.ModelPreferences != nil {
		for _, hint := range p.ModelPreferences.Hints {
			if hint != nil && hint.Name != "" && len(s.Hints) < 10 {
				s.Hints = append(s.Hints, hint.Name)
			}
		}
	}
	return s, nil
}

// sample lets a model answer a server in the name of the newest call. Without a call it is refused: a server may not begin by itself.
func (c *calls) sample(ctx context.Context, server string, allowed bool, p *sdk.CreateMessageParams) (*sdk.CreateMessageResult, error) {
	s, err := sampling(server, allowed, p)
	if err != nil {
		return nil, err
	}
	one, ctx, goOn := c.pause(ctx)
	if one == nil {
		return nil, refusal("no call of a tool runs that a model could answer for")
	}
	defer goOn()
	if one.by.Sample == nil {
		return nil, refusal("sampling is not offered here")
	}
	got, err := one.by.Sample(ctx, s)
	if err != nil {
		return nil, refusal(cut(err.Error(), 300))
	}
	r := &sdk.CreateMessageResult{Role: "assistant", Model: got.Model, StopReason: "endTurn"}
	for _, stop := range p.StopSequences {
		if before, _, found := strings.Cut(got.Text, stop); found && stop != "" {
			got.Text, r.StopReason = before, "stopSequence"
		}
	}
	r.Content = &sdk.TextContent{Text: got.Text}
	return r, nil
}

// Question returns what the user is asked about a request, with the answers once, for the session, and no.
func (s Sampling) Question() session.Question {
	text := "Let the MCP server " + s.Server + " ask a model? It costs credits. It says: " + cut(strings.Join(strings.Fields(s.Messages[len(s.Messages)-1].Text), " "), 300)
	var more []string
	if n := len(s.Messages) - 1; n > 0 {
		more = append(more, human.Count(n, "earlier message", "earlier messages"))
	}
	if s.System != "" {
		more = append(more, "a system prompt")
	}
	if len(more) > 0 {
		text += " Not shown: " + strings.Join(more, " and ") + "."
	}
	return session.Question{Header: "Model", Text: text,
		Options: []session.QuestionOption{{Label: SampleOnce}, {Label: SampleHere, Description: "as often as it likes, until the session ends"}, {Label: sampleNot}}}
}

// The answers to [Sampling.Question].
const (
	SampleOnce = "Yes, once"
	SampleHere = "Yes, and don't ask again in this session"
	sampleNot  = "No"
)
