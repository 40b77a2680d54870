package delegate

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/handover"
	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
	"parley/ui/textarea"
)

// options configure a form.
type options struct {
	Look *style.Look
	Keys *keymap.Map
	Dir  string
	// Statement is the text with which the form begins. Summarize writes a better one that goes on from Words; nil: there is none.
	Statement, Words string
	Summarize        func(ctx context.Context, emit func(text string)) error
	// Target returns the defaults for the directory, and Local its work; both may block. Local may be nil.
	Target func(ctx context.Context) (session.RemoteTarget, error)
	Local  handover.Local
	// Suffix tells a branch that is pushed from others.
	Suffix string
	// Stays offers to stay in this session, and Beside does so first.
	Stays, Beside bool
	// Prepared is the prompt that the form is about, and Plan the ask; nil for none.
	Prepared *core.Prepared
	Plan     *session.Ask
}

// field is a row of the form.
type field int

const (
	statement field = iota
	repository
	base
	agent
	work
	after
)

// phase is the state of the form.
type phase int

const (
	editing     phase = iota
	summarizing       // the statement is being written by the agent
	pushing
)

// form is the open form. The event loop owns it.
type form struct {
	room  *Command
	o     options
	draft handover.Draft
	text  *textarea.Composer
	lines map[field]*style.LineInput
	at    field
	open  bool // show the new session
	phase phase

	summary summary
	note    string // about the statement
	trouble string // why the draft cannot be handed over
	looked  bool   // the work of the directory is known, or cannot be
	touched map[field]bool

	push context.CancelFunc
	done bool // it was handed over
}

type (
	lookedMsg struct {
		target session.RemoteTarget
		work   *handover.Work
		err    error // why the repository is not known
	}
	pushedMsg struct {
		branch string
		err    error
	}
)

// newForm returns a form and the command that fills it in.
func newForm(room *Command, o options) (*form, panel.Cmd) {
	f := &form{room: room, o: o, text: textarea.New(textarea.Looks{}), lines: map[field]*style.LineInput{repository: {}, base: {}, agent: {}},
		open: !o.Beside, touched: map[field]bool{}}
	f.draft.Suffix = o.Suffix
	f.text.Load(o.Statement)
	if o.Summarize == nil {
		return f, f.look
	}
	f.phase = summarizing
	return f, panel.Batch(f.look, f.summarize())
}

// look finds out where the work would be done and what is only here.
func (f *form) look(ctx context.Context) tea.Msg {
	var m lookedMsg
	m.target, m.err = f.o.Target(ctx)
	if f.o.Local != nil {
		if w, err := f.o.Local.Look(ctx, f.o.Dir); err == nil {
			m.work = &w
		}
	}
	return m
}

// took fills in what is known of the directory, except where the user wrote meanwhile.
func (f *form) took(m lookedMsg) {
	f.looked = true
	f.draft.Target = m.target
	if m.work != nil {
		f.draft.Take(*m.work)
	}
	target := f.draft.Target
	for at, text := range map[field]string{repository: target.Repository, base: target.Base, agent: target.Agent} {
		if !f.touched[at] {
			f.lines[at].Set(text)
		}
	}
	if m.err != nil && !f.touched[repository] {
		f.trouble = style.Visible(style.OneLine(session.ProblemOf(m.err, f.o.Look.Now()).What))
	}
	f.at = min(f.at, f.last())
}

// fields returns the fields that are shown.
func (f *form) fields() []field {
	all := []field{statement, repository, base, agent}
	if f.draft.Missing() != "" {
		all = append(all, work)
	}
	if f.o.Stays {
		all = append(all, after)
	}
	return all
}

func (f *form) last() field {
	all := f.fields()
	return all[len(all)-1]
}

// step goes to the next or previous field.
func (f *form) step(by int) {
	all := f.fields()
	i := slices.Index(all, f.at)
	f.at = all[(i+by+len(all))%len(all)]
	if f.at == base && f.draft.Send != nil { // what is pushed is the base
		f.step(by)
	}
}

// current returns the draft as it is written now.
func (f *form) current() *handover.Draft {
	f.draft.Statement = f.text.Value()
	f.draft.Target = session.RemoteTarget{Repository: f.lines[repository].String(), Base: f.lines[base].String(), Agent: f.lines[agent].String()}
	return &f.draft
}

// Close puts what the form is about back into the field, or keeps its statement for the next one, unless it was handed over.
func (f *form) Close() panel.Effect {
	switch {
	case f.done:
	case f.o.Prepared != nil:
		return panel.Restore{Prompt: *f.o.Prepared}
	case f.o.Plan == nil:
		f.room.kept = f.text.Value()
	}
	return nil
}

// Update handles a key, a paste, or the result of a command.
func (f *form) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.press(msg)
	case tea.PasteMsg:
		f.paste(msg.Content)
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "The editor failed: " + msg.Err.Error(), Warn: true}, nil
		}
		f.text.SetValue(msg.Text)
		f.at, f.trouble = statement, ""
	case lookedMsg:
		f.took(msg)
	case summaryMsg:
		return nil, f.summarized(msg)
	case pushedMsg:
		return f.pushed(msg), nil
	default:
		return panel.Pass{}, nil
	}
	return nil, nil
}

// hand hands the draft over, after a push if there is one, unless something is wrong with it.
func (f *form) hand() (panel.Effect, panel.Cmd) {
	f.stopSummary()
	d := f.current()
	if at, text := d.Problem(); text != "" {
		f.trouble = text
		f.at = map[handover.Field]field{handover.StatementField: statement, handover.RepositoryField: repository, handover.BaseField: base, handover.WorkField: work}[at]
		return nil, nil
	}
	f.trouble = ""
	p, pushes := d.Push()
	if !pushes {
		return f.handed(d.Prompt("")), nil
	}
	f.phase = pushing
	w, local := *d.Work, f.o.Local
	push, stop := panel.Stoppable(func(ctx context.Context) tea.Msg {
		done, err := local.Push(ctx, w, p)
		return pushedMsg{done.Branch, err}
	})
	f.push = stop
	return nil, push
}

// pushed hands the draft over once its base is there.
func (f *form) pushed(m pushedMsg) panel.Effect {
	f.phase = editing
	if m.err != nil {
		f.trouble = "Couldn't push: " + style.Visible(style.OneLine(m.err.Error()))
		if f.push = nil; context.Canceled == m.err {
			f.trouble = "The push was stopped. Nothing was handed over."
		}
		return nil
	}
	return f.handed(f.current().Prompt(m.branch))
}

// handed sends a prompt: in this session if that is a new one of the agent at the service, else in another.
func (f *form) handed(p session.Prompt) panel.Effect {
	if held := f.o.Prepared; held != nil {
		f.done = true
		next := *held
		p.Attachments = held.Prompt.Attachments
		next.Prompt, next.Draft, next.Steer = p, core.DraftOf(session.Prompt{Text: p.Text}), false
		return panel.All{panel.Pop{}, panel.Post{Prompt: next}}
	}
	s, err := core.Begin(f.room.Manager, f.o.Dir, p)
	if err != nil {
		f.trouble = style.Visible(style.OneLine(session.ProblemOf(err, f.o.Look.Now()).What))
		return nil
	}
	f.done, f.room.kept = true, ""
	return panel.All{panel.Pop{}, panel.Delegated{Session: s, Plan: f.o.Plan, Open: f.open, Then: f.room.await(s, false)}}
}
