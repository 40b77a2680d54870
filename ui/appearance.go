package ui

import (
	"context"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/ui/attention"
	"parley/ui/md"
	"parley/ui/style"
)

// Appearance is how the screen suits its terminal and its user. The zero value guesses what can be guessed.
type Appearance struct {
	// Inline leaves the terminal its own screen and scrollback: what is finished is written once, and only what still
	// changes is drawn. Otherwise the alternate screen is used.
	Inline bool
	// Plain holds the chat in lines instead: nothing is drawn, Input is read line by line and may be a pipe.
	Plain bool
	// Notify is how a user who looks elsewhere is notified of questions and the ends of long turns:
	// "bell", "osc9", "osc777", "osc99", "desktop" or "off"; "" or "auto" is what the terminal is known to understand.
	Notify string
	// NotifyAfter is how long a turn must have run for its end to be reported; 0 means ten seconds, less means every turn.
	NotifyAfter time.Duration
	// Desktop shows a notification of the system; nil if there is none. It is called in the background.
	Desktop func(ctx context.Context, title, text string) error
	// NoTitle leaves the window's title alone.
	NoTitle bool
	// Progress shows in the task bar or tab that something runs: "on" or "off"; "" or "auto" does where the terminal is
	// known to understand it.
	Progress string
	// ReducedMotion stops the spinner.
	ReducedMotion bool
	// SeparateTools gives each of several reads or searches in a row its own row.
	SeparateTools bool
	// Charset is what is drawn with: "unicode" or "ascii"; "" or "auto" is ASCII where the locale names another charset
	// than UTF-8, and on the Linux console.
	Charset string
	// DiffSplit draws changes side by side in a wide window, until a key switches.
	DiffSplit bool
}

// terminal returns what is known about the terminal before it answers, with what the user configured.
func (o *Options) terminal() attention.Terminal {
	t := attention.Guess(o.Getenv)
	switch o.Appearance.Notify {
	case "bell":
		t.Notify = attention.Bell
	case "osc9":
		t.Notify = attention.OSC9
	case "osc777":
		t.Notify = attention.OSC777
	case "osc99":
		t.Notify = attention.OSC99
	}
	switch o.Appearance.Progress {
	case "on":
		t.Progress = true
	case "off":
		t.Progress = false
	}
	if o.Appearance.NoTitle {
		t.Titles = false
	}
	return t
}

// onlyASCII reports whether nothing but ASCII may be drawn.
func (o *Options) onlyASCII() bool {
	switch o.Appearance.Charset {
	case "ascii":
		return true
	case "unicode":
		return false
	}
	if strings.HasPrefix(o.Getenv("TERM"), "linux") {
		return true // its font holds a few hundred characters, and none of ours
	}
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(o.Getenv(k)); v != "" {
			// Without a charset in it, a locale does not describe the terminal, and neither does C.
			_, charset, named := strings.Cut(v, ".")
			return named && !strings.HasPrefix(charset, "utf-8") && !strings.HasPrefix(charset, "utf8")
		}
	}
	return false
}

// parting returns the sequence that ends what was written between frames.
func (o *Options) parting() string {
	t := o.terminal()
	return t.Working(attention.Done, 0)
}

// themeFor returns the theme at the start.
func themeFor(o *Options, fixed, dark bool, words *md.Theme) style.Theme {
	t := style.NewTheme(fixed && dark || !fixed && !o.Light, o.Profile > colorprofile.ASCII && o.Theme != "notty", words)
	t.Few, t.Contrast = o.Profile == colorprofile.ANSI, o.Theme == "high-contrast"
	t.Mix()
	return t
}

// offerInstall returns the tip of a new session about a runtime that can be installed.
func (o *Options) offerInstall() string {
	if o.Offer == nil || o.Session == nil || o.Opening != nil || !o.Session.Draft() { // a session keeps its agent
		return ""
	}
	return "/install gets " + style.Visible(style.OneLine(o.Offer.Title)) + o.Offer.Size()
}

// startTip returns a tip for a new user, "" for none.
func (o *Options) startTip() string {
	switch tip := o.offerInstall(); {
	case tip != "":
		return tip
	case o.Demo && o.Width < 80:
		return "Simulated model: say anything."
	case o.Demo:
		return "The model is simulated, all else is real. Say anything: the tour begins."
	}
	return ""
}
