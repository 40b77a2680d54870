package mapper

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/internal/linediff"
	"parley/session"
)

// The tools that are mapped in a special way. Others are shown with their result.
const (
	toolThink    = "think"
	toolProgress = "report_progress"
	toolView     = "view"
	toolBash     = "bash"
)

// input holds the used fields of a call's input. The service has written the names of report_progress in two ways.
type input struct {
	Path         string `json:"path"`
	Thought      string `json:"thought"`
	DescriptionS string `json:"pr_description"`
	DescriptionC string `json:"prDescription"`
}

func (i input) description() string { return i.DescriptionS + i.DescriptionC }

// toolCalls maps the calls of a choice: their beginnings, and with a content their results.
func (m *Mapper) toolCalls(entry *chunk, d delta, choice int) {
	for n, t := range d.calls {
		id := t.id
		if id == "" {
			id = fmt.Sprintf("%d.%d.%d", m.entries, choice, n)
		}
		c := m.calls[id]
		if c == nil && t.name == "" {
			continue
		}
		if c == nil {
			m.reasoning(d.reasoning, choice)
			c = m.begin(id, t.name, entry.argumentsOf(t), choice)
		} else if d.content != "" && !c.ended {
			m.reasoning(d.reasoning, choice)
		}
		if d.content != "" && !c.ended {
			m.finish(id, c, d.content)
		}
	}
}

// begin announces a call with its whole input.
func (m *Mapper) begin(id, name, arguments string, choice int) *call {
	c := &call{name: name, started: m.at}
	m.calls[id], m.order = c, append(m.order, id)
	if json.Unmarshal([]byte(arguments), &c.input) != nil {
		c.input = input{}
	}
	if name == toolThink && strings.TrimSpace(c.input.Thought) != "" {
		m.part(session.PartReasoning, c.input.Thought, choice)
		return c
	}
	c.shown = true
	h := m.head()
	m.emit(session.ToolStarted{Head: h, Call: m.callID(id), Name: name})
	m.emit(session.ToolReady{Head: h, Call: m.callID(id), Input: relativeInput(arguments)})
	if name == toolProgress {
		if todos := checklist(c.input.description()); todos != nil {
			m.emit(session.TodosChanged{Head: h, Todos: todos})
		}
	}
	return c
}

func (m *Mapper) callID(id string) session.CallID { return session.CallID(m.o.Session + "/" + id) }

// exited begins the line with which the result of a command ends.
const exited = "<exited with exit code "

// exitCode returns the exit code at the end of a result, and the rest of it.
func exitCode(text string) (code int, rest string, ok bool) {
	at := strings.LastIndex(text, exited)
	if at < 0 {
		return 0, text, false
	}
	number, after, closed := strings.Cut(text[at+len(exited):], ">")
	code, err := strconv.Atoi(number)
	if err != nil || !closed || strings.TrimSpace(after) != "" {
		return 0, text, false
	}
	return code, strings.TrimSuffix(text[:at], "\n"), true
}

// finish maps the result of a call.
func (m *Mapper) finish(id string, c *call, content string) {
	c.ended = true
	if !c.shown {
		return
	}
	e := session.ToolEnded{Head: m.head(), Call: m.callID(id), Outcome: session.ToolOK, Result: session.ToolResult{Text: strings.Trim(content, "\n")}}
	e.Duration = since(c.started, m.at)
	header, patch, isDiff := splitDiff(content)
	switch {
	case c.name == toolView && isDiff:
		e.Result.Text = plain(patch)
	case strings.HasSuffix(c.name, toolBash):
		if code, rest, ok := exitCode(e.Result.Text); ok {
			e.Result.Text, e.Result.ExitCode = rest, &code
			if code != 0 {
				e.Outcome = session.ToolFailed
			}
		}
	case isDiff && c.input.Path != "":
		e.Edits = []session.FileEdit{m.edit(c.input.Path, header, patch)}
		e.Result.Text = ""
	}
	m.emit(e)
}

// edit returns the change of a file that a diff describes.
func (m *Mapper) edit(file, header, patch string) session.FileEdit {
	e := session.FileEdit{Path: m.local(file), Patch: patch, Created: strings.Contains(header, "\ncreate file mode ") || strings.Contains(header, "\nnew file mode "),
		Deleted: strings.Contains(header, "\ndeleted file mode ")}
	e.Added, e.Removed = linediff.Count(patch)
	return e
}

// splitDiff splits a diff of one file into its header and its hunks.
func splitDiff(content string) (header, patch string, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(content, "\n"), "diff --git ") {
		return "", "", false
	}
	at := strings.Index(content, "\n@@ ")
	if at < 0 {
		return "", "", false
	}
	return content[:at+1], content[at+1:], true
}

// plain returns the text of hunks without their headers and the first column. A file that is only viewed comes like that.
func plain(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		if !strings.HasPrefix(line, "@@ ") && line != "\n" {
			b.WriteString(line[1:])
		} else if line == "\n" {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// checkout matches where a runner has the repository.
var checkout = lazyregexp.New(`^/home/runner/work/[^/]+/[^/]+(/|$)`)

// relative returns a path on the runner relative to the repository, and whether it lies in it.
func relative(file string) (string, bool) {
	at := checkout.FindStringIndex(file)
	if at == nil {
		return file, false
	}
	if rest := path.Clean(file[at[1]:]); rest != ".." && !strings.HasPrefix(rest, "../") && !path.IsAbs(rest) {
		return rest, true
	}
	return file, false
}

// local returns where a file of the runner would be on this machine.
func (m *Mapper) local(file string) string {
	rel, ok := relative(file)
	if !ok || m.o.Dir == "" {
		return file
	}
	return filepath.Join(m.o.Dir, filepath.FromSlash(rel))
}

// relativeInput returns the input of a call with paths relative to the repository, and without the change of directory with
// which the agent begins its commands.
func relativeInput(arguments string) json.RawMessage {
	raw := json.RawMessage(arguments)
	var fields map[string]json.RawMessage
	if !strings.Contains(arguments, "/home/runner/work/") || json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	changed := false
	set := func(name string, change func(string) string) {
		var old string
		if json.Unmarshal(fields[name], &old) != nil || old == "" {
			return
		}
		if text := change(old); text != old {
			if encoded, err := json.Marshal(text); err == nil {
				fields[name], changed = encoded, true
			}
		}
	}
	set("path", func(s string) string { rel, _ := relative(s); return rel })
	set("command", func(s string) string { return changeOfDirectory.ReplaceAllString(s, "") })
	if !changed {
		return raw
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return raw
	}
	return out
}

// changeOfDirectory matches the beginning of a command that only enters the repository.
var changeOfDirectory = lazyregexp.New(`^cd /home/runner/work/[^/\s;&|]+/[^/\s;&|]+/? && `)

// item matches an item of a checklist in markdown.
var item = lazyregexp.New(`^\s*[-*+] \[([ xX])\] (.+?)\s*$`)

// checklist returns the items of a checklist, nil if there are none. The first open item counts as in progress.
func checklist(text string) []session.Todo {
	var todos []session.Todo
	active := false
	for line := range strings.Lines(text) {
		found := item.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil {
			continue
		}
		t := session.Todo{Text: strings.NewReplacer("**", "", "`", "").Replace(found[2]), State: session.TodoDone}
		if found[1] == " " {
			if t.State = session.TodoPending; !active {
				t.State, active = session.TodoActive, true
			}
		}
		todos = append(todos, t)
	}
	return todos
}

// since returns a duration between two times, 0 if one is unknown.
func since(from, to time.Time) time.Duration {
	if from.IsZero() || !to.After(from) {
		return 0
	}
	return to.Sub(from)
}
