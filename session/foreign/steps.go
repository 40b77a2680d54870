package foreign

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/internal/human"
	"parley/internal/lazyregexp"
	"parley/session"
)

// stepKind is the kind of a step.
type stepKind int

// The kinds of steps. A damaged step stands for an entry that cannot be read; a stop ends a turn as the user or a failure did.
const (
	stepPrompt stepKind = iota
	stepAnswer
	stepReasoning
	stepCall
	stepResult
	stepNote
	stepStop
	stepDamaged
)

// step is a thing that was said or done in a session, in the words of no program.
type step struct {
	kind  stepKind
	at    time.Time
	text  string // what was said, the result of a call, or why the turn failed; "" for a stop by the user
	call  string // the id of a call and of its result
	name  string
	input json.RawMessage
	bad   bool // the call failed
	exit  *int // of a command
}

// message passes the steps of a message on, whose parts are a list in JSON. say makes the step of a part, which begins like s, and reports
// whether there is one. The prompts are one, which comes first if it has words. It returns false once emit does.
func message[P any](parts string, s step, emit func(step) bool, say func(part P, made *step) bool) bool {
	var all []json.RawMessage
	if json.Unmarshal([]byte(parts), &all) != nil {
		return emit(step{kind: stepDamaged})
	}
	var prompt []string
	var steps []step
	for _, raw := range all {
		var part P
		made := s
		switch {
		case json.Unmarshal(raw, &part) != nil:
			made.kind, made.text = stepDamaged, ""
		case !say(part, &made):
			continue
		case made.kind == stepPrompt:
			prompt = append(prompt, made.text)
			continue
		}
		steps = append(steps, made)
	}
	if text := strings.Join(prompt, "\n"); strings.TrimSpace(text) != "" && !emit(step{kind: stepPrompt, at: s.at, text: text}) {
		return false
	}
	for _, s := range steps {
		if !emit(s) {
			return false
		}
	}
	return true
}

// builder makes events of steps.
type builder struct {
	id      session.ID
	events  []session.Event
	turns   int
	parts   int
	turn    session.TurnID // that is open
	began   time.Time
	last    time.Time
	calls   []session.CallID            // of the turn
	open    map[string][]session.CallID // those without a result, by the ids of the program
	used    map[session.CallID]int      // how many calls have an id
	damaged int
}

func newBuilder(id session.ID) *builder {
	return &builder{id: id, open: map[string][]session.CallID{}, used: map[session.CallID]int{}}
}

func (b *builder) head() session.Head { return session.Head{Session: b.id, Turn: b.turn, At: b.last} }

func (b *builder) emit(e session.Event) { b.events = append(b.events, e) }

// add makes the events of a step.
func (b *builder) add(s step) {
	if s.at.After(b.last) {
		b.last = s.at
	}
	switch s.kind {
	case stepDamaged:
		b.damaged++
		return
	case stepPrompt:
		b.close(session.TurnCompleted, nil)
		b.start(session.OriginUser, plain(s.text))
		return
	case stepStop:
		b.stop(s.text)
		return
	case stepNote:
		b.emit(session.Notice{Head: b.head(), Severity: session.Info, Text: plain(s.text)})
		return
	}
	if b.turn == "" {
		b.start(session.OriginAutonomous, "")
	}
	switch s.kind {
	case stepAnswer:
		b.part(session.PartText, s.text)
	case stepReasoning:
		b.part(session.PartReasoning, s.text)
	case stepCall:
		b.call(s)
	case stepResult:
		b.result(s)
	}
}

// start opens a turn. Its id is its number, which stays while the program appends to the session.
func (b *builder) start(o session.Origin, prompt string) {
	b.turns++
	b.turn, b.began = session.TurnID(fmt.Sprintf("%s-%d", b.id, b.turns)), b.last
	b.emit(session.TurnStarted{Head: b.head(), Origin: o, Prompt: session.Prompt{ID: session.PromptID(b.turn), Text: prompt}})
}

// stop ends the turn as the user did, or with a failure.
func (b *builder) stop(why string) {
	if why == "" {
		b.close(session.TurnCancelled, nil)
		return
	}
	b.close(session.TurnFailed, &session.Problem{Kind: session.KindRuntime, What: plain(why)})
}

// close ends the open turn, and the calls without a result.
func (b *builder) close(how session.TurnOutcome, why *session.Problem) {
	if b.turn == "" {
		return
	}
	waiting := map[session.CallID]bool{}
	for _, ids := range b.open {
		for _, id := range ids {
			waiting[id] = true
		}
	}
	for _, id := range b.calls {
		if waiting[id] {
			b.emit(session.ToolEnded{Head: b.head(), Call: id, Outcome: session.ToolCancelled})
		}
	}
	b.calls = nil
	clear(b.open)
	b.emit(session.TurnEnded{Head: b.head(), Outcome: how, Problem: why, Duration: max(0, b.last.Sub(b.began))})
	b.turn = ""
}

func (b *builder) part(kind session.PartKind, text string) {
	if text = plain(text); strings.TrimSpace(text) == "" {
		return
	}
	b.parts++
	b.emit(session.PartReplaced{Head: b.head(), Part: session.PartID(fmt.Sprintf("p%d", b.parts)), Kind: kind, Text: text})
}

// callLetters matches what the id of a call and the name of a tool may not have where a model reads them again, and what tells calls with
// the same id apart.
var callLetters = lazyregexp.New(`[^A-Za-z0-9_-]+|--+`)

func (b *builder) call(s step) {
	id := session.CallID(limited(callLetters.ReplaceAllString(s.call, "_"), 50))
	if id == "" {
		id = "call"
	}
	if b.used[id]++; b.used[id] > 1 {
		id = session.CallID(fmt.Sprintf("%s--%d", id, b.used[id])) // no id has two dashes
	}
	name, input := translated(s.name, s.input)
	b.calls = append(b.calls, id)
	b.open[s.call] = append(b.open[s.call], id)
	b.emit(session.ToolStarted{Head: b.head(), Call: id, Name: name})
	b.emit(session.ToolReady{Head: b.head(), Call: id, Input: input})
}

// result ends the call that the result is of: the oldest open one with its id. Where a program has no ids, that is the oldest one.
func (b *builder) result(s step) {
	waiting := b.open[s.call]
	if len(waiting) == 0 {
		return
	}
	b.open[s.call] = waiting[1:]
	outcome := session.ToolOK
	if s.bad {
		outcome = session.ToolFailed
	}
	b.emit(session.ToolEnded{Head: b.head(), Call: waiting[0], Outcome: outcome, Result: session.ToolResult{Text: plain(s.text), ExitCode: s.exit}})
}

// end ends what is open and returns all events, with what could not be read of the record of a program.
func (b *builder) end(program string) []session.Event {
	b.close(session.TurnCompleted, nil)
	if b.damaged > 0 {
		b.emit(session.Notice{Head: b.head(), Severity: session.Warning, Text: program + "'s record of this session: " +
			human.Count(b.damaged, "damaged entry was", "damaged entries were") + " left out."})
	}
	return b.events
}

// plain returns a text in valid UTF-8.
func plain(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// limited returns at most n bytes of a text, whole characters.
func limited(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// firstWords returns the beginning of a text on one line.
func firstWords(s string) string {
	const longest = 200
	s = strings.Join(strings.Fields(plain(limited(s, 8*longest))), " ")
	if r := []rune(s); len(r) > longest {
		return strings.TrimSpace(string(r[:longest-1])) + "…"
	}
	return s
}
