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

// replayer turns a stored conversation into the events it once made. What entries say goes through the functions of the
// [Mapper] that live messages go through; the replayer adds what a transcript does not say by itself: where turns begin
// and how they ended.
type replayer struct {
	m        *Mapper
	children []transcript.Child
	linked   map[string]int          // children by the call that started them
	told     map[int]bool            // children whose conversation was told already
	answered map[session.CallID]bool // calls that have a result anywhere
	names    map[string]string       // of the tools that were called, by call
	ahead    resultsAhead
	notes    map[string]taskNote // how background tasks ended, by call
	left     int                 // entries that could not be replayed
	used     int64               // tokens of the context window that the newest request took

	// of the running turn
	last    time.Time // of the newest entry that counts for its duration
	spoke   bool      // something was answered
	orphans int       // calls of the turn without a result
	stopped bool      // the user interrupted it
	failure *line     // the failed request that ended it
	usage   map[string]transcript.Usage
	echo    *transcript.Entry // of a command that has not shown any effect yet
}

// Replay returns the events of a conversation, oldest first, and how many entries could not be replayed.
func Replay(id session.ID, entries []transcript.Entry, children []transcript.Child) ([]session.Event, int) {
	workers := 1
	if len(entries) >= worthAhead {
		workers = runtime.GOMAXPROCS(0)
	}
	return replayAtOnce(id, entries, children, workers)
}

// replayAtOnce replays with so many processors.
func replayAtOnce(id session.ID, entries []transcript.Entry, children []transcript.Child, workers int) ([]session.Event, int) {
	r := newReplayer(id, children)
	r.look(entries)
	if workers > 1 {
		r.ahead = readAhead(entries, r.names, workers)
	}
	var out []session.Event
	for i := range entries {
		r.guarded(&entries[i])
		out = append(out, r.m.take()...)
	}
	r.end()
	if r.used > 0 {
		r.m.emit(session.ContextReported{Head: session.Head{Session: id, At: r.last}, Used: r.used})
	}
	return append(out, r.m.take()...), r.left
}

func newReplayer(id session.ID, children []transcript.Child) *replayer {
	m := New(id, 0)
	m.SetModelNames(ListedModel)
	return &replayer{
		m: m, children: children, told: map[int]bool{}, answered: map[session.CallID]bool{},
		notes: map[string]taskNote{}, names: map[string]string{}, usage: map[string]transcript.Usage{},
	}
}

// guarded replays one entry. A failure costs that entry and nothing else.
func (r *replayer) guarded(e *transcript.Entry) {
	defer func() {
		if recover() != nil {
			r.left++
		}
	}()
	r.entry(e)
}

// look gathers what has to be known before the first event: which calls have results, which started children, and how
// background tasks ended.
func (r *replayer) look(entries []transcript.Entry) {
	var calls []transcript.Call
	at := map[string]int{}
	scan := func(entries []transcript.Entry) {
		for i := range entries {
			e := &entries[i]
			if note, ok := noteOf(e); ok {
				r.notes[note.call] = note
			}
			for _, b := range e.Blocks {
				switch b.Type {
				case "tool_use":
					r.names[b.ID] = b.Name
					if b.Name == "Agent" || b.Name == "Task" {
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

// stringField returns a field of a JSON object, "" if there is none or it is no string.
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
			r.m.emit(session.TitleChanged{Head: session.Head{Session: r.m.head.Session, At: e.Time}, Title: e.Title})
		}
	}
}

// user replays what came from the user's side: results of tools, prompts, and what the runtime writes in the user's name.
func (r *replayer) user(e *transcript.Entry) {
	switch {
	case r.toolResults(e, ""):
		return
	case e.Summary || e.Meta:
		return
	}
	if note, ok := noteOf(e); ok {
		r.taskEnded(note, e.Time)
		return
	}
	if len(e.Blocks) > 0 && strings.HasPrefix(e.Blocks[0].Text, transcript.Interrupted) {
		r.stopped = true
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
	r.m.open(session.TurnID(e.UUID), p, session.OriginUser, e.Time)
	r.m.setMode(transcribedMode(e.Mode), e.Time)
	r.last = e.Time
}

// transcribedMode returns the mode that a session takes over from a transcript. A file may make a session ask about more
// and never about less: a mode that loosens is the choice of the user of this program alone.
func transcribedMode(mode string) string {
	if session.Mode(mode).Loosens(session.ModeDefault) {
		return string(session.ModeDefault)
	}
	return mode
}

// images restores the images of a prompt.
func images(blocks []transcript.Block) []session.Attachment {
	var out []session.Attachment
	for _, b := range blocks {
		if b.Type != "image" {
			continue
		}
		// One that cannot be decoded is still shown to have been there.
		data, _ := base64.StdEncoding.DecodeString(b.Data)
		out = append(out, session.Attachment{Kind: session.AttachImage, MediaType: b.MediaType, Data: data})
	}
	return out
}

// assistant replays blocks of an answer.
func (r *replayer) assistant(e *transcript.Entry) {
	if e.Model == synthetic && !e.Failed {
		if text := onlyText(e); text == nothingToSay || text == nothingSaid {
			return
		}
	}
	r.openEcho(e)
	m := r.m
	if m.turn == "" {
		m.speak(e.Time)
		r.last = e.Time
	}
	r.touch(e.Time)
	r.spoke, r.stopped = true, false
	m.tell(e.Time) // the words of a failure that was not the end
	r.failure = nil
	if e.Failed {
		r.failed(e)
		return
	}
	m.setModel(normalModel(e.Model), e.Time)
	if e.MessageID != "" && e.Model != synthetic {
		r.usage[e.MessageID] = e.Usage
		if used := e.Usage.Input + e.Usage.CacheRead + e.Usage.CacheWrite; used > 0 {
			r.used = used
		}
	}
	if m.msg == nil || m.msg.raw != e.MessageID {
		m.endAnswer(e.Time)
		m.begin(e.MessageID)
	}
	for _, b := range e.Blocks {
		if b.Type == "tool_use" && !r.answered[session.CallID(b.ID)] {
			r.orphans++
		}
		block := blockFrom(b)
		if e.Model == synthetic {
			block.Text = fenced(block.Text)
		}
		m.commit(block, e.Time)
	}
}

// openEcho opens a turn for a command that the model answers.
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

// nothingToSay is what the runtime makes the model say when it goes on after having been killed.
const nothingToSay = "No response requested."

func onlyText(e *transcript.Entry) string {
	if len(e.Blocks) != 1 {
		return ""
	}
	return e.Blocks[0].Text
}

// failed takes note of a failed request. It ends the turn, unless more comes.
func (r *replayer) failed(e *transcript.Entry) {
	plain, d, _ := errmark.Strip(onlyText(e))
	r.m.failed, r.m.excuse = e.Error, plain
	l := &line{Type: "result", IsError: true, Result: onlyText(e), Error: e.Error}
	if status := cmp.Or(d.Status, e.Status, statusIn(plain)); status != 0 {
		l.APIErrorStatus = &status
	}
	r.failure = l
}

// statusIn finds the status in "API Error: 402 ...", as the runtime writes it: the entry itself does not tell it in every
// version.
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

// touch counts an entry for the duration of the running turn.
func (r *replayer) touch(at time.Time) {
	if r.m.turn != "" && at.After(r.last) {
		r.last = at
	}
}

// end ends the running turn as the entries say it ended.
func (r *replayer) end() {
	r.echo = nil
	m := r.m
	if m.turn == "" {
		return
	}
	var u session.Usage
	for _, x := range r.usage {
		u = u.Add(session.Usage{Input: x.Input, Output: x.Output, CacheRead: x.CacheRead, CacheWrite: x.CacheWrite})
	}
	if u != (session.Usage{}) {
		m.emit(session.UsageReported{Head: m.at(r.last), Usage: u, Model: m.model})
	}
	ended := session.TurnEnded{Head: m.at(r.last), Outcome: session.TurnCompleted}
	if !m.started.IsZero() && r.last.After(m.started) {
		ended.Duration = r.last.Sub(m.started)
	}
	switch {
	case r.stopped || r.orphans > 0 || !r.spoke:
		ended.Outcome = session.TurnCancelled
	case r.failure != nil:
		ended.Outcome, ended.Problem = session.TurnFailed, problem(*r.failure, r.failure.Error)
		m.excuse = "" // the problem says it
	}
	m.close(ended, r.last)
	r.spoke, r.stopped, r.orphans, r.failure, r.usage = false, false, 0, nil, map[string]transcript.Usage{}
}
