package spending

import (
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	now := time.Date(2026, 3, 10, 1, 0, 0, 0, time.UTC)
	var days []Day
	for _, d := range []Day{{"2026-03-10", "m", 1e9, 0}, {"2026-03-10", "n", 1e9, 5e8}, {"2026-03-10", "m", 1e9, 0}, {"2026-03-04", "m", 4e9, 0}, {"2026-03-03", "m", 8e9, 0},
		{"2026-02-08", "m", 16e9, 0}} {
		was := append([]Day(nil), days...)
		next := Add(days, d)
		for i := range was {
			if days[i] != was[i] {
				t.Error("a slice was changed")
			}
		}
		days = next
	}
	if len(days) != 5 {
		t.Errorf("%+v", days)
	}
	r := NewReport([]Session{{"builtin", "/a", days}, {"claude", "/b", []Day{{"2026-03-10", "", 2e9, 0}}}}, now)
	if r.Today != 5 || r.Week != 9 || r.Month != 17 || r.Total != 33 || r.Subagents != 0.5 || len(r.Days) != 30 || r.Days[29] != (Share{"2026-03-10", 5}) {
		t.Errorf("%+v", r)
	}
	if r.Models[0] != (Share{"m", 14}) || r.Models[1] != (Share{"", 2}) || r.Agents[0] != (Share{"builtin", 15}) || r.Dirs[1] != (Share{"/b", 2}) {
		t.Errorf("%+v", r)
	}
	if got := Chart([]Share{{"", 0}, {"", 1}, {"", 4}, {"", 8}}); got != "_▂▅█" {
		t.Error(got)
	}
	if r := NewReport(nil, now); r.Models == nil || Chart(r.Days[:2]) != "__" {
		t.Errorf("%+v", r)
	}
}
