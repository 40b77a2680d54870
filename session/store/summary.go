package store

import (
	"encoding/json"
	"os"
	"strings"
	"unicode/utf8"

	"parley/internal/atomicfile"
	"parley/session"
)

// summary is what the list of sessions shows of one, together with how much of the journal it covers. As journals only
// grow, a summary that covers a beginning is brought up to date by folding the rest.
type summary struct {
	// Size is the length in bytes of the beginning of the journal that the summary covers; it ends with a whole line.
	Size int64        `json:"size"`
	Meta session.Meta `json:"meta"`
	// Choices are told by summaries that know them.
	Choices choices `json:"choices"`
	// Todos is the agent's task list.
	Todos []session.Todo `json:"todos,omitempty"`
}

// firstLength is how many characters of the first prompt are kept.
const firstLength = 200

// fold takes one event in.
func (s *summary) fold(e session.Event) {
	s.Choices.fold(e)
	h := e.Header()
	if h.At.After(s.Meta.Updated) {
		s.Meta.Updated = h.At
	}
	if s.Meta.Created.IsZero() {
		s.Meta.Created = h.At
	}
	switch e := e.(type) {
	case session.TurnStarted:
		s.Meta.Turns++
		if s.Meta.First == "" {
			s.Meta.First = shorten(e.Prompt.Text)
		}
	case session.TitleChanged:
		s.Meta.Title = e.Title
	case session.TodosChanged:
		s.Todos = e.Todos
	case session.ModelChanged:
		if e.Model != "" {
			s.Meta.Model = e.Model
		}
	}
}

// shorten makes one line of a prompt's beginning.
func shorten(text string) string {
	if len(text) > 8*firstLength {
		text = text[:8*firstLength]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) <= firstLength {
		return text
	}
	return string([]rune(text)[:firstLength-1]) + "…"
}

// summaryPath returns where the summary of a journal lies.
func summaryPath(journal string) string {
	return strings.TrimSuffix(journal, journalSuffix) + ".summary.json"
}

// mostSummary is how many bytes a summary may have to be worth reading.
const mostSummary = 4 << 20

// loadSummary reports false if there is none that makes sense.
func loadSummary(path string) (summary, bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > mostSummary {
		return summary{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return summary{}, false
	}
	s := summary{Choices: choices{Lost: true}} // unless it says otherwise: older ones do not count them
	if json.Unmarshal(data, &s) != nil || s.Size <= 0 || s.Meta.ID == "" {
		return summary{}, false
	}
	return s, true
}

// saveSummary is best effort, as summaries can be derived.
func saveSummary(path string, s summary) {
	if data, err := json.Marshal(s); err == nil {
		_ = atomicfile.Write(path, data)
	}
}
