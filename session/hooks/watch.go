package hooks

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxWatched bounds the files that are looked at.
const maxWatched = 200

// watched are the files that hooks of FileChanged ask for, by path, as they were when they were last looked at.
type watched struct {
	more []string // what hooks have named
	last map[string]string
}

// add takes paths that a hook has named.
func (w *watched) add(paths []string) {
	for _, p := range paths {
		if len(w.more) < maxWatched && !slices.Contains(w.more, p) {
			w.more = append(w.more, p)
		}
	}
}

// look looks at files, and returns what happened to those that it has looked at before.
func (w *watched) look(paths []string) []Event {
	var events []Event
	now := map[string]string{}
	for _, path := range paths {
		if len(now) == maxWatched {
			break
		}
		now[path] = stamp(path)
		before, known := w.last[path]
		if !known || before == now[path] {
			continue
		}
		why := "change"
		if before == "" {
			why = "add"
		} else if now[path] == "" {
			why = "unlink"
		}
		events = append(events, Event{Name: FileChanged, Path: path, Why: why})
	}
	w.last = now
	return events
}

// stamp returns a text that changes with a file, empty for none.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Mode(), info.Size())
}

// Look looks at the watched files, and runs the hooks of those that have changed since the last look.
func (r *Runner) Look(ctx context.Context) {
	if r == nil {
		return
	}
	set := r.hooks(ctx)
	paths := map[string]bool{}
	any := false
	for _, h := range set.Hooks {
		if h.Event != FileChanged || h.Why != "" {
			continue
		}
		any = true
		for name := range strings.FieldsFuncSeq(h.Matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			if name = strings.TrimSpace(name); name != "" && !strings.ContainsAny(name, "*?[](){}^$+\\") {
				paths[filepath.Join(r.o.About.Dir, name)] = true
			}
		}
	}
	if !any {
		return
	}
	r.mu.Lock()
	for _, p := range r.paths.more {
		if !filepath.IsAbs(p) {
			p = filepath.Join(r.o.About.Dir, p)
		}
		paths[p] = true
	}
	events := r.paths.look(slices.Sorted(maps.Keys(paths)))
	r.mu.Unlock()
	for _, e := range events {
		r.Fire(ctx, e)
	}
}
