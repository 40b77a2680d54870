package attention

import (
	"strconv"
	"strings"
)

// Terminal describes the terminal, as far as it can be guessed.
type Terminal struct {
	// Name is "kitty", "ghostty", "wezterm", "iterm2", "apple", "vscode", "windows-terminal", "conemu", "mintty", "vte", "konsole",
	// "foot", "alacritty", "contour", "rio", "warp", "jetbrains", "xterm", "urxvt", "linux" (the console), "dumb", or "".
	Name string
	// Inside is the multiplexer that the program runs in.
	Inside Multiplexer
	// Remote reports that the terminal is at the far end of ssh.
	Remote bool
	// Notify is the way in which it shows notifications.
	Notify Notification
	// Progress reports that it shows progress (OSC 9;4), Links that it knows hyperlinks (OSC 8), and Titles that it has a title
	// that can be saved and restored.
	Progress, Links, Titles bool
	// UTF8 reports that characters beyond ASCII can be expected to come out right.
	UTF8 bool
}

// Multiplexer is a program between this one and the terminal.
type Multiplexer uint8

// The multiplexers.
const (
	None Multiplexer = iota
	Tmux
	Screen
	Zellij
)

// Notification is a way in which a terminal shows notifications.
type Notification uint8

// The ways of notifying. Bell is the one that is left.
const (
	Bell   Notification = iota
	OSC9                // iTerm2: a text
	OSC777              // urxvt: a title and a text
	OSC99               // kitty: with an id, replaced by the next
)

// able lists the abilities of terminals of a name.
var able = map[string]Terminal{
	"kitty":            {Notify: OSC99, Links: true, Titles: true},
	"ghostty":          {Notify: OSC777, Progress: true, Links: true, Titles: true},
	"wezterm":          {Notify: OSC777, Progress: true, Links: true, Titles: true},
	"iterm2":           {Notify: OSC9, Links: true, Titles: true},
	"apple":            {Titles: true},
	"vscode":           {Progress: true, Links: true, Titles: true},
	"windows-terminal": {Progress: true, Links: true, Titles: true},
	"conemu":           {Progress: true, Titles: true},
	"mintty":           {Progress: true, Links: true, Titles: true},
	"vte":              {Links: true, Titles: true},
	"konsole":          {Links: true, Titles: true},
	"foot":             {Notify: OSC777, Links: true, Titles: true},
	"alacritty":        {Links: true, Titles: true},
	"contour":          {Notify: OSC777, Links: true, Titles: true},
	"rio":              {Links: true, Titles: true},
	"warp":             {Notify: OSC9, Titles: true},
	"jetbrains":        {Titles: true},
	"xterm":            {Titles: true},
	"urxvt":            {Notify: OSC777, Titles: true},
	"linux":            {},
	"vt":               {},
	"dumb":             {},
	"":                 {Titles: true},
}

// Guess guesses what the terminal is from the environment.
func Guess(getenv func(string) string) Terminal {
	name := nameOf(getenv)
	t := able[name]
	t.Name = name
	t.Inside = insideOf(getenv)
	t.Remote = getenv("SSH_TTY") != "" || getenv("SSH_CONNECTION") != ""
	t.UTF8 = utf8(getenv)
	switch name {
	case "iterm2": // before 3.6.6 it showed progress as a notification
		t.Progress = atLeast(first(getenv("LC_TERMINAL_VERSION"), getenv("TERM_PROGRAM_VERSION")), 3, 6, 6)
	case "vte":
		v, _ := strconv.Atoi(getenv("VTE_VERSION"))
		t.Links, t.Progress = v >= 5000, v >= 7900
	}
	switch t.Inside {
	case Tmux: // it keeps links since 3.4, and is asked itself for the title
		t.Links = t.Links && (getenv("TERM_PROGRAM") != "tmux" || atLeast(getenv("TERM_PROGRAM_VERSION"), 3, 4))
	case Screen:
		t.Links, t.Progress, t.Titles = false, false, false
	case Zellij: // it lets through what it knows, and of these it knows links
		t.Notify, t.Progress = Bell, false
	}
	return t
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func insideOf(getenv func(string) string) Multiplexer {
	term := getenv("TERM")
	switch {
	case getenv("ZELLIJ") != "":
		return Zellij
	case getenv("TMUX") != "" || strings.HasPrefix(term, "tmux"):
		return Tmux
	case getenv("STY") != "" || strings.HasPrefix(term, "screen"):
		return Screen
	}
	return None
}

// byTerm are terminals that can be told by how TERM begins, which is the surest: it comes along through ssh, and a
// terminal started from another one sets its own.
var byTerm = []struct{ prefix, name string }{
	{"dumb", "dumb"}, {"linux", "linux"}, {"vt1", "vt"}, {"vt2", "vt"}, {"vt3", "vt"},
	{"vt4", "vt"}, {"vt5", "vt"}, {"xterm-kitty", "kitty"}, {"xterm-ghostty", "ghostty"}, {"wezterm", "wezterm"},
	{"alacritty", "alacritty"}, {"foot", "foot"}, {"contour", "contour"}, {"rio", "rio"}, {"xterm-rio", "rio"},
	{"rxvt-unicode", "urxvt"}, {"mintty", "mintty"},
}

// byProgram are the values of TERM_PROGRAM.
var byProgram = map[string]string{
	"iTerm.app": "iterm2", "Apple_Terminal": "apple", "vscode": "vscode", "WezTerm": "wezterm", "ghostty": "ghostty", "mintty": "mintty",
	"WarpTerminal": "warp", "rio": "rio", "kitty": "kitty", "alacritty": "alacritty",
}

// byVariable are variables that terminals set. Inside a multiplexer they are what its first terminal had.
var byVariable = []struct{ variable, name string }{
	{"KITTY_WINDOW_ID", "kitty"}, {"GHOSTTY_RESOURCES_DIR", "ghostty"}, {"WEZTERM_PANE", "wezterm"}, {"ALACRITTY_WINDOW_ID", "alacritty"},
	{"ITERM_SESSION_ID", "iterm2"}, {"WT_SESSION", "windows-terminal"}, {"ConEmuPID", "conemu"}, {"KONSOLE_VERSION", "konsole"},
	{"VTE_VERSION", "vte"}, {"XTERM_VERSION", "xterm"},
}

func nameOf(getenv func(string) string) string {
	term := getenv("TERM")
	for _, t := range byTerm {
		if strings.HasPrefix(term, t.prefix) {
			return t.name
		}
	}
	if name := byProgram[getenv("TERM_PROGRAM")]; name != "" {
		return name
	}
	if getenv("LC_TERMINAL") == "iTerm2" { // comes along through ssh
		return "iterm2"
	}
	if strings.HasPrefix(getenv("TERMINAL_EMULATOR"), "JetBrains") {
		return "jetbrains"
	}
	for _, v := range byVariable {
		if getenv(v.variable) != "" {
			return v.name
		}
	}
	return ""
}

// utf8 looks at the locale as C programs do. Without one, only what has no locale is trusted to know UTF-8.
func utf8(getenv func(string) string) bool {
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(k)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return getenv("WT_SESSION") != "" || getenv("TERM_PROGRAM") != "" && getenv("TERM_PROGRAM") != "tmux"
}

// atLeast compares a version such as 3.6.6 or 3.4a with numbers.
func atLeast(version string, want ...int) bool {
	parts := strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	for i, w := range want {
		have := 0
		if i < len(parts) {
			have, _ = strconv.Atoi(parts[i])
		}
		if have != w {
			return have > w
		}
	}
	return true
}
