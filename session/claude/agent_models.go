package claude

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/session"
)

// The context windows that the runtime reckons with, in tokens: the usual one, and the one that it takes for a model whose
// id ends with longMark.
const (
	usualWindow = 200_000
	longWindow  = 1_000_000
	longMark    = "[1m]"
)

// listedWindow returns the context window that the login's list gives a model, 0 if it is not listed.
func listedWindow(models []session.Model, id string) int64 {
	for _, m := range models {
		if sameModel(m.ID, id) {
			return m.ContextWindow
		}
	}
	return 0
}

// spelledFor returns a model as the runtime is asked for it: in its own spelling, with the mark of the long window where
// the login's list says that the model has one. Without the mark the runtime makes do with the usual window.
func spelledFor(models []session.Model, id string) string {
	spelled := runtimeModel(id)
	if strings.HasPrefix(id, "claude-") && !strings.HasSuffix(id, "]") && listedWindow(models, id) >= longWindow {
		spelled += longMark
	}
	return spelled
}

// windowOf returns the context window of a model in tokens as far as it is known before the runtime says it, 0 if it is
// not: what the runtime is asked for, and no more than the list says.
func windowOf(models []session.Model, id string) int64 {
	listed := listedWindow(models, id)
	switch {
	case listed == 0:
		return 0
	case listed >= longWindow:
		return longWindow
	}
	return min(listed, usualWindow)
}

var dashed = regexp.MustCompile(`^(claude-[a-z]+-\d+)-(\d{1,2})$`)

// listSpelling spells a model of a transcript as Copilot's lists do, "claude-sonnet-4.6" for "claude-sonnet-4-6".
func listSpelling(id string) string {
	if !strings.HasPrefix(id, "claude-") {
		return id
	}
	id, _, _ = strings.Cut(id, "[")
	return dashed.ReplaceAllString(modelDate.ReplaceAllString(id, ""), "$1.$2")
}

// lastLate is the newest version known to use a new model with the next prompt only. 2.1.330 uses it with the next
// request.
const lastLate = "2.1.197"

// switchesLate reports whether a runtime goes on with the old model until the running turn is over. A version that cannot
// be read is taken for a new one.
func switchesLate(version string) bool {
	parts := func(v string) (out []int) {
		for _, s := range strings.Split(v, ".") {
			n, err := strconv.Atoi(s)
			if err != nil {
				return nil
			}
			out = append(out, n)
		}
		return out
	}
	v := parts(version)
	return len(v) == 3 && slices.Compare(v, parts(lastLate)) <= 0
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
