package uitest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// past returns very many prompts of other sessions.
func past(many int) func(o *ui.Options) {
	return func(o *ui.Options) {
		managerOf(o).Past = func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
			start := time.Date(1999, 12, 30, 12, 0, 0, 0, time.UTC)
			first := []session.PastPrompt{
				{Text: "why does the upload test flake?\nsecond line", At: start, Dir: Dir},
				{Text: "テストが失敗する理由を調べて", At: start.Add(-time.Hour), Dir: "/home/ada/src/荷物"},
				{Text: "a very long beginning that goes on and on before it says what the flake is about", At: start.Add(-48 * time.Hour), Dir: "/srv/other"},
			}
			if !yield(first) {
				return nil
			}
			for i := range many {
				if !yield([]session.PastPrompt{{Text: fmt.Sprintf("prompt %d", i), At: start.Add(-time.Duration(100+i) * time.Hour), Dir: Dir}}) {
					return nil
				}
			}
			return nil
		}
	}
}

// TestHistorySearch looks through the prompts of all sessions and takes one into the field.
func TestHistorySearch(t *testing.T) {
	atSizes(t, Config{Options: past(0)}, func(p *Program, size string) {
		p.Type("run the flaky test again")
		p.Turn().End(session.TurnCompleted)
		p.Send("a draft")
		p.Keys("ctrl+r")
		p.Golden("search-" + size)
		p.Send("flak")
		p.Golden("search-found-" + size)
		p.Keys("ctrl+r", "ctrl+r", "ctrl+r", "up", "down")
		p.Golden("search-older-" + size)
		p.Send("zzz")
		p.Golden("search-nothing-" + size)
		p.Keys("esc")
		if !p.Has("> a draft") {
			t.Errorf("the draft is not back:\n%s", p.Text())
		}
		p.Keys("ctrl+r")
		p.Send("テスト")
		p.Keys("enter")
		if !p.Has("> テストが失敗する理由を調べて") {
			t.Errorf("the prompt was not taken:\n%s", p.Text())
		}
		p.Keys("ctrl+_")
		if !p.Has("> a draft") {
			t.Errorf("undo does not bring the draft back:\n%s", p.Text())
		}
	})
}

// TestHistorySearchStaysQuick types while tens of thousands of prompts are there: a key makes one frame and few bytes.
func TestHistorySearchStaysQuick(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40, Options: past(15_000)}, func(p *Program) {
		p.Keys("ctrl+r")
		p.Pass(5 * time.Second)
		if !p.Has("15,003 prompts") {
			t.Fatalf("not all are there:\n%s", p.Text())
		}
		counts := p.Counts()
		for range 5 {
			p.Send("9")
		}
		if now := p.Counts(); now.Frames-counts.Frames != 5 || now.Layouts != counts.Layouts {
			t.Errorf("%+v became %+v", counts, now)
		}
		p.Keys("esc")
		before := p.Counts()
		p.Pass(time.Hour)
		if now := p.Counts(); now != before {
			t.Errorf("after closing %+v became %+v", before, now)
		}
	})
}
