package changes

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/changes/snapshot"
)

// past is whether a log has what its session did outside of parley.
type past struct {
	turn chan struct{} // has one element while the past is read
	done bool
}

// unknownAfter is the reason why the file after a change outside of parley is not kept.
const unknownAfter = "what it contained after the change is not known"

// readPast adds the changes that the session's transcript has after the newest call of the log, once in this process. They
// come before all later changes: if others are recorded meanwhile, or calls run here, it adds none. Those of a session that
// was never in parley count as accepted. A transcript that cannot be read has none.
func (l *Log) readPast(ctx context.Context) {
	if l.lib.o.Replay == nil {
		return
	}
	select {
	case l.past.turn <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-l.past.turn }()
	if l.past.done || len(l.lib.tracked.of(l.id)) > 0 {
		l.past.done = true
		return
	}
	at, known, err := l.calls(ctx)
	if err != nil {
		return
	}
	ends, err := l.lib.o.Replay(ctx, l.id)
	if ctx.Err() != nil {
		return
	}
	l.past.done = true
	if err != nil || len(ends) == 0 {
		return
	}
	changes := l.lib.pastChanges(ctx, after(ends, known))
	if len(changes) == 0 || ctx.Err() != nil {
		return
	}
	_ = l.addPast(ctx, changes, at) // the log is as it was
}

// calls returns the end of the log, and the calls that have changes in it.
func (l *Log) calls(ctx context.Context) (int, map[session.CallID]bool, error) {
	release, err := l.fresh(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer release()
	known := map[session.CallID]bool{}
	for i := range l.ledger.changes {
		known[l.ledger.changes[i].Call] = true
	}
	return l.ledger.position, known, nil
}

// after returns the ends after the last one of a known call.
func after(ends []session.ToolEnded, known map[session.CallID]bool) []session.ToolEnded {
	for i, e := range slices.Backward(ends) {
		if known[e.Call] {
			return ends[i+1:]
		}
	}
	return ends
}

// addPast appends changes to a log that still ends at a position.
func (l *Log) addPast(ctx context.Context, changes []Change, at int) error {
	release, err := l.fresh(ctx)
	if err != nil {
		return err
	}
	defer release()
	return l.append(ctx, "record changes of files", func() []line {
		if l.ledger.position != at {
			return nil
		}
		var lines []line
		var ids []ChangeID
		for _, c := range changes {
			if t := l.ledger.tracks[c.Path]; t != nil && len(t.events) > 0 && t.newest().to.Same(c.After) || c.Before.Same(c.After) {
				continue // it is recorded already
			}
			c.ID = l.ledger.lastChange + ChangeID(len(lines)+1)
			ids = append(ids, c.ID)
			lines = append(lines, line{Change: &c})
		}
		if at == 0 && len(ids) > 0 {
			lines = append(lines, line{Step: &step{ID: l.ledger.lastStep + 1, Kind: StepAccept, At: l.lib.now(), Changes: ids}})
		}
		return lines
	})
}

// pastChanges returns the changes that results tell of, oldest first.
func (b *Library) pastChanges(ctx context.Context, ends []session.ToolEnded) []Change {
	var out []Change
	texts := map[int]string{} // of the files after, by change
	for _, e := range ends {
		for _, edit := range e.Edits {
			for _, path := range filesOf(session.FileCall{Paths: []string{edit.Path}}, "/") {
				c := Change{Call: e.Call, Turn: e.Turn, Child: e.Child, Tool: "Edit", At: e.At, Path: target(resolve(path))}
				before := ""
				switch {
				case edit.Created:
					c.Before = snapshot.State{Kind: snapshot.None}
				case edit.Before == nil:
					continue // nothing can be said of it
				default:
					before = *edit.Before
					if c.Before, c.Unsure = b.pastText(ctx, before, c.Path); c.Before.Kind == "" {
						continue
					}
				}
				c.After = snapshot.State{Kind: snapshot.File, Unkept: unknownAfter}
				if text, ok := patched(before, edit.Patch); ok {
					texts[len(out)] = text
				}
				out = append(out, c)
			}
		}
	}
	for i := range out {
		if text, ok := texts[i]; ok {
			if s, _ := b.pastText(ctx, text, out[i].Path); s.Kind != "" {
				out[i].After = s
			}
		}
		if next := slices.IndexFunc(out[i+1:], func(c Change) bool { return c.Path == out[i].Path }); next >= 0 && plainSame(texts[i], ends, out[i+1+next]) {
			out[i].After = out[i+1+next].Before
		}
	}
	return out
}

// plainSame reports whether a text equals the content of the file in the result of a later call.
func plainSame(text string, ends []session.ToolEnded, later Change) bool {
	for _, e := range ends {
		if e.Call != later.Call {
			continue
		}
		for _, edit := range e.Edits {
			if edit.Before != nil && *edit.Before == text {
				return true
			}
		}
	}
	return false
}

// pastText keeps a text of a file, with the mode of the file that stands there now. If that is the same text, it is the file
// itself. unsure says why the text may not be the bytes.
func (b *Library) pastText(ctx context.Context, text, path string) (s snapshot.State, unsure string) {
	now, err := b.o.Store.Look(ctx, path)
	standing := err == nil && now.Kind == snapshot.File && now.Size <= 2*int64(len(text))+4096
	var content []byte
	if standing {
		if taken, err := b.o.Store.Take(ctx, path); err == nil {
			if content, err = b.o.Store.Read(ctx, taken); err == nil && plain(string(content)) == plain(text) {
				return taken, ""
			}
		}
	}
	if s, err = b.o.Store.Put(ctx, []byte(text)); err != nil {
		return snapshot.State{}, ""
	}
	if now.Kind == snapshot.File {
		s.Mode = now.Mode
	}
	if content != nil && !isExact(text, content) {
		unsure = "its line ends or its encoding may have been others"
	}
	return s, unsure
}

// patched applies unified hunks to a text. It reports false unless every line fits.
func patched(text, patch string) (string, bool) {
	old := strings.SplitAfter(text, "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	var out strings.Builder
	at := 0 // lines of old that are used up
	var added bool
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(line, "@@ -"); ok {
			from, ok := hunkStart(rest)
			if !ok || from < at || from > len(old) {
				return "", false
			}
			for ; at < from; at++ {
				out.WriteString(old[at])
			}
			continue
		}
		if line == "" {
			return "", false
		}
		switch body := line[1:]; line[0] {
		case ' ', '-':
			if at >= len(old) || strings.TrimSuffix(old[at], "\n") != body {
				return "", false
			}
			if line[0] == ' ' {
				out.WriteString(old[at])
			}
			at, added = at+1, false
		case '+':
			out.WriteString(body + "\n")
			added = true
		case '\\': // no line feed at the end of the line before
			if s := out.String(); added && strings.HasSuffix(s, "\n") {
				out.Reset()
				out.WriteString(strings.TrimSuffix(s, "\n"))
			}
		default:
			return "", false
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String(), true
}

// hunkStart returns how many lines come before a hunk, by what follows "@@ -" in its header.
func hunkStart(header string) (int, bool) {
	span, _, _ := strings.Cut(header, " ")
	first, count, counted := strings.Cut(span, ",")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 {
		return 0, false
	}
	if counted && count == "0" || n == 0 {
		return n, true // the hunk only adds, after this line
	}
	return n - 1, true
}
