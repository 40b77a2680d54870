package mapper

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
	"parley/session/claude/transcript"
)

// replayer turns a stored conversation into the events of its live lines. Entries go through the [Mapper]; the replayer
// adds what a transcript leaves out: where turns begin, and how they ended.
type replayer struct {
	m           *Mapper
	children    []transcript.Child
	linked      map[string]int          // children by the call that started them
	replayed    map[int]bool            // children that have been replayed
	answered    map[session.CallID]bool // calls that have a result anywhere
	names       map[string]string       // tool names by call
	ahead       resultsAhead
	read        resultReader
	endings     map[string]taskEnding // ends of background tasks, by call
	skipped     int                   // entries that could not be replayed
	contextUsed int64                 // tokens of the newest request
	turn        replayedTurn
	echo        *transcript.Entry // of a command without any effect yet
}

// replayedTurn describes the end of the running turn by its entries.
type replayedTurn struct {
	last    time.Time                   // of its newest entry
	spoke   bool                        // it has an answer
	stopped bool                        // the user interrupted it
	orphans int                         // calls without a result
	failure *line                       // the failed request that ended it
	usage   map[string]transcript.Usage // by message id
}

// Replay returns the events of a conversation, oldest first, and the number of entries that could not be replayed.
func Replay(id session.ID, entries []transcript.Entry, children []transcript.Child) ([]session.Event, int) {
	workers := 1
	if len(entries) >= minAhead {
		workers = runtime.GOMAXPROCS(0)
	}
	return replayAtOnce(id, entries, children, workers)
}

// replayAtOnce is [Replay] with that many goroutines.
func replayAtOnce(id session.ID, entries []transcript.Entry, children []transcript.Child, workers int) ([]session.Event, int) {
	r := newReplayer(id, children)
	r.look(entries)
	if workers > 1 {
		r.ahead = readAhead(entries, r.names, workers)
	}
	var out []session.Event
	for i := range entries {
		r.guarded(&entries[i])
		out = append(out, r.m.rec.Take()...)
	}
	r.end()
	if r.contextUsed > 0 {
		r.m.rec.Emit(session.ContextReported{Head: session.Head{Session: id, At: r.turn.last}, Used: r.contextUsed})
	}
	return append(out, r.m.rec.Take()...), r.skipped
}

func newReplayer(id session.ID, children []transcript.Child) *replayer {
	m := New(id, 0)
	m.SetModelNames(ListedModel)
	return &replayer{
		m: m, read: readStored, children: children, replayed: map[int]bool{}, answered: map[session.CallID]bool{},
		endings: map[string]taskEnding{}, names: map[string]string{},
		turn: replayedTurn{usage: map[string]transcript.Usage{}},
	}
}

// guarded replays one entry. A panic costs that entry and nothing else.
func (r *replayer) guarded(e *transcript.Entry) {
	defer func() {
		if recover() != nil {
			r.skipped++
		}
	}()
	r.entry(e)
}

// look collects what the first event may need: the results of calls, the children they started, and the ends of background
// tasks.
func (r *replayer) look(entries []transcript.Entry) {
	var calls []transcript.Call
	at := map[string]int{}
	scan := func(entries []transcript.Entry) {
		for i := range entries {
			e := &entries[i]
			if ending, ok := endingOf(e); ok {
				r.endings[ending.call] = ending
			}
			for _, b := range e.Blocks {
				switch b.Type {
				case "tool_use":
					r.names[b.ID] = b.Name
					if startsChild(b.Name) {
						at[b.ID] = len(calls)
						calls = append(calls, transcript.Call{ID: b.ID, Prompt: stringField(b.Input, "prompt")})
					}
				case "tool_result":
					r.answered[session.CallID(b.ToolUseID)] = true
					if n, ok := at[b.ToolUseID]; ok {
						calls[n].Agent, calls[n].Text = stringField(e.Result, "agentId"), textOf(b.Content)
					}
				}
			}
		}
	}
	scan(entries)
	for _, c := range r.children {
		scan(c.Entries)
	}
	r.linked = transcript.Link(calls, r.children)
}

// stringField returns a field of a JSON object, "" if it is missing or not a string.
func stringField(object []byte, name string) string {
	var fields map[string]json.RawMessage
	var s string
	if json.Unmarshal(object, &fields) != nil || json.Unmarshal(fields[name], &s) != nil {
		return ""
	}
	return s
}

func (r *replayer) entry(e *transcript.Entry) {
	switch e.Type {
	case "user":
		r.user(e)
	case "assistant":
		r.assistant(e)
	case "attachment":
		r.attachment(e)
	case "system":
		r.system(e)
	case "custom-title", "ai-title":
		if e.Title != "" {
			r.m.rec.Emit(session.TitleChanged{Head: session.Head{Session: r.m.rec.Head.Session, At: e.Time}, Title: e.Title})
		}
	}
}

// user replays tool results, prompts, and what the runtime writes as the user.
func (r *replayer) user(e *transcript.Entry) {
	switch {
	case r.toolResults(e, ""):
		return
	case e.Summary || e.Meta:
		return
	}
	if ending, ok := endingOf(e); ok {
		r.taskEnded(ending, e.Time)
		return
	}
	if len(e.Blocks) > 0 && strings.HasPrefix(e.Blocks[0].Text, transcript.Interrupted) {
		r.turn.stopped = true
		r.touch(e.Time)
		return
	}
	if _, ok := commandOf(e); ok {
		r.echo = e
		return
	}
	p := session.Prompt{ID: session.PromptID(e.UUID), Text: transcript.PromptText(e.Blocks), Attachments: images(e.Blocks)}
	if p.Text == "" && len(p.Attachments) == 0 {
		return
	}
	r.open(e, p)
}

// open begins the turn of a prompt.
func (r *replayer) open(e *transcript.Entry, p session.Prompt) {
	r.end()
	r.m.open(session.TurnStarted{Prompt: p, Origin: session.OriginUser}, session.TurnID(e.UUID), e.Time)
	r.m.setMode(transcribedMode(e.Mode), e.Time)
	r.turn.last = e.Time
}

// transcribedMode returns the mode that a session takes from a transcript. A file never makes a session ask less: only the
// user chooses a looser mode.
func transcribedMode(mode string) string {
	if session.Mode(mode).Loosens(session.ModeDefault) {
		return string(session.ModeDefault)
	}
	return mode
}

// images returns the images of a prompt. One that cannot be decoded stays without data.
func images(blocks []transcript.Block) []session.Attachment {
	var out []session.Attachment
	for _, b := range blocks {
		if b.Type != "image" {
			continue
		}
		data, _ := base64.StdEncoding.DecodeString(b.Data)
		out = append(out, session.Attachment{Kind: session.AttachImage, MediaType: b.MediaType, Data: data})
	}
	return out
}

// assistant replays blocks of an answer.
func (r *replayer) assistant(e *transcript.Entry) {
	if e.Model == synthetic && !e.Failed {
		if text := onlyText(e); text == afterKill || text == emptyAnswer {
			return
		}
	}
	r.openEcho(e)
	m := r.m
	if m.rec.Turn == "" {
		m.speak(e.Time)
		r.turn.last = e.Time
	}
	r.touch(e.Time)
	r.turn.spoke, r.turn.stopped = true, false
	m.reportFailure(e.Time) // of a failure that was not the end
	r.turn.failure = nil
	if e.Failed {
		r.failed(e)
		return
	}
	m.context.setModel(realModel(e.Model), e.Time)
	if e.MessageID != "" && e.Model != synthetic {
		r.turn.usage[e.MessageID] = e.Usage
		if used := e.Usage.Input + e.Usage.CacheRead + e.Usage.CacheWrite; used > 0 {
			r.contextUsed = used
		}
	}
	if !m.answers.is(e.MessageID) {
		m.answers.end(e.Time)
		m.beginAnswer(e.MessageID)
	}
	for _, b := range e.Blocks {
		if b.Type == "tool_use" && !r.answered[session.CallID(b.ID)] {
			r.turn.orphans++
		}
		block := blockFrom(b)
		if e.Model == synthetic {
			block.Text = fenced(block.Text)
		}
		m.answers.commit(block, e.Time)
	}
}

// openEcho opens the turn of a command that the model answers.
func (r *replayer) openEcho(e *transcript.Entry) {
	echo := r.echo
	r.echo = nil
	if echo == nil || e.Model == synthetic {
		return
	}
	if text, ok := commandOf(echo); ok {
		r.open(echo, session.Prompt{ID: session.PromptID(echo.UUID), Text: text})
	}
}

// afterKill is the answer that the runtime writes when it resumes after a kill.
const afterKill = "No response requested."

func onlyText(e *transcript.Entry) string {
	if len(e.Blocks) != 1 {
		return ""
	}
	return e.Blocks[0].Text
}

// failed records a failed request. It ends the turn, unless another entry follows.
func (r *replayer) failed(e *transcript.Entry) {
	plain, d, _ := errmark.Strip(onlyText(e))
	r.m.turn.failure, r.m.turn.failureText = e.Error, plain
	l := &line{Type: "result", IsError: true, Result: onlyText(e), Error: e.Error}
	if status := cmp.Or(d.Status, e.Status, statusIn(plain)); status != 0 {
		l.APIErrorStatus = &status
	}
	r.turn.failure = l
}

// statusIn returns the status in the text "API Error: 402 ...". Not every version writes it into the entry.
func statusIn(text string) int {
	var status int
	if n, _ := fmt.Sscanf(text, "API Error: %d", &status); n != 1 || status < 400 || status > 599 {
		return 0
	}
	return status
}

func blockFrom(b transcript.Block) block {
	out := block{Type: b.Type, ID: b.ID, Name: b.Name, Input: b.Input, ToolUseID: b.ToolUseID, Content: b.Content, IsError: b.IsError}
	if b.Type == "thinking" {
		out.Thinking = b.Text
	} else {
		out.Text = b.Text
	}
	return out
}

// touch extends the running turn to the time of an entry.
func (r *replayer) touch(at time.Time) {
	if r.m.rec.Turn != "" && at.After(r.turn.last) {
		r.turn.last = at
	}
}

// end ends the running turn as its entries say.
func (r *replayer) end() {
	r.echo = nil
	m := r.m
	if m.rec.Turn == "" {
		return
	}
	var u session.Usage
	for _, x := range r.turn.usage {
		u = u.Add(session.Usage{Input: x.Input, Output: x.Output, CacheRead: x.CacheRead, CacheWrite: x.CacheWrite})
	}
	if u != (session.Usage{}) {
		m.rec.Emit(session.UsageReported{Head: m.rec.At(r.turn.last), Usage: u, Model: m.context.model})
	}
	ended := session.TurnEnded{Head: m.rec.At(r.turn.last), Outcome: session.TurnCompleted}
	if !m.turn.started.IsZero() && r.turn.last.After(m.turn.started) {
		ended.Duration = r.turn.last.Sub(m.turn.started)
	}
	switch {
	case r.turn.stopped || r.turn.orphans > 0 || !r.turn.spoke:
		ended.Outcome = session.TurnCancelled
	case r.turn.failure != nil:
		ended.Outcome, ended.Problem = session.TurnFailed, problem(*r.turn.failure, r.turn.failure.Error)
		m.turn.failureText = "" // the problem says it
	}
	m.close(ended, r.turn.last)
	r.turn = replayedTurn{last: r.turn.last, usage: map[string]transcript.Usage{}}
}
