package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestPromptsAreNewestFirst reads the prompts of several journals, one of them damaged, one with a very long line.
func TestPromptsAreNewestFirst(t *testing.T) {
	s := testStore(t)
	long := strings.Repeat("long ", 30_000)
	for i, texts := range [][]string{{"one", "two"}, {"three", long, "four"}, {"five"}} {
		id := session.ID("s" + string(rune('a'+i)))
		j := mustCreate(t, s, id)
		for n, text := range texts {
			h := session.Head{Session: id, Turn: session.TurnID(text[:3]), Gen: 1, At: at(10*i + n)}
			appendAll(t, j, []session.Event{
				session.TurnStarted{Head: h, Prompt: session.Prompt{Text: text}},
				session.PartDelta{Head: h, Text: long},
				session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
			})
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(s.dir, string(id)+journalSuffix)
		if i == 2 {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.WriteString(`{"type":"turn_started","prompt":{"text":"to`)
			f.Close()
		}
		when := time.Now().Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := s.Prompts(context.Background(), func(all []session.PastPrompt) bool {
		for _, p := range all {
			got = append(got, p.Text)
		}
		return true
	})
	if want := []string{"five", "four", long, "three", "two", "one"}; err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%v, %d prompts", err, len(got))
	}
	calls := 0
	if err := s.Prompts(context.Background(), func([]session.PastPrompt) bool { calls++; return false }); err != nil || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Prompts(ctx, func([]session.PastPrompt) bool { return true }); session.KindOf(err) != session.KindCancelled {
		t.Errorf("cancelled: %v", err)
	}
}
