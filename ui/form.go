package ui

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// form is a row of questions with options or free words, shown one after the other. Every question that an agent or an
// MCP server may put becomes one, so that none of them can leave a session hanging.
type form struct {
	fields []field
	at     int // the question shown
	sel    int // the option selected in it
	input  *lineInput
}

// field is one question.
type field struct {
	key     string // what the answer is filed under
	text    string
	options []session.QuestionOption
	values  []string // what picking an option means, where that is not its label
	multi   bool
	free    bool
	chosen  []string
}

// freeLabel is the option that leads to words of one's own.
const freeLabel = "something else…"

func questionForm(q *session.QuestionAsk) *form {
	f := &form{}
	for _, q := range q.Questions {
		f.fields = append(f.fields, field{key: q.Text, text: q.Text, options: q.Options, multi: q.Multi, free: q.Free})
	}
	f.enter(0)
	return f
}

// elicitationForm makes questions of the fields of a JSON schema. What the schema does not say plainly is asked for in
// words.
func elicitationForm(e *session.ElicitationAsk) *form {
	f := &form{fields: schemaFields(e.Schema)}
	if len(f.fields) == 0 {
		f.fields = []field{{key: "", text: "", options: []session.QuestionOption{{Label: "accept"}}}}
	}
	f.enter(0)
	return f
}

// schemaFields reads the properties of an object schema, in the order they are written in.
func schemaFields(schema json.RawMessage) []field {
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	var fields []field
	dec := json.NewDecoder(bytes.NewReader(s.Properties))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		var p struct {
			Type, Title, Description string
			Enum, EnumNames          []string
		}
		var raw json.RawMessage
		if err != nil || !ok || dec.Decode(&raw) != nil {
			break
		}
		_ = json.Unmarshal(raw, &p)
		fd := field{key: name, text: name}
		if p.Title != "" {
			fd.text = p.Title
		}
		if p.Description != "" {
			fd.text += ": " + p.Description
		}
		for i, v := range p.Enum {
			label := v
			if i < len(p.EnumNames) {
				label = p.EnumNames[i]
			}
			fd.options = append(fd.options, session.QuestionOption{Label: label})
			fd.values = append(fd.values, v)
		}
		if p.Type == "boolean" {
			fd.options = []session.QuestionOption{{Label: "yes"}, {Label: "no"}}
			fd.values = []string{"true", "false"}
		}
		fd.free = len(fd.options) == 0
		fields = append(fields, fd)
	}
	return fields
}

// enter shows a question.
func (f *form) enter(i int) {
	f.at, f.sel, f.input = i, 0, nil
	if i < len(f.fields) && len(f.fields[i].options) == 0 {
		f.input = &lineInput{}
	}
}

// writing reports whether words are being written.
func (f *form) writing() bool { return f.input != nil }

// key handles a key. It returns the answer when the last question is answered or the form is declined.
func (f *form) key(k tea.KeyPressMsg) (session.Answer, bool) {
	if len(f.fields) == 0 {
		return session.Answer{Decision: session.Deny}, true
	}
	fd := &f.fields[f.at]
	n := len(fd.options)
	if fd.free && n > 0 {
		n++
	}
	s := k.String()
	if f.writing() {
		return f.writeKey(k)
	}
	switch {
	case s == "esc":
		return session.Answer{Decision: session.Deny}, true
	case s == "up" || s == "k":
		f.sel = max(0, f.sel-1)
	case s == "down" || s == "j":
		f.sel = min(n-1, f.sel+1)
	case s == "space" && fd.multi && f.sel < len(fd.options):
		fd.toggle(f.sel)
	case len(s) == 1 && s[0] >= '1' && s[0] <= '9' && int(s[0]-'1') < n:
		f.sel = int(s[0] - '1')
		if fd.multi && f.sel < len(fd.options) {
			fd.toggle(f.sel)
			break
		}
		return f.pick()
	case s == "enter":
		return f.pick()
	}
	return session.Answer{}, false
}

// writeKey handles a key while words are written.
func (f *form) writeKey(k tea.KeyPressMsg) (session.Answer, bool) {
	fd := &f.fields[f.at]
	switch k.String() {
	case "enter":
		if words := strings.TrimSpace(f.input.String()); words != "" {
			fd.chosen = append(fd.chosen, words)
		}
		return f.next()
	case "esc":
		if len(fd.options) == 0 {
			return session.Answer{Decision: session.Deny}, true
		}
		f.input = nil
	default:
		f.input.Key(k)
	}
	return session.Answer{}, false
}

// pick takes the selected option.
func (f *form) pick() (session.Answer, bool) {
	fd := &f.fields[f.at]
	if f.sel >= len(fd.options) {
		f.input = &lineInput{}
		return session.Answer{}, false
	}
	if !fd.multi || len(fd.chosen) == 0 {
		fd.chosen = []string{fd.value(f.sel)}
	}
	return f.next()
}

// next shows the next question, or answers after the last.
func (f *form) next() (session.Answer, bool) {
	if f.at+1 < len(f.fields) {
		f.enter(f.at + 1)
		return session.Answer{}, false
	}
	a := session.Answer{Decision: session.Allow, Choices: map[string][]string{}}
	for _, fd := range f.fields {
		if fd.key != "" {
			a.Choices[fd.key] = fd.chosen
		}
	}
	return a, true
}

func (fd *field) value(i int) string {
	if i < len(fd.values) {
		return fd.values[i]
	}
	return fd.options[i].Label
}

func (fd *field) toggle(i int) {
	v := fd.value(i)
	if at := slices.Index(fd.chosen, v); at >= 0 {
		fd.chosen = slices.Delete(fd.chosen, at, at+1)
		return
	}
	fd.chosen = append(fd.chosen, v)
}

// view lays the question out below the rows of the prompt's head.
func (f *form) view(l *look, rows, detail []string, focused bool) ([]string, int, int) {
	th, ms, w := l.theme, l.measure, l.width-4
	rows = append(rows, detail...)
	cx, cy := -1, -1
	if len(f.fields) == 0 {
		return rows, cx, cy
	}
	fd := &f.fields[f.at]
	if fd.text != "" {
		head := visible(fd.text)
		if len(f.fields) > 1 {
			head = "(" + group(f.at+1) + " of " + group(len(f.fields)) + ") " + head
		}
		for _, s := range ms.wrap(head, w) {
			rows = append(rows, "  "+s)
		}
	}
	wide := 0
	for _, o := range fd.options {
		wide = max(wide, ms.width(visible(oneLine(o.Label))))
	}
	wide = min(wide, w/2)
	line := func(i int, label, description, tick string) {
		s := "  "
		if i == f.sel && focused && f.input == nil {
			s = "❯ "
		}
		s += group(i+1) + " " + tick + ms.pad(label, wide)
		st := style("")
		if i == f.sel && focused && f.input == nil {
			st = th.chosen
		}
		rest := w - ms.width(s) - 2
		rows = append(rows, "  "+st.of(s)+"  "+th.dim.of(ms.clip(description, rest)))
	}
	for i, o := range fd.options {
		tick := ""
		if fd.multi {
			tick = "[ ] "
			if slices.Contains(fd.chosen, fd.value(i)) {
				tick = "[x] "
			}
		}
		line(i, visible(oneLine(o.Label)), visible(oneLine(o.Description)), tick)
	}
	if fd.free && len(fd.options) > 0 {
		line(len(fd.options), freeLabel, "", "")
	}
	hint := "enter answers · esc declines"
	if fd.multi {
		hint = "space picks several · " + hint
	}
	if f.input != nil {
		text, at := f.input.View(ms, w-4)
		rows = append(rows, "  "+th.accent.of("> ")+text)
		cx, cy = 4+at, len(rows)-1
	}
	return append(rows, "  "+th.dim.of(hint)), cx, cy
}
