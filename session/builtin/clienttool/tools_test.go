package clienttool

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

func TestTools(t *testing.T) {
	all := Tools([]session.ClientTool{
		{Name: "session_search", Schema: []byte(`{"type":"object"}`), Private: true, Call: func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: string(c.ID) + string(c.Input)}, nil
		}},
		{Name: "notify", Call: func(context.Context, session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{}, errors.New("no desktop")
		}}})
	if len(all) != 2 || all[0].Kind != toolview.Other || !all[0].Private || all[1].Kind != toolview.Ask || all[1].Private {
		t.Fatalf("%+v", all)
	}
	if _, err := all[0].Prepare(nil, json.RawMessage(`[1]`)); err == nil {
		t.Error("a list was taken for an input")
	}
	for i, want := range []session.ToolResult{{Text: `c1{"words":"x"}`}, {Text: "no desktop"}} {
		job, err := all[i].Prepare(nil, json.RawMessage(`{"words":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		out := job.Run(t.Context(), "c1", nil)
		if out.Result.Text != want.Text || (out.How == session.ToolOK) != (i == 0) {
			t.Errorf("%+v", out)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	job, _ := all[0].Prepare(nil, json.RawMessage(`{}`))
	if out := job.Run(ctx, "c1", nil); out.How != session.ToolCancelled {
		t.Errorf("%+v", out)
	}
}
