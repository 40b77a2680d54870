package delegate

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/handover"
	"parley/session"
	"parley/ui/compose"
	"parley/ui/keymap"
	"parley/ui/style"
)

// Panel is what covers the chat: a [Form] or a [Comment].
type Panel interface {
	// Update handles a key, a paste or the result of a command.
	Update(msg tea.Msg) (Action, tea.Cmd)
	// Rows returns at most height rows, and the cell of the cursor, -1, -1 for none.
	Rows(width, height int) (rows []string, cx, cy int)
	// Close ends what the panel began.
	Close()
}

// Action is what the root carries out within the call that returned it. nil is nothing.
type Action interface{ action() }

type (
	// Closed reports that the user closed the form. Statement is what was written.
	Closed struct{ Statement string }
	// Edit opens a text in the user's editor, for [Form.Edited].
	Edit struct{ Text string }
	// Handed hands a prompt over; Open shows its session in the place of this one.
	Handed struct {
		Prompt session.Prompt
		Open   bool
	}
)

func (Closed) action() {}
func (Edit) action()   {}
func (Handed) action() {}

// Options are what a form works with.
type Options struct {
	Look *style.Look
	Keys *keymap.Map
	// Context ends what runs in the background.
	Context context.Context
	Dir     string
	// Statement is what the form begins with. Summarize writes a better one that goes on from Words; nil: there is none.
	Statement, Words string
	Summarize        func(ctx context.Context, emit func(text string)) error
	// Target returns the defaults for the directory, and Local its work; both may block. Local may be nil.
	Target func(ctx context.Context) (session.RemoteTarget, error)
	Local  handover.Local
	// Suffix tells a branch that is pushed from others.
	Suffix string
	// Stays offers to stay in this session, and Beside does so first.
	Stays, Beside bool
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

// phase is what the form does.
type phase int

const (
	editing     phase = iota
	summarizing       // the statement is being written by the agent
	pushing
)

// Form is the open form. The event loop owns it.
type Form struct {
	o     Options
	draft handover.Draft
	text  *compose.Composer
	lines map[field]*style.LineInput
	at    field
	open  bool // show the new session
	phase phase

	summary summary
	note    string // about the statement
	trouble string // why the draft cannot be handed over
	looked  bool   // the work of the directory is known, or cannot be
	touched map[field]bool

	life context.Context
	end  context.CancelFunc
	push context.CancelFunc
}

// formMsg is the result of a command of a form.
type formMsg interface{ Of() Panel }

type (
	lookedMsg struct {
		of     *Form
		target session.RemoteTarget
		work   *handover.Work
		err    error // why the repository is not known
	}
	pushedMsg struct {
		of     *Form
		branch string
		err    error
	}
)

// Of returns the form that looked.
func (m lookedMsg) Of() Panel { return m.of }

// Of returns the form that pushed.
func (m pushedMsg) Of() Panel { return m.of }

// New returns a form and the command that fills it in.
func New(o Options) (*Form, tea.Cmd) {
	f := &Form{o: o, text: compose.New(compose.Looks{}), lines: map[field]*style.LineInput{repository: {}, base: {}, agent: {}},
		open: !o.Beside, touched: map[field]bool{}}
	f.draft.Suffix = o.Suffix
	f.life, f.end = context.WithCancel(o.Context)
	f.text.Load(o.Statement)
	look := func() tea.Msg { return f.look() }
	if o.Summarize == nil {
		return f, look
	}
	f.phase = summarizing
	return f, tea.Batch(look, f.summarize())
}

// look finds out where the work would be done and what is only here.
func (f *Form) look() tea.Msg {
	m := lookedMsg{of: f}
	m.target, m.err = f.o.Target(f.life)
	if f.o.Local != nil {
		if w, err := f.o.Local.Look(f.life, f.o.Dir); err == nil {
			m.work = &w
		}
	}
	return m
}

// took fills in what is known of the directory, except where the user wrote meanwhile.
func (f *Form) took(m lookedMsg) {
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
func (f *Form) fields() []field {
	all := []field{statement, repository, base, agent}
	if f.draft.Missing() != "" {
		all = append(all, work)
	}
	if f.o.Stays {
		all = append(all, after)
	}
	return all
}

func (f *Form) last() field {
	all := f.fields()
	return all[len(all)-1]
}

// step goes to the next or previous field.
func (f *Form) step(by int) {
	all := f.fields()
	i := slices.Index(all, f.at)
	f.at = all[(i+by+len(all))%len(all)]
	if f.at == base && f.draft.Send != nil { // what is pushed is the base
		f.step(by)
	}
}

// current returns the draft as it is written now.
func (f *Form) current() *handover.Draft {
	f.draft.Statement = f.text.Value()
	f.draft.Target = session.RemoteTarget{Repository: f.lines[repository].String(), Base: f.lines[base].String(), Agent: f.lines[agent].String()}
	return &f.draft
}

// Close ends what the form began.
func (f *Form) Close() { f.end() }

// Edited takes the statement as it comes back from the user's editor.
func (f *Form) Edited(text string) {
	f.text.SetValue(text)
	f.at, f.trouble = statement, ""
}

// Update handles a key, a paste, or the result of a command.
func (f *Form) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.press(msg)
	case tea.PasteMsg:
		f.paste(msg.Content)
	case lookedMsg:
		f.took(msg)
	case summaryMsg:
		return nil, f.summarized(msg)
	case pushedMsg:
		return f.pushed(msg)
	}
	return nil, nil
}

// hand hands the draft over, after a push if there is one, unless something is wrong with it.
func (f *Form) hand() (Action, tea.Cmd) {
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
		return Handed{d.Prompt(""), f.open}, nil
	}
	f.phase = pushing
	ctx, cancel := context.WithCancel(f.life)
	f.push = cancel
	w := *d.Work
	return nil, func() tea.Msg {
		defer cancel()
		done, err := f.o.Local.Push(ctx, w, p)
		return pushedMsg{f, done.Branch, err}
	}
}

// pushed hands the draft over once its base is there.
func (f *Form) pushed(m pushedMsg) (Action, tea.Cmd) {
	f.phase = editing
	if m.err != nil {
		f.trouble = "Couldn't push: " + style.Visible(style.OneLine(m.err.Error()))
		if f.push = nil; context.Canceled == m.err {
			f.trouble = "The push was stopped. Nothing was handed over."
		}
		return nil, nil
	}
	return Handed{f.current().Prompt(m.branch), f.open}, nil
}

// Failed reports why what was handed over did not begin.
func (f *Form) Failed(err error) {
	f.trouble = style.Visible(style.OneLine(session.ProblemOf(err, f.o.Look.Now()).What))
}
