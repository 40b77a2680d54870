package process

import (
	"slices"

	"parley/session"
)

// Costs reports what the requests of a session cost, in nano AI units, from a total that a meter counts. Its owner guards it.
type Costs struct {
	// Reported is the sum of the costs that have been reported.
	Reported int64
	// Turn is the turn of the newest prompt.
	Turn session.TurnID
}

// Insert adds the cost since the last report to events of the running turn: before the end of the turn, otherwise at the
// end of the events. running is the head of a top-level event, spent the session's total.
func (c *Costs) Insert(events []session.Event, running session.Head, spent int64) []session.Event {
	if spent <= c.Reported {
		return events
	}
	i := slices.IndexFunc(events, func(e session.Event) bool { _, ends := e.(session.TurnEnded); return ends })
	switch {
	case i >= 0:
		running = events[i].Header()
	case running.Turn != "":
		i = len(events)
	default:
		return events
	}
	return slices.Insert(events, i, c.report(running, spent))
}

// Late returns the cost since the end of the newest turn, nil if there is none: the title and requests that an interrupt
// cut off are charged later.
func (c *Costs) Late(head session.Head, spent int64) []session.Event {
	if spent <= c.Reported || c.Turn == "" {
		return nil
	}
	head.Turn = c.Turn
	return []session.Event{c.report(head, spent)}
}

func (c *Costs) report(head session.Head, spent int64) session.Event {
	e := session.CreditsReported{Head: head, NanoAIU: spent - c.Reported}
	c.Reported = spent
	return e
}
