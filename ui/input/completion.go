package input

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/files"
	"parley/ui/style"
	"parley/ui/textarea"
)

// completion is the list of what the word at the cursor may become: a command, its argument, a file.
type completion struct {
	*textarea.Completion
	composer *textarea.Composer
	picked   bool   // the last key completed a file, so that a colon begins its lines
	entered  string // the directory that the last key completed: enter takes it and does not send
}

// entering is an effect of enter in the open list.
type entering int

const (
	sends     entering = iota // it sends what is written: the list has nothing to add
	runs                      // it runs the command that is selected
	completes                 // it completes what is selected
	finishes                  // it completes the argument that is selected, and sends
)

// source looks candidates up for a Model.
type source struct{ m *Model }

// Candidates returns what is known at once. Files are searched in the background.
func (s source) Candidates(r textarea.Request, limit int) []textarea.Candidate {
	var all []textarea.Candidate
	switch r.What {
	case textarea.CompleteCommand:
		if !strings.HasPrefix(r.Query, "/") {
			all = s.m.o.Commands(r.Query)
		}
	case textarea.CompleteArgument:
		if takesDir(s.m) {
			all = slices.DeleteFunc(s.m.finder.candidates(r.Query), func(c textarea.Candidate) bool { return !c.More })
			break
		}
		all = matching(s.m.o.Arguments(r.Command), r.Query)
	case textarea.CompleteFile:
		all = append(s.m.finder.candidates(r.Query), s.resources(r.Query)...)
	}
	return all[:min(len(all), limit)]
}

// resources returns the resources of MCP servers that match a query. All of them are only offered once something is written.
func (s source) resources(query string) []textarea.Candidate {
	if s.m.o.Resources == nil || query == "" {
		return nil
	}
	var all []textarea.Candidate
	for _, r := range s.m.o.Resources() {
		all = append(all, textarea.Candidate{Text: r.Mention, Detail: cmp.Or(r.About, r.Name)})
	}
	return matching(all, query)
}

// matching returns the candidates that contain a query in any case, those that begin with it first.
func matching(all []textarea.Candidate, query string) []textarea.Candidate {
	var begin, within []textarea.Candidate
	query = strings.ToLower(query)
	for _, c := range all {
		switch at := strings.Index(strings.ToLower(c.Text), query); {
		case at == 0:
			begin = append(begin, c)
		case at > 0:
			within = append(within, c)
		}
	}
	return append(begin, within...)
}

// completionKey handles a key of the open list and reports whether it did.
func (m *Model) completionKey(key string) (a Action, cmd tea.Cmd, used bool) {
	c := &m.completion
	picked, entered := c.picked, c.entered
	c.picked, c.entered = false, ""
	if key == ":" && picked {
		m.composer.Delete(textarea.CharLeft) // the blank behind the file whose lines follow
		return nil, nil, false
	}
	if !c.Open() {
		return nil, nil, false
	}
	switch key {
	case "up", "ctrl+p":
		c.entered = entered
		c.Move(-1)
	case "down", "ctrl+n":
		c.entered = entered
		c.Move(1)
	case "esc":
		c.Close()
	case "tab":
		if c.accept(false) {
			cmd = m.changed()
		}
		return nil, cmd, true
	case "enter":
		switch does, chosen := c.enter(entered, m.o.Complete); does {
		case sends:
			return nil, nil, false
		case runs:
			return Command{Name: chosen, Text: "/" + chosen}, nil, true
		case finishes:
			if c.accept(false) {
				cmd = m.changed()
			}
			return m.Submit(false), cmd, true
		}
		if c.accept(true) {
			cmd = m.changed()
		}
		return nil, cmd, true
	default:
		return nil, nil, false
	}
	m.redraw = true
	return nil, nil, true
}

// enter returns what enter does with the selected candidate: a command runs, an argument and a file are completed. What is written in
// full already is left to be sent. entered is the directory that the key before completed; complete reports whether a command
// is run as it is.
func (c *completion) enter(entered string, complete func(command string) bool) (does entering, chosen string) {
	all, at := c.List()
	r, chosen := c.Request(), all[at].Text
	switch r.What {
	case textarea.CompleteCommand:
		if strings.TrimSpace(c.composer.Value()) != "/"+r.Query || !c.composer.Begins("/") {
			return sends, chosen // something else is written behind it
		}
		if complete(chosen) {
			return runs, chosen
		}
	case textarea.CompleteArgument:
		if r.Query == "" || strings.EqualFold(chosen, r.Query) || all[at].More && !files.Outside(r.Query) { // only the beginning of a path
			return sends, chosen
		}
		return finishes, chosen
	default:
		if chosen == r.Query && (entered == "" || r.Query != entered) {
			return sends, chosen
		}
	}
	return completes, chosen
}

// accept completes the selected candidate, and reports whether there was one. A directory opens the list of its entries unless done
// says to stop there.
func (c *completion) accept(done bool) bool {
	file := c.files()
	got, ok := c.Accept()
	if !ok {
		return false
	}
	if got.More && done {
		end := " "
		if strings.ContainsAny(got.Text, " \t") {
			end = `" ` // compose leaves the quotes of a directory open
		}
		c.composer.Insert(end)
	}
	c.picked = file && !got.More
	if c.entered = ""; file && got.More && !done {
		c.entered = got.Text
	}
	return true
}

// noFiles returns why no files are offered where one is written, "" if some are or none is written.
func (c *completion) noFiles(f *finder) string {
	if c.files() && !c.Open() && !c.Closed() {
		return f.none(c.Request().Query)
	}
	return ""
}

// files reports whether a file is written at the cursor.
func (c *completion) files() bool { return c.Request().What == textarea.CompleteFile }

// takesDir reports whether a directory elsewhere is written behind a command at the cursor.
func takesDir(m *Model) bool {
	r := m.completion.Request()
	return r.What == textarea.CompleteArgument && m.o.Dirs != nil && files.Outside(r.Query) && m.o.Dirs(r.Command)
}

// rows returns at most limit rows of the list, the selected candidate among them.
func (c *completion) rows(l *style.Look, limit int) []string {
	all, at := c.List()
	from := max(0, min(at-limit/2, len(all)-limit))
	all = all[from:min(len(all), from+limit)]
	wide := 0
	for _, k := range all {
		wide = max(wide, l.Measure.Width(labelOf(k)))
	}
	wide = min(wide, l.Width-8)
	rows := make([]string, 0, len(all))
	for i, k := range all {
		mark, st := "  ", style.Style("")
		if from+i == at {
			mark, st = "❯ ", l.Theme.Chosen
		}
		text := labelOf(k)
		if c.files() {
			text = l.Measure.ClipLeft(text, wide)
		}
		row := "  " + st.Of(mark+l.Measure.Pad(text, wide))
		if from+i != at {
			row = "  " + mark + written(l, l.Measure.Pad(text, wide), c.Request().Query)
		}
		if k.Detail != "" {
			row += "  " + l.Theme.Dim.Of(l.Measure.Clip(style.Visible(style.OneLine(k.Detail)), l.Width-wide-8))
		}
		rows = append(rows, row)
	}
	return rows
}

// written returns a text with what is written of it in bold.
func written(l *style.Look, text, query string) string {
	at := strings.Index(strings.ToLower(text), strings.ToLower(query))
	if query == "" || at < 0 || at+len(query) > len(text) || !strings.EqualFold(text[at:at+len(query)], query) { // lower case may be longer
		return text
	}
	return text[:at] + l.Theme.Bold.Of(text[at:at+len(query)]) + text[at+len(query):]
}

// labelOf returns a candidate as the list shows it.
func labelOf(k textarea.Candidate) string {
	if k.Label != "" {
		return style.Visible(style.OneLine(k.Label))
	}
	return style.Visible(style.OneLine(k.Text))
}
