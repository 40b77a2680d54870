package mapper

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"parley/session"
)

var (
	modelDate = regexp.MustCompile(`-\d{8}$`)
	dashed    = regexp.MustCompile(`^(claude-[a-z]+-\d+)-(\d{1,2})$`)
)

// RuntimeModel spells a Claude model as Claude Code does, "claude-opus-4-6" for "claude-opus-4.6", because it takes any
// other for a model without known abilities. The proxy understands both.
func RuntimeModel(id string) string {
	if strings.HasPrefix(id, "claude-") {
		return strings.ReplaceAll(id, ".", "-")
	}
	return id
}

// SameModel reports whether two spellings mean one model: with dots or dashes, with a date, with the mark of a longer
// window.
func SameModel(a, b string) bool { return plainModel(a) == plainModel(b) }

func plainModel(id string) string {
	id, _, _ = strings.Cut(strings.ToLower(id), "[")
	return modelDate.ReplaceAllString(RuntimeModel(id), "")
}

// ListedModel spells a model of a transcript as Copilot's lists do, "claude-sonnet-4.6" for "claude-sonnet-4-6".
func ListedModel(id string) string {
	if !strings.HasPrefix(id, "claude-") {
		return id
	}
	id, _, _ = strings.Cut(id, "[")
	return dashed.ReplaceAllString(modelDate.ReplaceAllString(id, ""), "$1.$2")
}

// SetWindows gives the function that tells how large the context window of a model is, in tokens, in the user's spelling;
// 0 if that is not known. It is called while mapping.
func (m *Mapper) SetWindows(sizes func(model string) int64) { m.sizes = sizes }

// Switch takes note of the model that the runtime was told to use, so that the context window gets its size: at once
// between turns, and within one as soon as the runtime uses it, or with the turn's end.
func (m *Mapper) Switch(model string, at time.Time) []session.Event {
	m.next = model
	if m.turn == "" {
		m.switched(at)
	}
	return m.take()
}

// switched makes the model that was switched to the one that counts.
func (m *Mapper) switched(at time.Time) {
	if m.next != "" {
		m.resize(m.next, at)
	}
}

// resize tells the size of the window of another model, as far as it is known.
func (m *Mapper) resize(model string, at time.Time) {
	m.model, m.next = m.names(model), ""
	size := cmp.Or(m.seen[m.model], m.sizes(m.model))
	if size == 0 || size == m.window.Window {
		return
	}
	m.window.Window = size
	if m.window.Used > 0 {
		m.emit(session.ContextReported{Head: m.at(at), Used: m.window.Used, Window: size})
	}
}
