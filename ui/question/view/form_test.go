package view

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// FuzzForm fills in forms of any schema with any keys, in a window of any size: nothing panics, no row is wider than the
// window, and escape always gets out.
func FuzzForm(f *testing.F) {
	f.Add(`{"properties":{"a":{"type":"string","minLength":2},"b":{"type":"integer","minimum":1},"c":{"type":"boolean"}},"required":["a"]}`, "xy\r1\r\t\r", 80, 10)
	f.Add(`{"properties":{"a":{"type":"array","items":{"enum":["x","y"]},"default":["x"]},"b":{"oneOf":[{"const":1,"title":"日本"}]}}}`, " j \r\r\r", 40, 3)
	f.Add(`{"properties":{"a":{"enum":[null,1,true,{"x":[]}]}, "b":7}}`, "9jjjkkk\x1b", 41, 1)
	f.Add(`{"properties":[]}`, "\r", 200, 0)
	f.Fuzz(func(t *testing.T, schema, keys string, width, limit int) {
		width, limit = min(max(width, 40), 300), min(max(limit, 3), 100)
		l := &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: width, Height: 24}
		km, _ := keymap.New(nil)
		p := newPrompt(question.New(&session.Ask{Asked: session.Asked{Elicitation: &session.ElicitationAsk{Server: "s", Message: "m", Schema: []byte(schema)}}}, question.Options{}), km, time.Now)
		p.focus.show(time.Now())
		p.focus.give()
		show := func() {
			rows, _, _ := sketch{p, l, ofTurn{waiting: 1}}.view(limit)
			if len(rows) > limit && limit >= 3 {
				t.Fatalf("%d rows where %d fit:\n%s", len(rows), limit, strings.Join(rows, "\n"))
			}
			for _, r := range rows {
				if w := l.Measure.Width(r); w > width {
					t.Fatalf("a row of %d columns in %d: %q", w, width, style.Unstyled(r))
				}
			}
		}
		names := map[rune]tea.KeyPressMsg{'\r': {Code: tea.KeyEnter}, '\t': {Code: tea.KeyTab}, '\x1b': {Code: tea.KeyEscape}, ' ': {Code: tea.KeySpace, Text: " "}}
		for _, r := range keys {
			k, ok := names[r]
			if !ok {
				k = tea.KeyPressMsg{Code: r, Text: string(r)}
			}
			show()
			if p.key(k) != nil {
				return
			}
		}
		for range 2*len(p.form.Fields) + 4 {
			show()
			if p.key(names['\x1b']) != nil {
				return
			}
		}
		t.Fatal("escape does not get out")
	})
}

// FuzzOptions shows options with any words and any preview, in a window of any size: no row is wider than the window, and
// nothing of it can drive the terminal.
func FuzzOptions(f *testing.F) {
	f.Add("Typed", "one type", "# A\n\n```go\nx := 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |", "pjjjp\x1bn", 80, 10, false)
	f.Add("東京", "\x1b]52;c;x\x07", "\x1b[2J<b>x</b> [a](javascript:x)\u202e", "n x\rp", 120, 40, true)
	f.Fuzz(func(t *testing.T, label, about, preview, keys string, width, limit int, multi bool) {
		width, limit = min(max(width, 40), 300), min(max(limit, 3), 100)
		l := &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: width, Height: 24}
		km, _ := keymap.New(nil)
		options := []session.QuestionOption{{Label: label, Description: about, Preview: preview}, {Label: about, Preview: label}, {Label: "x"}}
		p := newPrompt(question.New(&session.Ask{Asked: session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{
			{Text: about, Header: label, Options: options, Multi: multi, Free: true}, {Text: label, Options: options}}}}}, question.Options{}), km, time.Now)
		p.focus.show(time.Now())
		p.focus.give()
		for _, r := range "\x00" + keys {
			name := map[rune]string{'\r': "enter", '\t': "tab", '\x1b': "esc", 'j': "down", 'k': "up"}[r]
			done := false
			switch {
			case r == 0:
			case name != "":
				_, done = p.form.key(name, "")
			case p.form.Acts(string(r)):
				_, done = p.form.act(string(r))
			default:
				p.form.choose(string(r))
				_, done = p.form.key(string(r), string(r))
			}
			if done {
				return
			}
			rows, _, _ := sketch{p, l, ofTurn{waiting: 1}}.view(limit)
			if len(rows) > limit {
				t.Fatalf("%d rows where %d fit", len(rows), limit)
			}
			for _, row := range rows {
				if w := l.Measure.Width(row); w > width || strings.ContainsAny(style.Unstyled(row), "\x1b\x07\u009b\u202e") {
					t.Fatalf("a row of %d columns in %d: %q", w, width, row)
				}
			}
		}
	})
}
