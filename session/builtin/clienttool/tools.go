package clienttool

import (
	"context"
	"encoding/json"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/clienttools"
	"parley/session/toolview"
)

// Tools returns tools of parley as the agent has them.
func Tools(given []session.ClientTool) []*tool.Tool {
	var all []*tool.Tool
	for _, t := range given {
		all = append(all, &tool.Tool{Name: t.Name, Kind: toolview.Describe(t.Name, nil, "").Kind, Description: t.Description, Schema: string(t.Schema),
			Private: t.Private, Client: true, Prepare: func(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) { return prepare(w, t, input) }})
	}
	return all
}

// prepare returns the job of a call.
func prepare(w *tool.Workspace, t session.ClientTool, input json.RawMessage) (*tool.Job, error) {
	var fields map[string]json.RawMessage
	if err := tool.DecodeInput(input, &fields); err != nil {
		return nil, err
	}
	return &tool.Job{Run: func(ctx context.Context, id session.CallID, _ func(string)) tool.Outcome {
		call := session.ClientCall{ID: id, Input: input, Ask: func(ctx context.Context, q session.QuestionAsk) session.Answer {
			return w.Host.Put(ctx, id, session.Asked{Kind: session.AskQuestion, Question: &q})
		}}
		words, err := clienttools.Run(ctx, func(ctx context.Context) (session.ToolResult, error) { return t.Call(ctx, call) })
		switch {
		case ctx.Err() != nil:
			return tool.Cancelled
		case err != nil:
			return tool.Failed("%s", err)
		}
		return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: words}}
	}}, nil
}
