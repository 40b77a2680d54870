package panel

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/keymap"
)

// Effect is what a panel asks of the program. It is carried out within the call that returned it. The set is closed: the stack
// carries out those of the first group, its owner all others.
type Effect interface{ effect() }

// Effects on the stack.
type (
	// Pass reports that a message meant nothing to the panel and changed nothing. A passed wheel becomes arrow keys, a passed
	// esc or ctrl+c closes the panel, and another passed key may open a feature.
	Pass struct{}
	// All are several effects, in their order.
	All []Effect
	// Push opens a panel and starts its first command. Of names the feature: one that is open already is closed instead, "" for
	// what may be open several times.
	Push struct {
		Panel Panel
		Start Cmd
		Of    string
	}
	// Pop closes the panel that returned it, with what stands on it.
	Pop struct{}
	// Clear closes everything that covers the chat.
	Clear struct{}
	// Start starts a command of the panel.
	Start struct{ Cmd Cmd }
	// Tell passes a message to all panels.
	Tell struct{ Msg tea.Msg }
	// Run works in the background until the program ends, whether or not the panel stays open, and carries out what comes of it.
	// Then is carried out on the event loop.
	Run  struct{ Work func(context.Context) Effect }
	Then struct{ Do func() Effect }
)

// Effects on the program.
type (
	// Notice reports something for a few seconds. Repeat shows a past notice again, Report shows lines under a title: one line as
	// a notice if it fits.
	Notice struct {
		Text string
		Warn bool
		For  time.Duration // 0 for the usual time
	}
	Repeat struct{ Index int }
	Report struct {
		Title string
		Lines []string
	}
	// Copy puts a text on the clipboard. What names it.
	Copy struct{ What, Text string }
	// EditText and EditFile open the user's editor. The panel gets [Edited].
	EditText struct{ Text string }
	EditFile struct{ Path string }
	// OpenPage opens a page of the web in the browser, and names it.
	OpenPage struct{ URL string }
	// Command runs a slash command, Key does what a key does.
	Command struct{ Name, Args string }
	Key     struct{ Bound keymap.Bound }
	// SetDefault writes a setting into the user's configuration file, in the background: Key is a path such as "model" or "ui.keys",
	// Value is written as in the environment, "" restores the default. What is shown stays as it is. Said is the notice of success,
	// in a sentence without a period, "" for none; a failure is always one. Then follows on the event loop, whatever came of it.
	SetDefault struct {
		Key, Value, Said string
		Then             func() Effect
	}
	// Apply lets a setting hold for what is shown, where that is possible without a new start. It writes nothing.
	Apply struct{ Key, Value string }
	// Install installs the offered runtime.
	Install struct{}
	// Mouse takes the mouse from the terminal, or gives it back.
	Mouse struct{ On bool }
	// Leave ends the screen; Err says why no session can be shown. Detach ends it, and what goes on is to go on. Replay handles again
	// what waited for a session.
	Leave  struct{ Err error }
	Detach struct{}
	Replay struct{ Messages []tea.Msg }
	// SignIn ends the screen with what the user chose who is not signed in.
	SignIn struct{ Choice core.Choice }
)

// Effects on the chat.
type (
	// Write puts a text into the field, if nothing is written there.
	Write struct{ Text string }
	// Post sends a prompt: one that was shown before, or what stands behind a command. Restore puts one back into the field.
	Post    struct{ Prompt core.Prepared }
	Restore struct{ Prompt core.Prepared }
	// Reclaim takes a queued prompt back into the field, Drop removes one, Move moves one so many places down.
	Reclaim struct{ ID session.PromptID }
	Drop    struct{ ID session.PromptID }
	Move    struct {
		ID session.PromptID
		By int
	}
	// Unaccepted reports how many files have changes that the user has not accepted.
	Unaccepted struct{ Files int }
	// Tasks opens or folds the list of tasks, Trust asks what the session's directory may load, Quit leaves unless that stops
	// something the user has not heard of.
	Tasks struct{}
	Trust struct{}
	Quit  struct{}
	// OpenChild shows a child agent, ShowItem an item of the conversation.
	OpenChild struct{ ID session.ChildID }
	ShowItem  struct{ Item int }
)

// Effects on the session, or on which one is shown.
type (
	// SetModel, SetEffort and SetMode change what the next request uses. A mode that bypasses permissions is confirmed first,
	// unless Confirmed.
	SetModel  struct{ ID string }
	SetEffort struct{ Effort string }
	SetMode   struct {
		Mode      session.Mode
		Confirmed bool
	}
	// TermsAccepted reports that the user has agreed to the terms of a model, which can be used from then on.
	TermsAccepted struct{ ID string }
	// UseModel sets a model and an effort together, "" for the model's own. Lasting makes both the default of new sessions, too.
	UseModel struct {
		ID, Effort string
		Lasting    bool
	}
	// SetCustom lets a custom agent lead the session, none for one without a name.
	SetCustom struct{ Agent session.CustomAgent }
	// SetDirs adds a further directory, or takes one back; "" for none. Said is the notice.
	SetDirs struct{ Add, Remove, Said string }
	// Reopen opens sessions that were open before: the first is shown, the others work beside it.
	Reopen struct{ Sessions []session.ID }
	// Resume opens another session, Begin a new one: with an agent, to which what is written moves, or "" for that of this session;
	// in another directory, or "" for that of this session.
	Resume struct{ ID session.ID }
	Begin  struct{ Agent, Dir string }
	// Rename gives the session a title, Export writes it into a file; as [export.Parse] reads it, "" for a name of ours.
	Rename struct{ Title string }
	Export struct{ Args string }
	// Fork opens a copy of a session up to and including a turn; without a turn all of it, without a session of the one that is
	// shown.
	Fork struct {
		Session session.ID
		After   session.TurnID
	}
	// Rewound goes on in a copy of the session that is shown, which ends before a prompt. The prompt comes back into the field.
	Rewound struct {
		Session *live.Session
		Prompt  session.Prompt
	}
	// Delegated reports that work was handed over to the agent at a service in a session of its own. Plan is the ask that it
	// answers, nil for none. With Open that session is shown, else it is kept open and Then follows.
	Delegated struct {
		Session *live.Session
		Plan    *session.Ask
		Open    bool
		Then    Effect
	}
	// Progress reports what became of a session that is kept open without being shown: Text is a notice, unless it is shown by
	// now. Over reports whether it need not be kept any more; else Then follows.
	Progress struct {
		Session *live.Session
		Text    string // "" for nothing
		Warn    bool
		Over    bool
		Then    Effect
	}
	// Spare closes a session that was loaded for a look, unless it is shown or kept.
	Spare struct{ Session *live.Session }
)

func (Pass) effect()  {}
func (All) effect()   {}
func (Push) effect()  {}
func (Pop) effect()   {}
func (Clear) effect() {}
func (Run) effect()   {}
func (Start) effect() {}
func (Then) effect()  {}
func (Tell) effect()  {}

func (Notice) effect()     {}
func (Repeat) effect()     {}
func (Copy) effect()       {}
func (EditText) effect()   {}
func (EditFile) effect()   {}
func (Command) effect()    {}
func (Key) effect()        {}
func (Report) effect()     {}
func (OpenPage) effect()   {}
func (SetDefault) effect() {}
func (Apply) effect()      {}
func (Install) effect()    {}
func (SignIn) effect()     {}
func (Mouse) effect()      {}
func (Leave) effect()      {}
func (Detach) effect()     {}
func (Replay) effect()     {}

func (Write) effect()      {}
func (Post) effect()       {}
func (Restore) effect()    {}
func (Reclaim) effect()    {}
func (Drop) effect()       {}
func (Move) effect()       {}
func (Unaccepted) effect() {}
func (OpenChild) effect()  {}
func (ShowItem) effect()   {}

func (SetModel) effect()      {}
func (SetEffort) effect()     {}
func (UseModel) effect()      {}
func (TermsAccepted) effect() {}
func (SetMode) effect()       {}
func (SetCustom) effect()     {}
func (SetDirs) effect()       {}
func (Resume) effect()        {}
func (Reopen) effect()        {}
func (Begin) effect()         {}
func (Fork) effect()          {}
func (Rewound) effect()       {}
func (Delegated) effect()     {}
func (Progress) effect()      {}
func (Spare) effect()         {}
func (Rename) effect()        {}
func (Export) effect()        {}
func (Tasks) effect()         {}
func (Trust) effect()         {}
func (Quit) effect()          {}
