package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// maxQuery bounds a query, in bytes.
const maxQuery = 1000

// Search searches the web with the login's plan.
var Search = &tool.Tool{
	Name: "WebSearch", Kind: toolview.Fetch,
	Description: "Searches the web and gives an answer with the pages that it is from; read those that matter with WebFetch. Use it for " +
		"what is newer than you know, such as versions, errors and changes of interfaces, and not for what the project's files say. A search " +
		"costs credits of the user: one precise query is better than several. Name the pages in your answer.",
	Schema: `{"type":"object","properties":{` +
		`"query":{"type":"string","description":"What to search for"},` +
		`"allowed_domains":{"type":"array","items":{"type":"string"},"description":"Use pages of these domains only"},` +
		`"blocked_domains":{"type":"array","items":{"type":"string"},"description":"Use no page of these domains"}},` +
		`"required":["query"],"additionalProperties":false}`,
	Prepare: prepareSearch,
}

func prepareSearch(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Query   string   `json:"query"`
		Allowed []string `json:"allowed_domains"`
		Blocked []string `json:"blocked_domains"`
	}
	if err := tool.DecodeInput(input, &in, "query"); err != nil {
		return nil, err
	}
	q := tool.Query{Text: strings.TrimSpace(in.Query), Allowed: in.Allowed, Blocked: in.Blocked}
	if n := utf8.RuneCountInString(q.Text); n < 2 || len(q.Text) > maxQuery {
		return nil, tool.Errorf("A query has 2 to %d characters, not %d.", maxQuery, n)
	}
	return &tool.Job{Run: func(ctx context.Context, id session.CallID, _ func(string)) tool.Outcome {
		return searched(ctx, w, id, q)
	}}, nil
}

// searched returns the outcome of a search.
func searched(ctx context.Context, w *tool.Workspace, id session.CallID, q tool.Query) tool.Outcome {
	found, err := w.Host.Search(ctx, q)
	switch {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return tool.Cancelled
	case err != nil:
		return tool.Failed("The search failed: %s", oneLine(err.Error()))
	case found.Refused != "":
		out := tool.Failed("%s\nDo not try again; go on with what you know and say that you could not search.", found.Refused)
		out.Result.Summary = "not available"
		return out
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(found.Text))
	if len(found.Pages) > 0 {
		b.WriteString("\n\nPages:")
	}
	for _, p := range found.Pages {
		fmt.Fprintf(&b, "\n- %s\n  %s", oneLine(p.Title), oneLine(p.URL))
	}
	out := page{address: "Web search for " + oneLine(q.Text), text: b.String()}.result(w, id, 0)
	out.Result.Summary = human.Count(len(found.Pages), "page", "pages")
	if found.NanoAIU > 0 {
		out.Result.Summary += ", " + fmt.Sprintf("%.2f credits", float64(found.NanoAIU)/1e9)
	}
	return out
}
