package attention

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

func env(pairs string) func(string) string {
	m := map[string]string{}
	for _, p := range strings.Fields(pairs) {
		k, v, _ := strings.Cut(p, "=")
		m[k] = v
	}
	return func(k string) string { return m[k] }
}

func TestGuesses(t *testing.T) {
	for e, want := range map[string]string{
		"TERM=xterm-kitty LANG=en_US.UTF-8":                                      "kitty 0 osc99 links titles utf8",
		"TERM=xterm-256color KITTY_WINDOW_ID=1 LANG=C":                           "kitty 0 osc99 links titles",
		"TERM=xterm-kitty TERM_PROGRAM=vscode LANG=C":                            "kitty 0 osc99 links titles",
		"TERM=xterm-256color TERM_PROGRAM=vscode KITTY_WINDOW_ID=1":              "vscode 0 bell progress links titles utf8",
		"TERM=xterm-ghostty":                                                     "ghostty 0 osc777 progress links titles",
		"TERM=xterm-256color TERM_PROGRAM=WezTerm":                               "wezterm 0 osc777 progress links titles utf8",
		"TERM=xterm-256color TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.5.1":  "iterm2 0 osc9 links titles utf8",
		"TERM=xterm-256color TERM_PROGRAM=iTerm.app TERM_PROGRAM_VERSION=3.6.10": "iterm2 0 osc9 progress links titles utf8",
		"TERM=xterm-256color LC_TERMINAL=iTerm2 SSH_TTY=x LANG=de_DE.utf8":       "iterm2 0 osc9 links titles utf8 remote",
		"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal":                        "apple 0 bell titles utf8",
		"TERM=xterm-256color WT_SESSION=x":                                       "windows-terminal 0 bell progress links titles utf8",
		"TERM=xterm-256color VTE_VERSION=7600":                                   "vte 0 bell links titles",
		"TERM=xterm-256color VTE_VERSION=8001 LC_ALL=C LANG=de_DE.UTF-8":         "vte 0 bell progress links titles",
		"TERM=xterm-256color KONSOLE_VERSION=230401":                             "konsole 0 bell links titles",
		"TERM=foot-extra":                                 "foot 0 osc777 links titles",
		"TERM=alacritty":                                  "alacritty 0 bell links titles",
		"TERM=xterm TERM_PROGRAM=mintty":                  "mintty 0 bell progress links titles utf8",
		"TERM=xterm ConEmuPID=1":                          "conemu 0 bell progress titles",
		"TERM=xterm XTERM_VERSION=390":                    "xterm 0 bell titles",
		"TERM=rxvt-unicode-256color":                      "urxvt 0 osc777 titles",
		"TERM=xterm TERMINAL_EMULATOR=JetBrains-JediTerm": "jetbrains 0 bell titles",
		"TERM=linux LANG=C.UTF-8":                         "linux 0 bell utf8",
		"TERM=dumb":                                       "dumb 0 bell",
		"TERM=vt220":                                      "vt 0 bell",
		"TERM=vte-256color VTE_VERSION=7600":              "vte 0 bell links titles",
		"":                                                " 0 bell titles",
		"TERM=tmux-256color TMUX=x TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.4a WEZTERM_PANE=1": "wezterm 1 osc777 progress links titles",
		"TERM=tmux-256color TMUX=x TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.3a WEZTERM_PANE=1": "wezterm 1 osc777 progress titles",
		"TERM=screen-256color TMUX=x":                          " 1 bell titles",
		"TERM=screen STY=1 KITTY_WINDOW_ID=1":                  "kitty 2 osc99",
		"TERM=xterm-256color ZELLIJ=0 GHOSTTY_RESOURCES_DIR=x": "ghostty 3 bell links titles",
	} {
		g := Guess(env(e))
		got := fmt.Sprint(g.Name, " ", g.Inside, " ", [...]string{"bell", "osc9", "osc777", "osc99"}[g.Notify])
		for _, f := range []struct {
			on   bool
			name string
		}{{g.Progress, "progress"}, {g.Links, "links"}, {g.Titles, "titles"}, {g.UTF8, "utf8"}, {g.Remote, "remote"}} {
			if f.on {
				got += " " + f.name
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", e, got, want)
		}
	}
}

func TestEveryNameIsKnown(t *testing.T) {
	names := map[string]bool{"iterm2": true, "jetbrains": true, "": true}
	for _, x := range byTerm {
		names[x.name] = true
	}
	for _, x := range byVariable {
		names[x.name] = true
	}
	for _, x := range byProgram {
		names[x] = true
	}
	for n := range names {
		if _, ok := able[n]; !ok {
			t.Errorf("nothing is known of %q", n)
		}
	}
	for n := range able {
		if !names[n] {
			t.Errorf("nothing leads to %q", n)
		}
	}
}

// A quotation mark must not end the sequence it stands in, for terminals that read it byte by byte.
func TestNoticesHoldNoEndOfString(t *testing.T) {
	for _, kind := range []Notification{OSC9, OSC777, OSC99} {
		s := Terminal{Notify: kind, Titles: true}
		for _, seq := range []string{s.Notice("“asks”", "なぜテストが"), s.Title("“asks” なぜ")} {
			if strings.Contains(seq, "\x9c") || !strings.Contains(seq, "\"asks”") {
				t.Errorf("%q", seq)
			}
		}
	}
}

func TestSequences(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Terminal{}.Notice("a", "b"), "\a"},
		{Terminal{Inside: Tmux}.Notice("a", "b"), "\a"},
		{Terminal{Notify: OSC9}.Notice("a", "b"), "\x1b]9;a: b\x1b\\"},
		{Terminal{Notify: OSC9}.Notice("", "4;1"), "\x1b]9; 4;1\x1b\\"},
		{Terminal{Notify: OSC777}.Notice("a;b", "c\n\x1b]d\a"), "\x1b]777;notify;a,b;c ]d\x1b\\"},
		{Terminal{Notify: OSC99}.Notice("a", "b"), "\x1b]99;i=parley:d=0;a\x1b\\\x1b]99;i=parley:d=1:p=body;b\x1b\\"},
		{Terminal{Notify: OSC9, Inside: Tmux}.Notice("a", "b"), "\x1bPtmux;\x1b\x1b]9;a: b\x1b\x1b\\\x1b\\\a"},
		{Terminal{Notify: OSC9, Inside: Screen}.Notice("a", "b"), "\x1bP\x1b]9;a: b\a\x1b\\\a"},
		{Terminal{}.Working(Running, 5), ""},
		{Terminal{Progress: true}.Working(Running, 250), "\x1b]9;4;1;100\x1b\\"},
		{Terminal{Progress: true}.Working(Busy, 7), "\x1b]9;4;3;0\x1b\\"},
		{Terminal{Progress: true}.Working(Paused, 7), "\x1b]9;4;4;7\x1b\\"},
		{Terminal{Progress: true}.Working(Done, 7), "\x1b]9;4;0;0\x1b\\"},
		{Terminal{Progress: true, Inside: Tmux}.Working(Done, 0), "\x1bPtmux;\x1b\x1b]9;4;0;0\x1b\x1b\\\x1b\\"},
		{Terminal{Titles: true}.Title("a\x9cb\u202e"), "\x1b]2;ab\x1b\\"},
		{Terminal{}.Title("a"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// No text gets out of its sequence.
func FuzzTexts(f *testing.F) {
	f.Add("a\x1b\\", "\x9c\a\u009d")
	f.Fuzz(func(t *testing.T, title, text string) {
		for _, n := range []Notification{OSC9, OSC777, OSC99} {
			seq := Terminal{Notify: n}.Notice(title, text)
			for _, r := range strings.NewReplacer("\x1b]", "", "\x1b\\", "").Replace(seq) {
				if unicode.IsControl(r) {
					t.Fatalf("%q holds %q", seq, r)
				}
			}
			if len(seq) > 2000 {
				t.Fatalf("%d bytes", len(seq))
			}
		}
	})
}
