package claude

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/claude/mapper"
)

// Context windows of the runtime in tokens: the usual one, and that of a model whose id ends with longMark.
const (
	usualWindow = 200_000
	longWindow  = 1_000_000
	longMark    = "[1m]"
)

// listedWindow returns the context window of a model in the login's list, 0 if it is not listed.
func listedWindow(models []session.Model, id string) int64 {
	if m := session.ListedModel(models, id); m != nil {
		return m.ContextWindow
	}
	return 0
}

// spelledFor returns the runtime's spelling of a model, with the mark of the long window if the login's list has one.
// Without the mark the runtime uses the usual window.
func spelledFor(models []session.Model, id string) string {
	spelled := mapper.RuntimeModel(id)
	if strings.HasPrefix(id, "claude-") && !strings.HasSuffix(id, "]") && listedWindow(models, id) >= longWindow {
		spelled += longMark
	}
	return spelled
}

// windowOf returns the context window of a model in tokens before the runtime reports it, 0 if unknown. It is the window
// that the runtime is asked for, at most the listed one.
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

// lastLateSwitch is the newest version known to use a new model only from the next prompt on. 2.1.330 uses it with the
// next request.
const lastLateSwitch = "2.1.197"

// switchesLate reports whether a runtime uses the old model until the running turn is over. An unreadable version counts
// as new.
func switchesLate(version string) bool { return notNewer(version, lastLateSwitch) }

// notNewer reports whether a version is another one or older. An unreadable version counts as new.
func notNewer(version, than string) bool {
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
	return len(v) == 3 && slices.Compare(v, parts(than)) <= 0
}
