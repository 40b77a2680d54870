package session

// index holds the reducer's lookup tables, so that a delta costs a lookup and an append however long the transcript is.
type index struct {
	turns    map[TurnID]*turnSpot
	parts    map[PartID]*spot[*Part]
	tools    map[CallID]*spot[*Tool]
	children map[ChildID]*spot[*Child]
	asks     map[AskID]*spot[*Ask]
}

// turnSpot is where a turn lies. A turn that was only implied by an event is not announced.
type turnSpot struct {
	at        int
	announced bool
}

// spot is where an entry lies.
type spot[E Entry] struct {
	it E
	at place
	// said is the turn its announcement named, which may differ from the turn it lies in.
	said TurnID
	// announced is false if the entry was only implied by something that named it.
	announced bool
	// closed says that the end of the turn ended the entry, not its own end: a late result may still come.
	closed bool
	// committed says that the part's text is final.
	committed bool
}

// place is a position in the transcript: the turn, the top-level entry of that turn, and the child whose entries hold it.
type place struct {
	turn, entry int
	child       ChildID
}

// Change says what an applied event touched, so that a view derives anew only that.
type Change struct {
	// Turn is the position in Transcript.Turns of the first turn touched, -1 for none.
	Turn int
	// Entry is the position in that turn's Entries of the top-level entry touched (for something inside a child, the
	// child's), -1 if the turn itself changed or none. The end of a turn may close several of its entries at once: it says
	// -1, and their revisions tell which.
	Entry int
	// Meta says that something outside the turns changed: title, settings, queue, asks, usage, quotas, todos, runtime.
	Meta bool
	// Dropped says that the event was ignored: an old generation, a duplicate, or an id never announced.
	Dropped bool
}

var (
	nothing = Change{Turn: -1, Entry: -1, Dropped: true}
	onlyIn  = func(turn int) Change { return Change{Turn: turn, Entry: -1} }
	onMeta  = Change{Turn: -1, Entry: -1, Meta: true}
)

func touched(p place) Change { return Change{Turn: p.turn, Entry: p.entry} }

// Apply folds one event into the transcript and says what it touched. It is the only thing that changes a transcript,
// never fails, and depends on nothing but the transcript and the event. A delta costs the same however long the
// transcript is.
//
// Events that keep the order promised at [Event] are folded as they say. For all others these rules hold:
//
//   - An event of an older generation than the newest seen is dropped; generation 0 means "not said" and always counts.
//   - Text is never lost. Content of an unknown turn opens the turn, content of an unknown child announces the child, a
//     delta of an unknown part opens a text part. A later announcement of the same id fills in what was missing.
//   - A second announcement, a second end, and anything for a tool or ask never announced are dropped. A part or call id
//     that is announced again in another turn is a new part or call.
//   - A delta after the part's end is appended; after PartReplaced or PartRetracted it is dropped.
//   - Whatever belongs to a known part, call or child goes where that was announced, whichever turn its head names.
//   - What names no turn goes to the running turn, else to a turn with an empty id at the end.
//   - The end of a turn ends its open parts. If it was cancelled or failed, it also ends its open calls and children as
//     cancelled, save background children; their real end still counts if it comes late. After any other outcome open
//     calls stay open, because their result may come in a later turn.
//   - The end of a turn settles no ask; whoever asked does that.
func (t *Transcript) Apply(e Event) Change {
	if e == nil {
		return nothing
	}
	h := e.Header()
	if h.Gen != 0 && h.Gen < t.Gen {
		return nothing
	}
	c := t.dispatch(e)
	if c.Dropped {
		return c
	}
	t.Gen = max(t.Gen, h.Gen)
	if t.Session == "" {
		t.Session = h.Session
	}
	t.Revision++
	return c
}

// dispatch folds e without looking at its generation.
func (t *Transcript) dispatch(e Event) Change {
	switch e := e.(type) {
	case TurnStarted:
		return t.turnStarted(e)
	case TurnEnded:
		return t.turnEnded(e)
	case PartStarted:
		return t.partStarted(e)
	case PartDelta:
		return t.partDelta(e)
	case PartEnded:
		return t.partEnded(e)
	case PartReplaced:
		return t.partReplaced(e)
	case PartRetracted:
		return t.partRetracted(e)
	case ToolStarted:
		return t.toolStarted(e)
	case ToolInput:
		return t.toolInput(e)
	case ToolReady:
		return t.toolReady(e)
	case ToolOutput:
		return t.toolOutput(e)
	case ToolEnded:
		return t.toolEnded(e)
	case Asked:
		return t.asked(e)
	case Settled:
		return t.settled(e)
	case ChildStarted:
		return t.childStarted(e)
	case ChildEnded:
		return t.childEnded(e)
	case Queued:
		return t.queued(e)
	case Steered:
		return t.steered(e)
	case Unqueued:
		return t.unqueued(e.Prompt)
	case Requeued:
		return t.requeued(e)
	case RetryScheduled:
		return t.retryScheduled(e)
	case UsageReported:
		return t.usageReported(e)
	case CreditsReported:
		return t.creditsReported(e)
	case Notice, Compacted:
		return t.mark(e.Header(), &Mark{Event: e})
	default:
		return t.dispatchMeta(e)
	}
}

// turn returns the turn an event belongs to, opening it if it is not known.
func (t *Transcript) turn(h Head) int {
	if h.Turn == "" {
		return t.unnamedTurn(h)
	}
	if s := t.index.turns[h.Turn]; s != nil {
		return s.at
	}
	return t.addTurn(&Turn{ID: h.Turn, Started: h.At}, false)
}

// unnamedTurn returns the turn for what names none: the newest if it runs or is itself without an id, else a new one.
func (t *Transcript) unnamedTurn(h Head) int {
	if n := len(t.Turns); n > 0 {
		if last := t.Turns[n-1]; last.ID == "" || last.Running() {
			return n - 1
		}
	}
	t.Turns = append(t.Turns, &Turn{Started: h.At, Revision: 1})
	return len(t.Turns) - 1
}

func (t *Transcript) addTurn(n *Turn, announced bool) int {
	n.Revision = 1
	t.Turns = append(t.Turns, n)
	at := len(t.Turns) - 1
	if t.index.turns == nil {
		t.index.turns = map[TurnID]*turnSpot{}
	}
	t.index.turns[n.ID] = &turnSpot{at: at, announced: announced}
	return at
}

// put appends an entry where its head says: to the entries of its child if it has one, else to its turn.
func (t *Transcript) put(h Head, e Entry) place {
	if h.Child != "" {
		s := t.child(h)
		s.it.Entries = append(s.it.Entries, e)
		t.bump(h.Child)
		return place{turn: s.at.turn, entry: s.at.entry, child: h.Child}
	}
	at := t.turn(h)
	turn := t.Turns[at]
	turn.Entries = append(turn.Entries, e)
	return place{turn: at, entry: len(turn.Entries) - 1}
}

// bump raises the revision of a child and of all children around it.
func (t *Transcript) bump(id ChildID) {
	for id != "" {
		s := t.index.children[id]
		if s == nil {
			return
		}
		s.it.rev++
		id = s.it.Parent
	}
}

// going takes back the turn's retry once something comes.
func (t *Transcript) going(at int) {
	if turn := t.Turns[at]; turn.Retry != nil {
		turn.Retry = nil
		turn.Revision++
	}
}

// mark files a line that is neither answer nor tool.
func (t *Transcript) mark(h Head, m *Mark) Change {
	m.At, m.rev = h.At, 1
	return touched(t.put(h, m))
}

// Fold makes the transcript of a list of events.
func Fold(events []Event) *Transcript {
	t := &Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	return t
}
