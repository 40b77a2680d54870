package builtin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/builtin/files"
	"parley/session/builtin/tool"
)

// BenchmarkToolCall measures a Read of a small file: the job alone, and in turns of two requests with one call and with
// eleven, of which the difference is that of ten calls.
func BenchmarkToolCall(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("one\ntwo\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("job alone", func(b *testing.B) {
		w := &tool.Workspace{Dir: dir, Files: tool.NewFileLog()}
		for b.Loop() {
			j, err := files.Read.Prepare(w, []byte(`{"file_path":"a"}`))
			if err != nil {
				b.Fatal(err)
			}
			if out := j.Run(b.Context(), "c", func(string) {}); out.How != session.ToolOK {
				b.Fatal(out)
			}
		}
	})
	for _, calls := range []int{1, 11} {
		b.Run(fmt.Sprintf("turn with %d calls", calls), func(b *testing.B) {
			ended := 0
			s := newService(b)
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				c := openBench(b, s, dir, func(e session.Event) {
					if e, ok := e.(session.ToolEnded); ok && e.Outcome == session.ToolOK {
						ended++
					}
				})
				var all [][3]string
				for i := range calls {
					all = append(all, [3]string{fmt.Sprint("c", i), "Read", `{"file_path":"a"}`})
				}
				s.add(callsReply(all...), says("done"))
				b.StartTimer()
				turn := session.TurnID(fmt.Sprint("t", n))
				if err := c.Send(context.Background(), turn, session.Prompt{ID: session.PromptID(turn), Text: "x"}, session.OriginUser); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if ended != calls {
					b.Fatal(ended)
				}
				ended = 0
				if err := c.Close(context.Background()); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// openBench opens a conversation in a directory without a test around it.
func openBench(b *testing.B, s *fakeService, dir string, emit func(session.Event)) session.Conversation {
	o := Options{Models: func(context.Context) ([]session.Model, error) { return testModels, nil }, Home: filepath.Join(dir, "nowhere")}
	c, err := New(o).Open(context.Background(), session.OpenOptions{Session: "s", Gen: 1, Dir: dir, Emit: emit,
		Endpoint: session.Endpoint{BaseURL: s.server.URL, Bearer: "secret.s"}, Settings: session.Settings{Mode: session.ModeBypass}})
	if err != nil {
		b.Fatal(err)
	}
	return c
}
