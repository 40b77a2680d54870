package input

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/files"
	"parley/ui/keymap"
	"parley/ui/style"
	"parley/ui/textarea"
)

// Options configures a Model. Nothing in it is changed.
type Options struct {
	// Context ends the commands of the field.
	Context context.Context
	Look    *style.Look
	Keys    *keymap.Map
	// Dir returns the directory of the session, Running reports whether a turn runs, and Queued whether prompts wait.
	Dir             func() string
	Running, Queued func() bool
	// Commands returns the slash commands whose names begin with a query, the best first; Arguments everything that may follow a
	// command. Complete reports whether a command is run as it is when it is chosen from the list.
	Commands  func(query string) []textarea.Candidate
	Arguments func(command string) []textarea.Candidate
	Complete  func(command string) bool
	// Dirs reports whether a directory may follow a command. nil: none has one.
	Dirs func(command string) bool
	// Resources are what MCP servers offer, of which each is mentioned as a file is; nil: there are none. It answers from memory.
	Resources func() []session.ServerResource
	// ToCome returns a function that waits for more commands, nil if there are none to come. It is called in a command; nil: none come.
	ToCome func() func(context.Context) error
	// Tree returns the files of a directory. It reads nothing.
	Tree func(dir string) *files.Tree
	// Prompts passes the prompts of all sessions to yield, roughly the newest first, until yield returns false; nil knows
	// only those of the shown session. It runs in a command.
	Prompts func(ctx context.Context, yield func([]session.PastPrompt) bool) error
	// EnterSteers lets the key that sends send into the running turn, and the key that steers queue, instead of the other way round.
	EnterSteers bool
	// PasteImage returns the image on the clipboard, or why there is none; nil if the clipboard cannot be read. It runs in a
	// command. ImageDir is where such images are kept until they are sent, "" for the directory of temporary files.
	PasteImage func(ctx context.Context) ([]byte, error)
	ImageDir   string
}

// Model is the field with what belongs to it. The event loop owns it.
type Model struct {
	text
	o          Options
	looks      textarea.Looks
	vim        *textarea.Vim // see vimOf
	completion completion
	finder     finder
	search     *search // nil unless it is open
	attached   attachments

	redraw, written bool // since Changes was called last
	awaits          bool // commands that are to come
}

// New returns an empty field.
func New(o Options) *Model {
	m := &Model{o: o, text: text{composer: textarea.New(textarea.Looks{})}, finder: finder{ctx: o.Context, open: o.Tree}}
	m.Restyle()
	m.completion = completion{Completion: textarea.NewCompletion(m.composer, source{m}), composer: m.composer}
	m.vim = textarea.NewVim(m.composer)
	return m
}

// Update handles a key, a paste or the result of a command.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case foundMsg, walkedMsg:
		cmd, found := m.finder.update(msg, m.o.Dir(), m.completion.files() || takesDir(m))
		if found {
			m.completion.Refresh()
			m.redraw = true
		}
		return nil, cmd
	case pastMsg:
		if msg.of == m.search {
			m.redraw = true
			return nil, m.search.take(msg)
		}
	case commandsMsg:
		m.awaits = false
		m.completion.Refresh()
		m.redraw = true
	case imageMsg:
		return m.gotImage(msg)
	}
	return nil, nil
}

// Changes reports whether the screen must be drawn and whether the draft must be saved because of what happened since it
// was called last.
func (m *Model) Changes() (redraw, written bool) {
	redraw, written = m.redraw, m.written
	m.redraw, m.written = false, false
	return redraw, written
}

// Close stops what reads files. It may wait for the disk, and is called after the event loop has ended.
func (m *Model) Close() {
	if m.finder.tree != nil {
		m.finder.tree.Close()
	}
}

// key handles a key: the search first, then the completion, vim and the key table, and the text last.
func (m *Model) key(k tea.KeyPressMsg) (Action, tea.Cmd) {
	if m.search != nil {
		m.redraw = true
		closes, chosen := m.search.key(k, m.o.Keys)
		if closes {
			m.CloseSearch()
		}
		if chosen != nil {
			return nil, m.SetValue(chosen.Text)
		}
		return nil, nil
	}
	s := k.String()
	if !m.o.Look.TooSmall() { // where the list is not shown its keys are the text's
		if a, cmd, used := m.completionKey(s); used {
			return a, cmd
		}
	}
	if m.composer.Empty() && (s == "home" || s == "end") {
		s = "ctrl+" + s // there is nothing to move in but the conversation
	}
	if a, cmd, used := m.vimKey(k); used {
		return a, cmd
	}
	switch b := m.Bound(s); b.Act {
	case keymap.None:
	case keymap.Send, keymap.Steer:
		return m.Submit((b.Act == keymap.Send) == m.o.EnterSteers), nil
	default:
		return Pressed{b, k}, nil
	}
	if s == "up" && m.composer.Empty() && m.o.Queued() {
		return TakeBack{k}, nil
	}
	return m.Type(k)
}

// Bound returns what a key is bound to at the moment, the zero Bound for nothing.
func (m *Model) Bound(key string) keymap.Bound {
	b := m.o.Keys.Acts[key]
	if b.Empty && !m.composer.Empty() {
		return keymap.Bound{}
	}
	return b
}

// Type edits the text as a key says, whatever else the key is bound to.
func (m *Model) Type(k tea.KeyPressMsg) (Action, tea.Cmd) {
	s, empty, before := k.String(), m.composer.Empty(), m.composer.Version()
	if s == "backspace" && empty && m.attached.drop() {
		return nil, m.changed()
	}
	if edit := m.o.Keys.Edits[s]; edit != nil {
		edit(m.composer)
	} else if text := keymap.Typed(k); text != "" {
		m.composer.Insert(text)
	}
	if m.composer.Version() == before {
		return nil, nil
	}
	if empty {
		return Began{}, m.changed()
	}
	return nil, m.changed()
}

// paste puts pasted text in. A path that a dropped image file leaves becomes the image.
func (m *Model) paste(text string) (a Action, cmd tea.Cmd) {
	if m.search != nil {
		m.search.insert(text)
		m.redraw = true
		return nil, nil
	}
	if m.composer.Empty() {
		a = Began{}
	}
	if name, ok := files.PastedImage(text); ok {
		return a, readDropped(m.o.Context, m.o.Tree(m.o.Dir()).Path(name), text)
	}
	m.composer.Paste(text)
	return a, m.changed()
}

// changed follows a change of the text or of the attachments.
func (m *Model) changed() tea.Cmd {
	m.redraw, m.written = true, true
	m.completion.Update()
	if m.completion.files() || takesDir(m) {
		return m.finder.look(m.o.Dir(), m.completion.Request().Query)
	}
	if m.completion.Request().What == textarea.CompleteCommand && !m.awaits && m.o.ToCome != nil {
		if wait := m.o.ToCome(); wait != nil {
			m.awaits = true
			ctx := m.o.Context
			return func() tea.Msg {
				_ = wait(ctx) // at the end of the chat
				return commandsMsg{}
			}
		}
	}
	return nil
}

// commandsMsg says that the commands that were to come are there.
type commandsMsg struct{}
