package spending

import (
	"time"

	"parley/session"
)

// Charge is what one prompt cost, in credits, as programs read it.
type Charge struct {
	Session session.ID     `json:"session"`
	Turn    session.TurnID `json:"turn"`
	// At is the time of the first cost, Prompt the first line of the text.
	At     time.Time `json:"at"`
	Prompt string    `json:"prompt"`
	Agent  string    `json:"agent"`
	Model  string    `json:"model"`
	Dir    string    `json:"dir"`
	// Credits is everything. Subagents is what child agents cost, ToolRounds what requests of the agent itself after the first did, and
	// Compaction what summaries did; the rest is the first request.
	Credits    float64 `json:"credits"`
	Subagents  float64 `json:"subagents"`
	ToolRounds float64 `json:"toolRounds"`
	Compaction float64 `json:"compaction"`
	Requests   int     `json:"requests"` // of the agent itself
}

// Charges returns what the prompts of a session cost since a time, the oldest first. What a copy took over was charged to the original.
func Charges(m session.Meta, events []session.Event, since time.Time) (all []Charge) {
	f := folder{texts: map[session.TurnID]string{}, kinds: map[session.ChildID]string{}}
	for _, e := range events {
		if c, is := e.(session.CreditsReported); is && (c.At.IsZero() || c.At.Before(m.Created)) {
			continue
		}
		f.add(e)
	}
	for _, p := range f.p.Prompts {
		if p.At.Before(since) {
			continue
		}
		all = append(all, Charge{Session: m.ID, Turn: p.Turn, At: p.At, Prompt: session.Subject(p.Text), Agent: m.Agent, Model: p.Model, Dir: m.Dir,
			Credits: credits(p.NanoAIU), Subagents: credits(p.Children), ToolRounds: credits(p.Tools), Compaction: credits(p.Compaction), Requests: p.Requests})
	}
	return all
}
