package claude

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/claude/mapper"
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
		if mapper.SameModel(m.ID, id) {
			return m.ContextWindow
		}
	}
	return 0
}

// spelledFor returns a model as the runtime is asked for it: in its own spelling, with the mark of the long window where
// the login's list says that the model has one. Without the mark the runtime makes do with the usual window.
func spelledFor(models []session.Model, id string) string {
	spelled := mapper.RuntimeModel(id)
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
