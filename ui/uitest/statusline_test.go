package uitest

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/statusline"
)

// scripted is the source of a status line that a test writes.
type scripted struct {
	mu     sync.Mutex
	output string
	told   []string
}

func (s *scripted) Find(context.Context, string) (statusline.Command, bool) {
	return statusline.Command{Line: "status"}, true
}

func (s *scripted) Filter(_ context.Context, _, _ string, input []byte, _ int) ([]byte, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var r struct {
		Model struct {
			Name string `json:"display_name"`
		} `json:"model"`
		Title string `json:"session_name"`
	}
	if err := json.Unmarshal(input, &r); err != nil {
		return nil, 1, err
	}
	s.told = append(s.told, r.Model.Name+" "+r.Title)
	return []byte(s.output + r.Title + "\n"), 0, nil
}

// TestStatusLine shows what the user's command writes, without what could drive the terminal, and runs it again for news only.
func TestStatusLine(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			line := &scripted{output: "\x1b[32m◆ acme\x1b[0m \x1b]0;owned\x07\x1b[2J\x1b[31mmain*\x1b[m "}
			Run(t, Config{Width: s.w, Height: s.h, Settings: opus, Options: func(o *ui.Options) { o.StatusLine = line }}, func(p *Program) {
				p.Pass(time.Second)
				p.Golden("statusline-" + s.name)
				p.Send("some words that are typed")
				p.Pass(5 * time.Second)
				if n := len(line.told); n != 1 {
					t.Errorf("it ran %d times although nothing changed: %q", n, line.told)
				}
				p.Keys("ctrl+u")
				p.Type("hello")
				p.Turn().End(session.TurnCompleted)
				p.Settle()
				p.Type("/rename Flaky")
				p.Pass(time.Second)
				if !p.Has("main* Flaky") {
					t.Errorf("a new title is not told:\n%s", p.Text())
				}
				line.output = ""
				p.Type("/rename " + "Other")
				p.Pass(time.Second)
				if p.Has("acme main*") {
					t.Errorf("what it wrote before stays:\n%s", p.Text())
				}
			})
		})
	}
}
