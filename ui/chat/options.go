package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/attention"
	"parley/ui/clipboard"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/panel"
	"parley/ui/statusline"
	"parley/ui/style"
)

// Options is what the chat works with. Nothing in it is changed.
type Options struct {
	core.Options
	// Branch is the version-control branch of the directory, "" for none.
	Branch string
	// StatusLine finds and runs the user's status line command; nil for none.
	StatusLine statusline.Source
	// Browser opens web pages; nil means that it cannot be done.
	Browser Browser
	// Explained remembers, in the background, that a question explained its keys; nil: they were explained before.
	Explained func()
	// EnterSteers lets enter send into the running turn, where the agent takes prompts there, and ctrl+s queue, instead of the
	// other way round.
	EnterSteers bool
	// Offer is a runtime that is not installed and can be; nil for none.
	Offer *core.RuntimeOffer
	// ImageDir is the directory in which images from the clipboard are kept until they are sent.
	ImageDir string
	// Clipboard is the user's clipboard; nil means that of this machine, with the environment in Env.
	Clipboard Clipboard
	// NoMouse leaves the mouse to the terminal until the user takes it by key. KeepSelection copies what is selected with the
	// mouse only when ctrl+c is pressed, and not at once.
	NoMouse, KeepSelection bool
	// Opening is a session that is loaded while its end is shown; Session is then an empty draft that stands in for it, with
	// the same agent and directory. Nil if Session is what is to be shown, and always on a screen that keeps the terminal's
	// own rows.
	Opening *core.Opening
	// Appearance suits the screen to its terminal and its user.
	Appearance core.Appearance
}

// Browser opens web pages for the user. Open may block and is called in the background.
type Browser interface {
	Open(ctx context.Context, address string) error
}

// OpenPage returns what opens a page, nil if nothing does.
func (o *Options) OpenPage() func(ctx context.Context, address string) error {
	if o.Browser == nil {
		return nil
	}
	return o.Browser.Open
}

// Clipboard is the user's clipboard. Its methods may block and are called in the background.
type Clipboard interface {
	// Copy puts a text on the clipboard. The caller writes the sequence of the result to the terminal.
	Copy(ctx context.Context, text string) clipboard.Result
	// ReadImage returns the image on the clipboard, or an error that names an alternative.
	ReadImage(ctx context.Context) ([]byte, error)
}

// Mouse reports whether the mouse is ours at the start. Where the terminal scrolls by itself it is the terminal's.
func (o *Options) Mouse() bool { return !o.NoMouse && !o.Appearance.Inline }

// pastPrompts returns the source of the prompts of all sessions, nil without a manager.
func (o *Options) pastPrompts() func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
	mgr, dir := o.Manager, o.Dir
	if mgr == nil {
		return nil
	}
	return func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
		return mgr.Prompts(ctx, dir, yield)
	}
}

// firstDraft returns what was being written in the session that is shown first.
func (o *Options) firstDraft() string {
	if o.Opening != nil {
		return core.LoadDraft(o.Drafts, core.SessionDraft(o.Opening.Meta.ID))
	}
	return core.LoadDraft(o.Drafts, core.DraftKey(o.Session))
}

// Screen is what the chat has from the screen that shows it.
type Screen struct {
	// Context ends what runs in the background.
	Context context.Context
	Keys    *keymap.Map
	Look    *style.Look
	Watch   *attention.Watch
	Notices *notice.Model
	// Do carries out an effect of the chat at once. Tell passes a message to all panels.
	Do   func(panel.Effect)
	Tell func(tea.Msg)
	// Frames returns the newest frame and the newest that the terminal shows.
	Frames func() (newest, shown int)
	// Pump passes a message to the chat whenever an inbox has something, until the program ends.
	Pump func(*core.Inbox, tea.Msg)
}
