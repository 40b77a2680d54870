package spending

import (
	"cmp"
	"slices"
	"time"
)

// Day is what a session cost on one day with one model.
type Day struct {
	Day   string `json:"day"` // local, such as "2026-03-01"
	Model string `json:"model,omitempty"`
	// NanoAIU is the cost, of which child agents reported Children; 1e9 are a credit.
	NanoAIU  int64 `json:"nanoAIU"`
	Children int64 `json:"children,omitempty"`
}

// Add returns days with a cost added. It does not change the slice that it gets.
func Add(days []Day, d Day) []Day {
	days = slices.Clone(days)
	for i, o := range slices.Backward(days) {
		if o.Day == d.Day && o.Model == d.Model {
			days[i].NanoAIU += d.NanoAIU
			days[i].Children += d.Children
			return days
		}
	}
	return append(days, d)
}

// Session is what one session cost.
type Session struct {
	Agent, Dir string
	Days       []Day
}

// Report says what all stored sessions cost, in credits.
type Report struct {
	// Today is the local day, Week and Month are the last 7 and 30 days with it, Total is everything.
	Today float64 `json:"today"`
	Week  float64 `json:"week"`
	Month float64 `json:"month"`
	Total float64 `json:"total"`
	// Subagents is the part of Month that child agents reported.
	Subagents float64 `json:"subagents"`
	// Days are the last 30 days, oldest first, Models, Agents and Dirs what they cost by name, the most first.
	Days   []Share `json:"days"`
	Models []Share `json:"models"`
	Agents []Share `json:"agents"`
	Dirs   []Share `json:"directories"`
}

// Share is what a day, a model, an agent or a directory cost, in credits. Name is empty where it is not known.
type Share struct {
	Name    string  `json:"name"`
	Credits float64 `json:"credits"`
}

const (
	dayFormat = time.DateOnly
	month     = 30
)

// NewReport adds up sessions.
func NewReport(all []Session, now time.Time) Report {
	var r Report
	sums := map[string]int64{}
	models, agents, dirs := map[string]int64{}, map[string]int64{}, map[string]int64{}
	var total, children int64
	first := now.AddDate(0, 0, 1-month).Format(dayFormat)
	for _, s := range all {
		for _, d := range s.Days {
			total += d.NanoAIU
			if d.Day < first {
				continue
			}
			sums[d.Day] += d.NanoAIU
			children += d.Children
			models[d.Model] += d.NanoAIU
			agents[s.Agent] += d.NanoAIU
			dirs[s.Dir] += d.NanoAIU
		}
	}
	var week, whole int64
	for ago := month - 1; ago >= 0; ago-- {
		day := now.AddDate(0, 0, -ago).Format(dayFormat)
		whole += sums[day]
		if ago < 7 {
			week += sums[day]
		}
		r.Days = append(r.Days, Share{day, credits(sums[day])})
	}
	r.Today, r.Week, r.Month, r.Total = r.Days[month-1].Credits, credits(week), credits(whole), credits(total)
	r.Subagents = credits(children)
	r.Models, r.Agents, r.Dirs = shares(models), shares(agents), shares(dirs)
	return r
}

func credits(nano int64) float64 { return float64(nano) / 1e9 }

// shares sorts what things cost.
func shares(of map[string]int64) []Share {
	all := []Share{}
	for name, nano := range of {
		all = append(all, Share{name, credits(nano)})
	}
	slices.SortFunc(all, func(a, b Share) int { return cmp.Or(cmp.Compare(b.Credits, a.Credits), cmp.Compare(a.Name, b.Name)) })
	return all
}

// Chart draws shares as a row of bars, one cell each, the highest full; a share of nothing is a low line.
func Chart(all []Share) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	most := 0.0
	for _, s := range all {
		most = max(most, s.Credits)
	}
	row := make([]rune, len(all))
	for i, s := range all {
		row[i] = '_'
		if s.Credits > 0 {
			row[i] = bars[min(int(s.Credits/most*float64(len(bars))), len(bars)-1)]
		}
	}
	return string(row)
}
