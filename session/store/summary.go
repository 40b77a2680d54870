package store

import (
	"encoding/json"
	"os"
	"strings"
	"unicode/utf8"

	"parley/internal/safefs"
	"parley/session"
)

// summary describes a session in lists, with the length of the journal that it covers. Journals only grow, so an old summary
// is updated by folding the rest.
type summary struct {
	// Size is the length of the covered beginning of the journal in bytes, which ends with a whole line.
	Size int64        `json:"size"`
	Meta session.Meta `json:"meta"`
	// Choices are missing in older summaries.
	Choices choices `json:"choices"`
	// Costs are missing in older summaries.
	Costs costs `json:"costs"`
	// Todos is the agent's task list.
	Todos []session.Todo `json:"todos,omitempty"`
}

// firstLength bounds the first prompt, in characters.
const firstLength = 200

// fold adds an event.
func (s *summary) fold(e session.Event) {
	s.Choices.fold(e)
	s.Costs.fold(e, s.Meta)
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
	case session.DirsChanged:
		s.Meta.Dirs = e.Dirs
	case session.TodosChanged:
		s.Todos = e.Todos
	case session.ModelChanged:
		if e.Model != "" {
			s.Meta.Model = e.Model
		}
	}
}

// shorten returns the beginning of a prompt as one line.
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

// summaryPath returns the path of a journal's summary.
func summaryPath(journal string) string {
	return strings.TrimSuffix(journal, journalSuffix) + ".summary.json"
}

// maxSummary bounds the size of a summary, in bytes.
const maxSummary = 4 << 20

// loadSummary reads the summary of a journal, and reports false without a valid one.
func loadSummary(path string) (summary, bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxSummary {
		return summary{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return summary{}, false
	}
	s := summary{Choices: choices{Lost: true}} // older summaries do not count them
	if json.Unmarshal(data, &s) != nil || s.Size <= 0 || s.Meta.ID == "" {
		return summary{}, false
	}
	return s, true
}

// saveSummary writes a summary, ignoring errors: it can be derived.
func saveSummary(path string, s summary) {
	if data, err := json.Marshal(s); err == nil {
		_ = safefs.WriteFile(path, data)
	}
}
