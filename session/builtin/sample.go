package builtin

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/wire"
	"parley/session/mcp"
)

// sample lets a model answer an MCP server: the first usable one that its hints name, or else that of the session. Its credits count,
// and a run that has reached a limit asks no more.
func sample(ctx context.Context, c *conversation, s mcp.Sampling) (mcp.Sampled, error) {
	if _, over := c.top.spent.Round(c.o.Now(), false); over != nil {
		return mcp.Sampled{}, errors.New(over.What)
	}
	models := c.models(ctx)
	model := wire.ChooseModel(models, c.current().Model)
	for _, hint := range s.Hints {
		if i := slices.IndexFunc(models, func(m session.Model) bool { return m.Unusable == "" && strings.Contains(m.ID, hint) }); i >= 0 {
			model = models[i]
			break
		}
	}
	plain := model
	plain.AdaptiveThinking, plain.MaxThinking = false, 0 // its answer has a bound of the server's
	var messages []wire.Message
	for _, m := range s.Messages {
		role := "user"
		if m.Model {
			role = "assistant"
		}
		messages = append(messages, wire.Message{Role: role, Content: []wire.Content{{Type: "text", Text: m.Text}}})
	}
	system := "An MCP server, a program that the user's agent works with, asks. Answer it with text only." // the API wants one
	if s.System != "" {
		system = s.System
	}
	r := wire.NewRequest(plain, "", system, nil, messages)
	r.MaxTokens = min(r.MaxTokens, s.MaxTokens)
	text, err := listenTo(ctx, c.top, r)
	return mcp.Sampled{Text: text, Model: model.ID}, err
}
