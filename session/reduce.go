package session

// index holds the lookup tables of the reducer, so that a delta costs one lookup and one append at any length.
type index struct {
	turns    map[TurnID]*turnSpot
	parts    map[PartID]*spot[*Part]
	tools    map[CallID]*spot[*Tool]
	children map[ChildID]*spot[*Child]
	asks     map[AskID]*spot[*Ask]
	agents   map[CallID]ChildID // children by the calls that started them
	behind   running            // what runs in the background, see [Transcript.Background]
	past     running            // what ran there
}

// turnSpot is the position of a turn. A turn that an event only implied is not announced.
type turnSpot struct {
	at        int
	announced bool
}

// spot is an entry with its position.
type spot[E Entry] struct {
	it E
	at place
	// said is the turn of its announcement, which may differ from the turn that contains it.
	said TurnID
	// announced is false for an entry that an event only implied.
	announced bool
}

// place is a position in the transcript: the turn, its top-level entry, and the child whose entries contain it.
type place struct {
	turn, entry int
	child       ChildID
}

// Change names the parts that an applied event touched, so that a view updates only those.
type Change struct {
	// Turn is the position in Transcript.Turns of the first turn touched, -1 for none.
	Turn int
	// Entry is the position of the top-level entry touched in that turn's Entries, -1 for the turn itself or none. It is the
	// child's position for something within a child. The end of a turn may close several entries; it is -1 then, and the
	// revisions show which.
	Entry int
	// Meta reports whether something outside the turns changed: title, settings, queue, asks, usage, quotas, todos, runtime.
	Meta bool
	// Marked reports whether a mark was also appended as the last entry of the last turn.
	Marked bool
	// Dropped reports whether the event was ignored: an old generation, a duplicate, or an unknown id.
	Dropped bool
}

var (
	nothing = Change{Turn: -1, Entry: -1, Dropped: true}
	onlyIn  = func(turn int) Change { return Change{Turn: turn, Entry: -1} }
	onMeta  = Change{Turn: -1, Entry: -1, Meta: true}
)

// metaIf returns the change of something outside the turns, if there was one.
func metaIf(changed bool) Change {
	if !changed {
		return nothing
	}
	return onMeta
}

func touched(p place) Change { return Change{Turn: p.turn, Entry: p.entry} }

// Apply folds one event into the transcript and returns what it touched. Nothing else changes a transcript. It never fails,
// and depends only on the transcript and the event. A delta costs the same at any length of the transcript.
//
// Events in the order promised at [Event] need no rules. For all others:
//
//   - An event of an older generation than the newest seen is dropped; generation 0 means unknown and always counts.
//   - Text is never lost. Content of an unknown turn opens the turn, content of an unknown child announces the child, a
//     delta of an unknown part opens a text part. A later announcement of the same id fills in what was missing.
//   - A second announcement, a second end, and anything for a tool or ask never announced are dropped. A part or call id
//     that is announced again in another turn is a new part or call.
//   - A delta after the part's end is appended; after PartReplaced or PartRetracted it is dropped.
//   - An event of a known part, call or child goes where that was announced, whatever turn its head names.
//   - An event without a turn goes to the running turn, else to a turn with an empty id at the end.
//   - The end of a turn ends its open parts. If it was cancelled or failed, it also ends its open calls and children as
//     cancelled, save background children; their real end still counts if it comes late. After any other outcome open
//     calls stay open, because their result may come in a later turn.
//   - The end of a turn settles no ask; the agent does.
//   - A call whose result says Background takes output and another end. That end, and that of a child in the background,
//     also appends a mark to the newest turn if it runs, else to a turn with an empty id behind it.
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

// dispatch folds an event of any generation.
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
		return t.changePart(t.index.parts[e.Part], func(p *Part) bool { return p.end(e) })
	case PartReplaced:
		return t.partReplaced(e)
	case PartRetracted:
		return t.changePart(t.index.parts[e.Part], (*Part).retract)
	case ToolStarted:
		return t.toolStarted(e)
	case ToolInput:
		return t.changeTool(e.Call, func(tool *Tool) bool { return tool.addInput(e) })
	case ToolReady:
		return t.changeTool(e.Call, func(tool *Tool) bool { return tool.setInput(e) })
	case ToolOutput:
		return t.changeTool(e.Call, func(tool *Tool) bool { return tool.addOutput(e) })
	case ToolEnded:
		return t.toolEnded(e)
	case FilesChanged:
		return t.filesChanged(e)
	case Asked:
		return t.asked(e)
	case Settled:
		return t.settled(e)
	case RuleRevoked:
		return metaIf(t.Revoked.add(Revocation{Ask: e.Ask, Rule: e.Rule}))
	case ChildStarted:
		return t.childStarted(e)
	case ChildEnded:
		return t.childEnded(e)
	case Queued:
		return metaIf(t.Queue.add(e.Prompt))
	case Steered:
		return t.steered(e)
	case Unqueued:
		_, changed := t.Queue.remove(e.Prompt)
		return metaIf(changed)
	case Requeued:
		return metaIf(t.Queue.move(e.Prompt, e.Before))
	case RetryScheduled:
		return t.retryScheduled(e)
	case UsageReported:
		return t.usageReported(e)
	case CreditsReported:
		return t.creditsReported(e)
	case Notice, Compacted, Reminded:
		return t.mark(e.Header(), &Mark{Event: e})
	default:
		return t.dispatchMeta(e)
	}
}

// turn returns the turn of an event, and opens an unknown one.
func (t *Transcript) turn(h Head) int {
	if h.Turn == "" {
		return t.unnamedTurn(h)
	}
	if s := t.index.turns[h.Turn]; s != nil {
		return s.at
	}
	return t.addTurn(&Turn{ID: h.Turn, Started: h.At}, false)
}

// unnamedTurn returns the turn of an event without one: the newest if it runs or has no id, else a new one.
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

// put appends an entry to its child, else to its turn.
func (t *Transcript) put(h Head, e Entry) place {
	if h.Child != "" {
		s := t.child(h)
		s.it.Entries = append(s.it.Entries, e)
		t.index.bump(h.Child)
		return place{turn: s.at.turn, entry: s.at.entry, child: h.Child}
	}
	at := t.turn(h)
	turn := t.Turns[at]
	turn.Entries = append(turn.Entries, e)
	return place{turn: at, entry: len(turn.Entries) - 1}
}

// bump raises the revision of a child and of all children around it.
func (x *index) bump(id ChildID) {
	for id != "" {
		s := x.children[id]
		if s == nil {
			return
		}
		s.it.rev++
		id = s.it.Parent
	}
}

// mark appends a mark.
func (t *Transcript) mark(h Head, m *Mark) Change {
	m.At, m.rev = h.At, 1
	return touched(t.put(h, m))
}

// Fold returns the transcript of events.
func Fold(events []Event) *Transcript {
	t := &Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	return t
}
