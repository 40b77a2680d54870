package uitest

import (
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"parley/internal/repeat"
	"parley/session"
	"parley/ui"
)

// effects are what a terminal was made to do besides showing text.
type effects struct {
	modes  map[string]bool // by number, as they were left
	titles []string
	other  []string
}

// borrowedModes are the modes the program takes: the cursor, no wrap at the margin, the alternate screen, pastes, focus,
// light and dark.
var borrowedModes = []string{"25", "7", "1049", "2004", "1004", "2031", "1002", "1006"}

// watch records what the terminal is made to do from now on.
func (s *Screen) watch() *effects {
	e := &effects{modes: map[string]bool{}}
	note := func(format string, args ...any) { e.other = append(e.other, fmt.Sprintf(format, args...)) }
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emu.SetCallbacks(vt.Callbacks{
		Bell:             func() { note("bell") },
		Title:            func(t string) { e.titles = append(e.titles, t) },
		IconName:         func(n string) { note("icon name %q", n) },
		CursorStyle:      func(style vt.CursorStyle, _ bool) { note("cursor style %v", style) },
		CursorColor:      func(c color.Color) { note("cursor colour %v", c) },
		BackgroundColor:  func(c color.Color) { note("background %v", c) },
		ForegroundColor:  func(c color.Color) { note("foreground %v", c) },
		WorkingDirectory: func(d string) { note("directory %q", d) },
		EnableMode:       func(m ansi.Mode) { e.modes[fmt.Sprint(m.Mode())] = true },
		DisableMode:      func(m ansi.Mode) { e.modes[fmt.Sprint(m.Mode())] = false },
	})
	for _, n := range []int{4, 9, 22, 50, 52, 99, 104, 133, 777, 1337} {
		s.emu.RegisterOscHandler(n, func(data []byte) bool { note("operating system command %q", data); return true })
	}
	s.emu.RegisterOscHandler(8, func(data []byte) bool {
		if !link.Match(data) {
			note("hyperlink %q", data)
		}
		return true
	})
	return e
}

var (
	link     = regexp.MustCompile(`^8;[^;]*;(?:(?:https?|mailto):[ -~]*)?$`)
	ourTitle = regexp.MustCompile(`^(?:[…?] )?parley: [^\x00-\x1f\x7f-\x9f]*$`)
)

// hostiles are bytes that drive terminals.
var hostiles = []string{
	"\x1b]0;owned\x07", "\x1b]2;owned\x1b\\", "\x1b]52;c;b3duZWQ=\x07", "\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\", "\x1b]9;owned\x07",
	"\x1b]777;notify;a;b\x07", "\x1b]1337;SetMark\x07", "\x1b]11;#ff0000\x07", "\x1b]4;1;red\x07", "\x1bPq#0;2;0;0;0\x1b\\", "\x1bP$qm\x1b\\",
	"\x1b_Gf=24;AAAA\x1b\\", "\x1b^private\x1b\\", "\x1bXstring\x1b\\", "\x1b[2J\x1b[H", "\x1b[3J", "\x1b[?1049l", "\x1b[?25l", "\x1b[?1000h", "\x1b[5;10r",
	"\x1b[20;1Hhere", "\x1b[10A", "\x1b[31m", "\x1b[8m", "\x1bc", "\x1b[!p", "\x1b#8", "\x1b(0", "\x0e", "\x0f", "\x1bM", "\x1bD", "\x1b7\x1b8", "\x1b[6n", "\x1b[c",
	"\x1b[21t", "\x1b[22;2t", "\x1b[4h", "\x1b[20h", "\x1b[>1u", "\x1b[>4;2m", "\x1b[5i", "\x9b31m", "\x9d0;owned\x9c", "\x90q\x9c", "\u009b2J", "\u009d0;owned\u009c", "\u0090q\u009c",
	"a\rb", "a\bb", "a\vb", "a\fb", "\x00", "\x7f", "\x05", "\x18", "\x1a", "\u202eevil\u202c", "\u2066x\u2069", "\u200f", "\ufeff", "\u2028", "\U000e0041", "\xff\xfe", "\xc3", "\xed\xa0\x80",
	"👩‍👩‍👧‍👦", "❤️", "क्षि", "e\u0301\u0301\u0301\u0301", "\u0301", "한", strings.Repeat("\u0300", 50), "[a](javascript:alert(1))", "[b](https://x/\x1b]0;y\x07)",
	"| a | b |\n|---|---|\n| \x1b[2J | \x9b2J |", "```\x1b]0;x\x07\n\x1b[2J\n```", "<b\x1b[2J>", "&#27;[2J", "&#x9b;2J", "$\\x1b[2J$", "~~\x1b[2J~~", "![i](https://x/\x1b[2J)",
}

// sparingTheEmulator leaves out the characters in whose encoding the emulator takes a byte for the end of a title, which
// terminals that know UTF-8 do not.
func sparingTheEmulator(title string) string {
	return strings.Map(func(r rune) rune {
		if strings.IndexByte(string(r), 0x9c) >= 0 {
			return -1
		}
		return r
	}, title)
}

// play shows a text wherever a model, a tool, a file or a server can put one.
func play(p *Program, text string) {
	p.Type("go on")
	turn := p.Turn()
	turn.Emit(session.TitleChanged{Title: sparingTheEmulator(text)}, session.Notice{Severity: session.Warning, Text: text},
		session.RuntimeChanged{State: session.RuntimeExited, Detail: text},
		session.TodosChanged{Todos: []session.Todo{{Text: text, Active: text, State: session.TodoActive}}})
	turn.Reasoning(time.Second, text)
	part := turn.OpenPart(session.PartText)
	for i := 0; i < len(text); i += 3 { // cut anywhere
		turn.Emit(session.PartDelta{Part: part, Text: text[i:min(len(text), i+3)]})
	}
	p.Settle()
	turn.Emit(session.PartEnded{Part: part})
	call := turn.StartTool(text, fmt.Sprintf(`{"command":%q,"file_path":%q}`, text, text))
	turn.Emit(session.ToolOutput{Call: call, Text: text})
	p.Settle()
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolFailed, Result: session.ToolResult{Text: text, Summary: text},
		Edits: []session.FileEdit{{Path: text, Patch: "@@ -1 +1 @@\n-" + text + "\n+" + text + "\n"}}})
	_, answer := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: text, Command: text, Reason: text,
		Rules: []session.Rule{{Tool: "T", Label: text}}}})
	p.Pass(time.Second)
	p.Keys("n")
	got(p, answer)
	turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: &session.Problem{What: text, Next: text}})
	p.Settle()
}

// harmless checks that a screen was made to do nothing but show text, and that what is on it is where it belongs.
func harmless(p *Program, e *effects) {
	p.T.Helper()
	for mode, on := range e.modes {
		if !slices.Contains(borrowedModes, mode) {
			p.T.Errorf("mode %s was changed to %t", mode, on)
		}
	}
	if on, changed := e.modes["1049"]; changed && !on {
		p.T.Error("the screen was left")
	}
	for _, title := range e.titles {
		if !ourTitle.MatchString(title) {
			p.T.Errorf("the title was set to %q", title)
		}
	}
	if len(e.other) > 0 {
		p.T.Errorf("the terminal was made to do %q", e.other)
	}
	if rows := p.Rows(); !strings.HasPrefix(rows[len(rows)-1], "  asks before it acts") || !strings.HasPrefix(rows[len(rows)-2], ">") || p.Cursor() != 2 {
		p.T.Errorf("what is at the end is not where it belongs, or the cursor, in column %d, is not:\n%s", p.Cursor(), p.Text())
	}
	// Whatever moved something without our knowing would show when everything is drawn again.
	before := p.Dump()
	p.Keys("ctrl+l")
	if after := p.Dump(); after != before {
		p.T.Errorf("drawn anew the screen is another one; before:\n%s\nafter:\n%s", before, after)
	}
}

func TestHostileTextDoesNothing(t *testing.T) {
	for _, inline := range []bool{false, true} {
		texts := append(slices.Clone(hostiles[:repeat.Times(18, len(hostiles), len(hostiles))]), strings.Join(hostiles, ""), strings.Join(hostiles, "\n"))
		for some := range slices.Chunk(texts, repeat.Times(20, 20, 1)) {
			hostile(t, inline, some...)
		}
	}
}

// hostile plays texts one after the other on a screen that is watched.
func hostile(t *testing.T, inline bool, texts ...string) {
	t.Helper()
	Run(t, Config{Width: 70, Height: 24, Options: func(o *ui.Options) {
		in("TERM_PROGRAM=WezTerm")(o) // which knows links
		o.Appearance.Inline = inline
		o.Appearance.Notify, o.Appearance.Progress = "off", "off"
	}}, func(p *Program) {
		e := p.watch()
		for _, text := range texts {
			play(p, text)
			if inline {
				if len(e.other) > 0 {
					t.Errorf("the terminal was made to do %q", e.other)
				}
				p.checkNoModes(e)
			} else {
				harmless(p, e)
			}
			if t.Failed() {
				t.Fatalf("the text was %q", text)
			}
		}
	})
}

// checkNoModes checks the modes and titles alone: an inline frame is somewhere on the screen.
func (p *Program) checkNoModes(e *effects) {
	p.T.Helper()
	for mode, on := range e.modes {
		if !slices.Contains(borrowedModes, mode) || mode == "1049" {
			p.T.Errorf("mode %s was changed to %t", mode, on)
		}
	}
	for _, title := range e.titles {
		if !ourTitle.MatchString(title) {
			p.T.Errorf("the title was set to %q", title)
		}
	}
}

func FuzzHostileText(f *testing.F) {
	seeds := hostiles
	if option("test.fuzz") == "" { // TestHostileTextDoesNothing has played them
		seeds = seeds[:repeat.Times(1, 1, len(seeds))]
	}
	for _, s := range seeds {
		f.Add(s, false)
	}
	f.Add(strings.Join(hostiles, ""), true)
	f.Fuzz(func(t *testing.T, text string, inline bool) {
		if len(text) > 4096 {
			text = text[:4096]
		}
		hostile(t, inline, text)
	})
}
