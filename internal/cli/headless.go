package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/session"
	"parley/session/export"
	"parley/session/live"
	"parley/ui/md"
)

// SchemaVersion is the version of what -p and `sessions show` print as JSON. It grows when a field changes its meaning or
// goes away; new fields and new types of events may come without.
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

// Refusal is an ask that was refused because nobody was there to answer.
type Refusal struct {
	Tool    string `json:"tool,omitempty"`
	Subject string `json:"subject,omitempty"` // the command or path
	Kind    string `json:"kind"`
}

// answer runs one prompt without a screen.
func (a *app) answer(ctx context.Context, f rootFlags, dir, prompt string) error {
	if _, err := a.keyBindings(); err != nil {
		return err // as every other mistake in the configuration
	}
	client, err := a.signedIn(ctx)
	if err != nil {
		return err
	}
	s, err := a.newServices(ctx, client, true)
	if err != nil {
		return err
	}
	defer s.closeSoon(ctx)
	s.sweep(ctx)
	for _, notice := range s.agent.notices {
		a.complain(notice)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	s.check = func(ctx context.Context, agent string, v session.Settings) error {
		return a.checkChosen(ctx, s.catalog, agent, v, true)
	}
	conv, prompt, err := a.headlessSession(ctx, s, f, dir, prompt)
	if sig, ok := errors.AsType[signalled](context.Cause(ctx)); ok && err != nil {
		return exitError{sig.code()}
	}
	if err != nil {
		return err
	}
	p := &printer{out: a.out, format: f.output}
	if !f.cont && !f.resume {
		defer a.forgetUnanswered(ctx, s, p)
	}
	detach := p.begin(conv)
	ended, err := conv.Ask(ctx, session.Prompt{Text: prompt})
	detach()
	if sig, ok := errors.AsType[signalled](context.Cause(ctx)); ok {
		p.finish(ended, sig.code())
		return exitError{sig.code()}
	}
	if err != nil {
		return err
	}
	return a.report(p, ended)
}

// forgetUnanswered deletes the session that this run began and in which nothing was answered: there is nothing to go on
// with, and its prompt stands on the command line.
func (a *app) forgetUnanswered(ctx context.Context, s *services, p *printer) {
	if p.session == nil || p.answered() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	id := p.session.ID()
	err := p.session.Close(ctx)
	if err == nil {
		err = s.store.Remove(ctx, id)
	}
	if archive := a.claudeArchive(); archive != nil && p.session.Meta().Agent == "claude" {
		err = errors.Join(err, archive.Remove(ctx, id))
	}
	if err != nil {
		s.log.Info("a run without an answer leaves its session", "session", id, "error", err)
	}
}

// headlessSession opens the session that -p speaks in, and returns what is left of the prompt.
func (a *app) headlessSession(ctx context.Context, s *services, f rootFlags, dir, prompt string) (*live.Session, string, error) {
	switch {
	case f.cont:
		id, ok, missing, err := newestSession(ctx, s, dir)
		a.complainAll(missing)
		if err == nil && !ok {
			err = &session.Error{Op: "continue", Kind: session.KindNotFound, Err: errors.New("there is no session of this directory yet")}
		}
		if err != nil {
			return nil, "", err
		}
		conv, err := a.resumeSession(ctx, s, id)
		return conv, prompt, err
	case f.resume:
		id, rest, _ := strings.Cut(prompt, " ")
		list, missing, err := listAll(ctx, s.manager)
		if err != nil {
			return nil, "", err
		}
		a.complainAll(missing)
		found, err := live.Match(list, id)
		if err != nil {
			return nil, "", err
		}
		if strings.TrimSpace(rest) == "" {
			return nil, "", usagef("-p -r ID needs words after the id")
		}
		conv, err := a.resumeSession(ctx, s, found)
		return conv, rest, err
	default:
		o, err := a.draftOptions(s.agent.name, dir)
		if err != nil {
			return nil, "", err
		}
		if err := s.check(ctx, o.Agent, o.Settings); err != nil {
			return nil, "", err
		}
		conv, err := s.manager.Draft(o)
		return conv, prompt, err
	}
}

// report prints the end of the turn and turns it into the program's exit.
func (a *app) report(p *printer, ended session.TurnEnded) error {
	code := outcomeCode(ended)
	text := p.finish(ended, code)
	if p.format == "text" && text != "" {
		if err := a.printMarkdown(text); err != nil {
			return err
		}
	}
	if ended.Problem != nil {
		if text != ended.Problem.What || p.format != "text" {
			a.complain(ended.Problem.What)
		}
		if ended.Problem.Next != "" {
			a.err.message(ended.Problem.Next)
		}
	}
	if code != ExitOK {
		return exitError{code}
	}
	return p.err
}

func outcomeCode(e session.TurnEnded) ExitCode {
	switch e.Outcome {
	case session.TurnCompleted:
		return ExitOK
	case session.TurnRefused:
		return ExitRefused
	case session.TurnCancelled:
		return ExitInterrupt
	}
	if e.Problem != nil {
		if code := codeOfKind(e.Problem.Kind); code != ExitUsage {
			return code
		}
	}
	return ExitFailed
}

// printer turns the events of one turn into the chosen output. Its event method is called from the session's goroutine,
// the others from the caller's.
type printer struct {
	out    *output
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
		p.keep(p.out.jsonLine(line))
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
	p.keep(p.out.jsonLine(b))
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
		p.keep(writeJSON(p.out, r))
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
		err = p.out.jsonLine(b)
	}
	p.keep(err)
}

func (p *printer) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

// printMarkdown prints markdown: on a terminal laid out as in the chat, elsewhere as it is.
func (a *app) printMarkdown(text string) error {
	if f := a.out.terminal(); f != nil {
		return a.renderMarkdown(f, text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// printConversation prints a conversation as printMarkdown does, piece by piece.
func (a *app) printConversation(m session.Meta, t *session.Transcript) error {
	f := a.out.terminal()
	if f == nil {
		return a.exportConversation(m, t)
	}
	first := true
	for piece := range export.MarkdownPieces(m, t) {
		if !first { // between the blocks of two pieces as between those of one
			if _, err := io.WriteString(f, "\n"); err != nil {
				return err
			}
		}
		first = false
		if err := a.renderMarkdown(f, piece); err != nil {
			return err
		}
	}
	return nil
}

// exportConversation prints the source of a conversation.
func (a *app) exportConversation(m session.Meta, t *session.Transcript) error {
	for piece := range export.MarkdownPieces(m, t) {
		if _, err := io.WriteString(a.out, piece); err != nil {
			return err
		}
	}
	return nil
}

// renderMarkdown lays text out for the terminal f, in as many colours as it has. The dark theme is the default because
// asking the terminal for its background would swallow keys typed ahead for the next command.
func (a *app) renderMarkdown(f *os.File, text string) error {
	theme := md.Dark()
	if name := a.themeName(); name != "auto" {
		t, err := md.LoadTheme(name)
		if err != nil {
			a.complain(err.Error() + "; this is the dark one") // what was answered is worth more
		} else {
			theme = t
		}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 20 {
		width = 80
	}
	rows := md.Render(text, md.Options{Width: min(width, 100), Theme: theme})
	w := colorprofile.NewWriter(f, a.environ)
	_, err = io.WriteString(w, strings.Join(rows, "\n")+"\n")
	return err
}

// closeSoon closes the services within a bound, whatever became of ctx. A second signal ends the program at once.
func (s *services) closeSoon(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	end, stop := signal.NotifyContext(end, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := s.close(end); err != nil {
		s.log.Warn("closing took too long or failed", "error", err)
	}
}

// closeTime is how long sessions get to end before the program goes anyway.
const closeTime = 10 * time.Second
