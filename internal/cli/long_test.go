package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"parley/session"
	"parley/session/store"
)

// longJournal stores a session of so many turns, each a prompt, a call and an answer, and returns its id.
func (w *world) longJournal(turns int) string {
	w.t.Helper()
	const id = "0194a000-0000-7000-8000-000000000700"
	st := store.New(store.Options{Dir: filepath.Join(w.home, ".local/share/parley/sessions"),
		LockDir: filepath.Join(w.home, ".local/state/parley/locks")})
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	j, err := st.Create(w.t.Context(), session.Meta{ID: id, Agent: "builtin", Dir: w.dir, Created: at, Updated: at})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range turns {
		at = at.Add(time.Minute)
		h := session.Head{Session: id, Turn: session.TurnID(fmt.Sprint("t", i)), At: at}
		part, call := session.PartID(fmt.Sprint("p", i)), session.CallID(fmt.Sprint("c", i))
		text := strings.Repeat("Some words of an answer with `code` in them. ", 6)
		if i == turns-1 {
			text = "These are\n\nthe very last words"
		}
		for _, e := range []session.Event{
			session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(fmt.Sprint(i)), Text: fmt.Sprint("question ", i)},
				Origin: session.OriginUser},
			session.ToolStarted{Head: h, Call: call, Name: "Read"},
			session.ToolReady{Head: h, Call: call, Input: []byte(`{"file_path":"/repo/a.go"}`)},
			session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "a\nb\n"}},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText}, session.PartDelta{Head: h, Part: part, Text: text},
			session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted, Duration: time.Second},
		} {
			if err := j.Append(e); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	if err := j.Close(); err != nil {
		w.t.Fatal(err)
	}
	return id
}
