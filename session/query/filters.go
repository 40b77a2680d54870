package query

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// filters make a filter from its value, which is not empty.
var filters = map[string]func(value string, at Place) (func(*session.Meta) bool, error){
	"agent":  byAgent,
	"model":  containing(func(m *session.Meta) string { return m.Model }),
	"branch": containing(func(m *session.Meta) string { return m.Branch }),
	"dir":    byDir,
	"tag":    byTag,
	"is":     byState,
	"before": byTime(func(changed, at time.Time) bool { return changed.Before(at) }),
	"after":  byTime(func(changed, at time.Time) bool { return !changed.Before(at) }),
}

// byAgent passes the sessions of agents whose name begins with a value, that by which programs know it or that for people.
func byAgent(value string, _ Place) (func(*session.Meta) bool, error) {
	value = strings.ToLower(value)
	return func(m *session.Meta) bool {
		return begins(m.Agent, value) || begins(session.AgentTitle(m.Agent), value)
	}, nil
}

// begins reports whether a text begins with a value in small letters.
func begins(text, value string) bool { return strings.HasPrefix(strings.ToLower(text), value) }

// containing passes the sessions with a field that has a value somewhere.
func containing(field func(*session.Meta) string) func(string, Place) (func(*session.Meta) bool, error) {
	return func(value string, _ Place) (func(*session.Meta) bool, error) {
		value = strings.ToLower(value)
		return func(m *session.Meta) bool { return strings.Contains(strings.ToLower(field(m)), value) }, nil
	}
}

// byDir passes the sessions of a directory and of those below it, for a value that begins like a path; else those whose path has it.
func byDir(value string, at Place) (func(*session.Meta) bool, error) {
	slashed := filepath.ToSlash(value)
	root, relative := "", slashed == "." || slashed == ".." || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../")
	switch {
	case relative && at.Dir == "":
		return nil, errors.New("there is no directory here")
	case relative:
		root = filepath.Join(at.Dir, value)
	case at.Home != "" && (slashed == "~" || strings.HasPrefix(slashed, "~/")):
		root = filepath.Join(at.Home, value[1:])
	case filepath.IsAbs(value):
		root = filepath.Clean(value)
	default:
		value = strings.ToLower(filepath.FromSlash(value))
		return func(m *session.Meta) bool {
			return slices.ContainsFunc(dirs(m), func(dir string) bool { return strings.Contains(strings.ToLower(dir), value) })
		}, nil
	}
	below := folded(strings.TrimSuffix(root, string(filepath.Separator)) + string(filepath.Separator))
	return func(m *session.Meta) bool {
		return slices.ContainsFunc(dirs(m), func(dir string) bool { return strings.HasPrefix(folded(dir)+string(filepath.Separator), below) })
	}, nil
}

// folded returns a path as it is compared: Windows knows no case.
func folded(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ToLower(path)
	}
	return path
}

// dirs returns the directories of a session.
func dirs(m *session.Meta) []string { return append(m.Dirs[:len(m.Dirs):len(m.Dirs)], m.Dir) }

// byTag passes the sessions with a tag that begins with a value.
func byTag(value string, _ Place) (func(*session.Meta) bool, error) {
	value = strings.ToLower(value)
	return func(m *session.Meta) bool {
		return slices.ContainsFunc(m.Tags, func(tag string) bool { return begins(tag, value) })
	}, nil
}

// isDeleted is the state of sessions in the bin, which no other query passes.
const isDeleted = "deleted"

// byState passes pinned, archived or deleted sessions.
func byState(value string, _ Place) (func(*session.Meta) bool, error) {
	switch strings.ToLower(value) {
	case "pinned":
		return func(m *session.Meta) bool { return m.Pinned }, nil
	case "archived":
		return func(m *session.Meta) bool { return m.Archived }, nil
	case isDeleted:
		return func(m *session.Meta) bool { return !m.Deleted.IsZero() }, nil
	}
	return nil, errors.New("give pinned, archived or deleted")
}

// byTime passes sessions by the time of their last change, compared with another time: that of a day is its beginning.
func byTime(passes func(changed, at time.Time) bool) func(string, Place) (func(*session.Meta) bool, error) {
	return func(value string, at Place) (func(*session.Meta) bool, error) {
		t, ok := moment(strings.ToLower(value), at.Now)
		if !ok {
			return nil, errors.New("give a date such as 2026-01-31, 2026-01, today, yesterday, or an age such as 7d or 2w")
		}
		return func(m *session.Meta) bool { return passes(m.Updated, t) }, nil
	}
}

// ages are the units of ages.
var ages = map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// maxAge bounds an age, in its unit.
const maxAge = 10_000

// moment returns the beginning of a day, a month or a year, or the time that long ago.
func moment(value string, now time.Time) (time.Time, bool) {
	y, m, d := now.Date()
	switch value {
	case "today":
		return time.Date(y, m, d, 0, 0, 0, 0, now.Location()), true
	case "yesterday":
		return time.Date(y, m, d-1, 0, 0, 0, 0, now.Location()), true
	}
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return t, true
		}
	}
	unit, n := ages[value[len(value)-1]], 0
	if unit == 0 || len(value) < 2 {
		return time.Time{}, false
	}
	for _, c := range value[:len(value)-1] {
		if c < '0' || c > '9' || n > maxAge {
			return time.Time{}, false
		}
		n = 10*n + int(c-'0')
	}
	return now.Add(-time.Duration(min(n, maxAge)) * unit), true
}
