package builtin

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"parley/session"
	"parley/session/builtin/apierror"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
)

// maxSearches bounds the searches that one call may cost.
const maxSearches = 3

// Search searches the web: one request whose only tool is the hosted search, for which the endpoint chooses the model.
func (h host) Search(ctx context.Context, q tool.Query) (tool.Found, error) {
	l := h.l
	model, _ := l.asked.Load().(string)
	hosted := anthropic.WebSearchTool20250305Param{MaxUses: anthropic.Int(maxSearches), AllowedDomains: q.Allowed, BlockedDomains: q.Blocked}
	request := anthropic.MessageNewParams{Model: model, MaxTokens: 4096,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(q.Text))},
		Tools:    []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &hosted}}}
	for attempt := 1; ; attempt++ {
		var response *http.Response
		client := l.c.client()
		m, err := client.Messages.New(ctx, request, option.WithResponseInto(&response), option.WithHeader("X-Initiator", byAgent))
		l.c.limits(l, response)
		if err == nil {
			return found(l, m), nil
		}
		err = apierror.Failed(err, l.c.o.Now())
		delay, again := apierror.RetryDelay(err, attempt)
		if ctx.Err() != nil || !again || attempt >= l.c.o.MaxAttempts {
			return tool.Found{}, err
		}
		if err := l.c.sleep(ctx, delay); err != nil {
			return tool.Found{}, err
		}
	}
}

// found returns what the message of a search says, and accounts for it.
func found(l *loop, m *anthropic.Message) tool.Found {
	var cost struct {
		Usage struct {
			NanoAIU json.Number `json:"total_nano_aiu"`
		} `json:"copilot_usage"`
	}
	_ = json.Unmarshal([]byte(m.RawJSON()), &cost) // what the SDK has read
	price, _ := cost.Usage.NanoAIU.Float64()
	f := tool.Found{NanoAIU: int64(price)}
	accountFor(l, mapper.Answer{NanoAIU: f.NanoAIU, Usage: session.Usage{Input: m.Usage.InputTokens, Output: m.Usage.OutputTokens,
		CacheRead: m.Usage.CacheReadInputTokens, CacheWrite: m.Usage.CacheCreationInputTokens}}, string(m.Model), 0, false)
	var said []string
	failed := false
	for _, b := range m.Content {
		switch b := b.AsAny().(type) {
		case anthropic.TextBlock:
			said = append(said, b.Text)
		case anthropic.WebSearchToolResultBlock:
			failed = failed || b.Content.ErrorCode != ""
			for _, p := range b.Content.OfWebSearchResultBlockArray {
				f.Pages = append(f.Pages, tool.Page{URL: p.URL, Title: p.Title})
			}
		}
	}
	f.Text = strings.Join(said, "\n\n")
	if failed && len(f.Pages) == 0 {
		f.Text, f.Refused = "", f.Text
	}
	return f
}
