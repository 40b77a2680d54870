package core

import (
	"context"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/ui/attention"
	"parley/ui/md"
	"parley/ui/style"
)

// Appearance suits the screen to its terminal and its user. The zero value guesses what can be guessed.
type Appearance struct {
	// Inline leaves the terminal its own screen and scrollback: what is finished is written once, and only what still
	// changes is drawn. Otherwise the alternate screen is used.
	Inline bool
	// Plain holds the chat in lines instead: nothing is drawn, Input is read line by line and may be a pipe.
	Plain bool
	// Notify is the way in which a user who looks elsewhere is notified of questions and the ends of long turns:
	// "bell", "osc9", "osc777", "osc99", "desktop" or "off"; "" or "auto" is what the terminal is known to understand.
	Notify string
	// NotifyAfter is the time that a turn must have run for its end to be reported; 0 means ten seconds, less means every turn.
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

// Terminal returns what is known about the terminal before it answers, with what the user configured.
func (a Appearance) Terminal(getenv func(string) string) attention.Terminal {
	t := attention.Guess(getenv)
	switch a.Notify {
	case "bell":
		t.Notify = attention.Bell
	case "osc9":
		t.Notify = attention.OSC9
	case "osc777":
		t.Notify = attention.OSC777
	case "osc99":
		t.Notify = attention.OSC99
	}
	switch a.Progress {
	case "on":
		t.Progress = true
	case "off":
		t.Progress = false
	}
	if a.NoTitle {
		t.Titles = false
	}
	return t
}

// OnlyASCII reports whether nothing but ASCII may be drawn.
func (a Appearance) OnlyASCII(getenv func(string) string) bool {
	switch a.Charset {
	case "ascii":
		return true
	case "unicode":
		return false
	}
	if strings.HasPrefix(getenv("TERM"), "linux") {
		return true // its font holds a few hundred characters, and none of ours
	}
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(k)); v != "" {
			// Without a charset in it, a locale does not describe the terminal, and neither does C.
			_, charset, named := strings.Cut(v, ".")
			return named && !strings.HasPrefix(charset, "utf-8") && !strings.HasPrefix(charset, "utf8")
		}
	}
	return false
}

// StartTheme returns the theme at the start. name is that of a style, fixed and dark say whether it sets the background and which,
// and light is the background assumed until the terminal reports its own.
func StartTheme(name string, profile colorprofile.Profile, fixed, dark, light bool, words *md.Theme) style.Theme {
	t := style.NewTheme(fixed && dark || !fixed && !light, profile > colorprofile.ASCII && name != "notty", words)
	t.Few, t.Cells, t.Contrast = profile == colorprofile.ANSI, profile == colorprofile.ANSI256, name == "high-contrast"
	t.Mix()
	return t
}
