package claude

import (
	"slices"

	"parley/session"
)

// costs reports what the requests of a session cost, in nano AI units. The conversation's lock guards it.
type costs struct {
	reported int64
	turn     session.TurnID // of the newest prompt
}

// insert adds the cost since the last report to events of the running turn: before the end of the turn, otherwise at the
// end of the events. running is the head of a top-level event, spent the session's total.
func (c *costs) insert(events []session.Event, running session.Head, spent int64) []session.Event {
	if spent <= c.reported {
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

// late returns the cost since the end of the newest turn, nil if there is none: the title and requests that an interrupt
// cut off are charged later.
func (c *costs) late(head session.Head, spent int64) []session.Event {
	if spent <= c.reported || c.turn == "" {
		return nil
	}
	head.Turn = c.turn
	return []session.Event{c.report(head, spent)}
}

func (c *costs) report(head session.Head, spent int64) session.Event {
	e := session.CreditsReported{Head: head, NanoAIU: spent - c.reported}
	c.reported = spent
	return e
}
