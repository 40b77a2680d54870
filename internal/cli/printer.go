package cli

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/output"
	"parley/session"
	"parley/session/live"
)

// SchemaVersion is the version of the JSON that -p and `sessions show` print. It grows when a field changes its meaning or
// is removed, and not for new fields or new types of events.
const SchemaVersion = 1

// Result is what -p prints as JSON, and the last line of stream-json.
type Result struct {
	Type       string              `json:"type"` // "result"
	V          int                 `json:"v"`
	Session    session.ID          `json:"session"`
	Agent      string              `json:"agent"`
	Model      string              `json:"model,omitempty"`
	Outcome    session.TurnOutcome `json:"outcome"`
	Result     string              `json:"result"` // what the agent said last
	Problem    *session.Problem    `json:"problem,omitempty"`
	Refusals   []Refusal           `json:"refusals"`
	Usage      session.Usage       `json:"usage"`
	NanoAIU    int64               `json:"nanoAIU,omitempty"`
	DurationMS int64               `json:"durationMs"`
	ExitCode   ExitCode            `json:"exitCode"`
}

// Refusal is an ask that was refused because there was no user to answer it.
type Refusal struct {
	Tool    string `json:"tool,omitempty"`
	Subject string `json:"subject,omitempty"` // the command or path
	Kind    string `json:"kind"`
}

// printer turns the events of one turn into the chosen output. Its event method is called from the session's goroutine,
// the others from the caller's.
type printer struct {
	out    *output.Stream
	format string

	mu       sync.Mutex
	t        session.Transcript
	session  *live.Session
	refusals []Refusal
	started  time.Time
	headed   bool     // the first line of stream-json was printed
	waiting  [][]byte // events before it
	err      error    // the first failure to write
}

// begin attaches the printer. The lock keeps what happens at once from being taken in before what was.
func (p *printer) begin(s *live.Session) (detach func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	history, detach := s.Attach(p.event)
	for _, e := range history {
		p.t.Apply(e)
	}
	p.session, p.started = s, time.Now()
	if p.format == "stream-json" && p.model() != "" {
		p.head()
	}
	return detach
}

// model is the session's model, "" if that is still the agent's to choose.
func (p *printer) model() string {
	return cmp.Or(p.t.Settings.Model, p.session.Settings().Model, p.session.Meta().Model)
}

// head prints the first line, which names the model, and the events that came before the model was known.
func (p *printer) head() {
	if p.headed {
		return
	}
	p.headed = true
	m := p.session.Meta()
	p.line(struct {
		Type    string     `json:"type"`
		V       int        `json:"v"`
		Session session.ID `json:"session"`
		Agent   string     `json:"agent"`
		Dir     string     `json:"dir"`
		Model   string     `json:"model,omitempty"`
	}{"session", SchemaVersion, m.ID, m.Agent, m.Dir, p.model()})
	for _, line := range p.waiting {
		p.keep(p.out.JSONLine(line))
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

func (p *printer) event(e session.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.t.Apply(e)
	if asked, ok := e.(session.Asked); ok {
		p.refusals = append(p.refusals, refusalOf(asked))
	}
	if p.format != "stream-json" {
		return
	}
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
	p.keep(p.out.JSONLine(b))
}

// refusalOf describes an ask. Without anybody to answer, every ask is a refusal.
func refusalOf(a session.Asked) Refusal {
	r := Refusal{Kind: string(a.Kind)}
	if p := a.Permission; p != nil {
		r.Tool, r.Subject = p.Tool, p.Command
		if r.Subject == "" {
			r.Subject = p.Path
		}
	}
	return r
}

// finish prints the result in the JSON formats and returns the agent's last words.
func (p *printer) finish(e session.TurnEnded, code ExitCode) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := Result{
		Type: "result", V: SchemaVersion, Session: p.session.ID(), Agent: p.session.Meta().Agent, Outcome: e.Outcome,
		Problem: e.Problem, Refusals: p.refusals, ExitCode: code, Model: p.t.Settings.Model,
		DurationMS: time.Since(p.started).Milliseconds(),
	}
	if e.Outcome == "" {
		r.Outcome = session.TurnCancelled
	}
	if r.Refusals == nil {
		r.Refusals = []Refusal{}
	}
	if n := len(p.t.Turns); n > 0 {
		turn := p.t.Turns[n-1]
		r.Result, r.Usage, r.NanoAIU = lastWords(turn), turn.Usage, turn.NanoAIU
		if turn.Model != "" {
			r.Model = turn.Model
		}
	}
	if r.Result == "" && e.Outcome == session.TurnRefused && e.Problem != nil {
		r.Result = e.Problem.What // why nothing was answered
	}
	switch p.format {
	case "json":
		p.keep(p.out.JSON(r))
	case "stream-json":
		p.head()
		p.line(r)
	}
	return r.Result
}

// answered reports whether anything came of the last prompt: words, reasoning, a tool or a child.
func (p *printer) answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.t.Turns) == 0 {
		return false
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

// lastWords is the text after the turn's last tool call or, where there is none, the last text before it.
func lastWords(t *session.Turn) string {
	var run []string
	fresh := false // the next text begins a new run
	for _, e := range t.Entries {
		switch e := e.(type) {
		case *session.Part:
			text := strings.TrimSpace(e.Text())
			if e.Kind != session.PartText || e.Retracted || text == "" {
				continue
			}
			if fresh {
				run, fresh = nil, false
			}
			run = append(run, text)
		case *session.Tool:
			fresh = true
		}
	}
	return strings.Join(run, "\n\n")
}

func (p *printer) line(v any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = p.out.JSONLine(b)
	}
	p.keep(err)
}

func (p *printer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}
