package headless

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/live"
)

// The formats of the output.
const (
	Text   = "text"
	JSON   = "json"
	Stream = "stream-json"
)

// Formats are all formats of the output.
var Formats = []string{Text, JSON, Stream}

// Options configures a [Printer].
type Options struct {
	Out    *output.Stream
	Format string
	// Limits are those of the run; Figures returns what the session's requests have used so far, and nil if the agent keeps
	// to the limits itself.
	Limits  session.Limits
	Figures func() Figures
	// Each, if set, prints a result after every turn, with the exit code that it returns. Asks can be answered then. inVain is as
	// in [Printer.InVain], without its wait.
	Each func(e session.TurnEnded, inVain bool) int
}

// Printer turns the events of a session into the chosen output. Its methods are safe for concurrent use.
type Printer struct {
	o Options

	mu       sync.Mutex
	t        session.Transcript
	session  *live.Session
	first    int // the first turn of this run
	refusals []Refusal
	refused  map[session.CallID]bool         // the calls of refusals
	plan     string                          // that the agent proposed and nobody could approve
	asked    map[session.AskID]session.Asked // that can be answered
	alone    bool                            // no line can answer any more
	began    time.Time                       // of the run
	started  time.Time                       // of the turn, where there is a result after each
	headed   bool                            // the first line of stream-json was printed
	waiting  [][]byte                        // events before it
	watch    watch
	giveUp   func()            // ends the wait for agents in the background; nil before
	ended    session.TurnEnded // the newest end of a turn
	code     int               // of the newest result, where there is one after each turn
	err      error             // the first failure to make a line
	stdout   *lines            // of stream-json
}

// NewPrinter returns a printer without printing anything.
func NewPrinter(o Options) *Printer {
	return &Printer{o: o, stdout: newLines(func(b []byte) error { return o.Out.JSONLine(b) }), asked: map[session.AskID]session.Asked{}, refused: map[session.CallID]bool{}}
}

// Begin attaches the printer, once. The lock keeps what happens at once from being taken in before what was.
func (p *Printer) Begin(s *live.Session) (detach func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	history, leave := s.Attach(p.event)
	for _, e := range history {
		p.t.Apply(e)
	}
	p.session, p.began, p.first = s, time.Now(), len(p.t.Turns)
	p.started = p.began
	p.watch = watch{limits: p.o.Limits, figures: p.o.Figures, abort: p.abort}
	if p.o.Format == Stream && p.model() != "" {
		p.head()
	}
	return func() {
		leave()
		p.locked(p.watch.stop)
		_ = p.stdout.flush()
	}
}

func (p *Printer) locked(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
}

// model is the session's model, "" if that is still the agent's to choose.
func (p *Printer) model() string {
	return cmp.Or(p.t.Settings.Model, p.session.Settings().Model, p.session.Meta().Model)
}

// Session is the first line of stream-json.
type Session struct {
	Type    string     `json:"type"` // "session"
	V       int        `json:"v"`
	Session session.ID `json:"session"`
	Agent   string     `json:"agent"`
	Dir     string     `json:"dir"`
	Model   string     `json:"model,omitempty"`
}

// head prints the first line, which names the model, and the events that came before the model was known.
func (p *Printer) head() {
	if p.headed {
		return
	}
	p.headed = true
	m := p.session.Meta()
	p.line(Session{"session", session.SchemaVersion, m.ID, m.Agent, m.Dir, p.model()})
	for _, line := range p.waiting {
		p.stdout.add(line)
	}
	p.waiting = nil
}

// heads reports whether an event comes after the choice of the model, so that the first line can wait no longer.
func heads(e session.Event) bool {
	switch e.(type) {
	case session.ModelChanged, session.PartStarted, session.PartReplaced, session.ToolStarted, session.ChildStarted, session.Asked,
		session.RetryScheduled, session.TurnEnded:
		return true
	}
	return false
}

func (p *Printer) event(e session.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.t.Apply(e)
	p.watch.event(e, p.locked)
	p.note(e)
	if _, begins := e.(session.TurnStarted); begins && p.o.Each != nil {
		p.started = time.Now()
	}
	if p.o.Format == Stream {
		p.print(e)
	}
	ended, over := e.(session.TurnEnded)
	if over {
		p.ended = p.watch.judge(ended)
	}
	if over && p.o.Each != nil {
		vain, known := p.inVain()
		p.code = p.o.Each(p.ended, vain && known)
		p.head()
		p.line(p.result(p.ended, p.code, nil))
		p.refusals, p.first, p.started = nil, len(p.t.Turns), time.Now()
	}
}

// print prints an event as a line.
func (p *Printer) print(e session.Event) {
	b, err := session.EncodeEvent(e)
	if err != nil {
		p.keep(err)
		return
	}
	if heads(e) {
		p.head()
	}
	if !p.headed {
		p.waiting = append(p.waiting, b)
		return
	}
	p.stdout.add(b)
}

// Judge returns the end of a turn as it is reported: an interrupt of a turn that used up a limit is [session.TurnLimit].
func (p *Printer) Judge(e session.TurnEnded) session.TurnEnded {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watch.judge(e)
}

// Finish prints the result in the JSON formats and returns the agent's last words once all is written. structured is the answer as
// JSON, nil for none.
func (p *Printer) Finish(e session.TurnEnded, code int, structured json.RawMessage) string {
	var r Result
	p.locked(func() {
		r = p.result(e, code, structured)
		if p.o.Format == Stream {
			p.head()
			p.line(r)
		}
	})
	if p.o.Format == JSON {
		err := p.o.Out.JSON(r)
		p.locked(func() { p.keep(err) })
	}
	_ = p.stdout.flush()
	return r.Result
}

// result returns the result so far. The lock is held.
func (p *Printer) result(e session.TurnEnded, code int, structured json.RawMessage) Result {
	r := Result{
		Type: "result", V: session.SchemaVersion, Session: p.session.ID(), Agent: p.session.Meta().Agent, Outcome: e.Outcome,
		Problem: e.Problem, Refusals: p.refusals, ExitCode: code, Model: p.t.Settings.Model, Structured: structured,
		Remote: p.t.Remote, DurationMS: time.Since(p.started).Milliseconds(), Background: workOf(p.t.Background(), p.session.Meta().Dir),
	}
	if e.Outcome == "" {
		r.Outcome = session.TurnCancelled
	}
	if r.Refusals == nil {
		r.Refusals = []Refusal{}
	}
	for _, turn := range p.t.Turns[min(p.first, len(p.t.Turns)):] {
		r.Usage, r.NanoAIU = r.Usage.Add(turn.Usage), r.NanoAIU+turn.NanoAIU
		if turn.ID != "" { // what comes between turns, such as a notice, has no words
			r.Result = LastWords(turn)
		}
		if turn.Model != "" {
			r.Model = turn.Model
		}
	}
	if p.plan != "" && !strings.Contains(r.Result, p.plan) {
		r.Result = strings.TrimSpace(p.plan + "\n\n" + r.Result)
	}
	if r.Result == "" && e.Outcome == session.TurnRefused && e.Problem != nil {
		r.Result = e.Problem.What // why nothing was answered
	}
	return r
}

// Words returns the agent's last words in the newest turn.
func (p *Printer) Words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, turn := range slices.Backward(p.t.Turns) {
		if turn.ID != "" {
			return LastWords(turn)
		}
	}
	return ""
}

// Used returns what the run has used: what passed parley, and what only the agent itself reported of its requests.
func (p *Printer) Used(passed Figures) Figures {
	p.mu.Lock()
	defer p.mu.Unlock()
	return passed.and(p.watch.own)
}

// Read calls do with the transcript so far, which it must neither retain nor change.
func (p *Printer) Read(do func(t *session.Transcript)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do(&p.t)
}

// Ended returns the newest end of a turn, as [Printer.Judge] does.
func (p *Printer) Ended() session.TurnEnded {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// Code returns the exit code of the newest result, where there is one after each turn, and 0 before.
func (p *Printer) Code() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code
}

// Remote returns what is known of the session's work at a service, nil if it has none there.
func (p *Printer) Remote() *session.Remote {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.t.Remote
}

// Answered reports whether anything came of the last prompt: words, reasoning, a tool, a child, or work at a service.
func (p *Printer) Answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.t.Turns) == 0 || p.t.Remote != nil {
		return p.t.Remote != nil
	}
	last := p.t.Turns[len(p.t.Turns)-1]
	return last.Outcome == session.TurnCompleted || slices.ContainsFunc(last.Entries, func(e session.Entry) bool {
		switch e := e.(type) {
		case *session.Part:
			return !e.Retracted && strings.TrimSpace(e.Text()) != ""
		case *session.Tool, *session.Child:
			return true
		}
		return false
	})
}

// Failure returns the first failure to write, once all is written.
func (p *Printer) Failure() error {
	err := p.stdout.flush()
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.err, err)
}

// line adds a line. The lock is held.
func (p *Printer) line(v any) {
	b, err := json.Marshal(v)
	if err == nil {
		p.stdout.add(b)
	}
	p.keep(err)
}

func (p *Printer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}
