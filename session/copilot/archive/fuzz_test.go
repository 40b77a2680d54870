package archive

import (
	"os"
	"strings"
	"testing"

	"parley/session"
)

// FuzzFiles reads damaged and hostile files: nothing fails but the call, and the same bytes always make the same events.
func FuzzFiles(f *testing.F) {
	f.Add(workspaceText, strings.Join(append([]string{begin("x")}, turn(1, "hi", "hello")...), "\n")+"\n")
	f.Add("name: &a [*a, *a]\n", `{"type":"user.message","data":7}`+"\n{}\n\x00\n")
	f.Add("", `{"type":"subagent.started","agentId":"a","data":{"parentId":"a"}}`+"\n"+`{"type":"subagent.completed","agentId":"a"}`+"\n")
	f.Fuzz(func(t *testing.T, workspace, events string) {
		h := home{t, t.TempDir()}
		if err := os.MkdirAll(h.folder(storedID), 0o755); err != nil {
			t.Fatal(err)
		}
		h.write(storedID, workspaceFile, workspace)
		h.write(storedID, eventsFile, events)
		a := New(h.dir)
		if _, err := a.Sessions(t.Context()); err != nil {
			t.Error(err)
		}
		all, err := a.Replay(t.Context(), storedID)
		if err != nil {
			t.Error(err)
		}
		session.Fold(all)
		if tail, err := a.Tail(t.Context(), storedID, int64(len(events)/2)); err == nil {
			session.Fold(tail.Events)
		}
	})
}
