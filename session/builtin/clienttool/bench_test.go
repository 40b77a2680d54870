package clienttool

import (
	"context"
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
)

// BenchmarkClientTool is what a call of a tool of parley costs beyond its work: one that does nothing, from the input that the model
// wrote to the outcome.
func BenchmarkClientTool(b *testing.B) {
	w := &tool.Workspace{}
	nothing := Tools([]session.ClientTool{{Name: "nothing", Call: func(context.Context, session.ClientCall) (session.ToolResult, error) {
		return session.ToolResult{Text: "done"}, nil
	}}})[0]
	for b.Loop() {
		j, err := nothing.Prepare(w, []byte(`{"a":"b"}`))
		if err != nil {
			b.Fatal(err)
		}
		if out := j.Run(b.Context(), "c", nil); out.Result.Text != "done" {
			b.Fatal(out)
		}
	}
}
