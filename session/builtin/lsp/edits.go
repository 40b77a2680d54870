package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/permission"
)

// maxReported bounds the errors that the result of an edit lists.
const maxReported = 20

// Note holds the findings of language servers about the project after a call.
type Note struct {
	// Text is for the model and the user, Summary a few words such as "2 errors". Both are empty if there is nothing to say.
	Text, Summary string
}

// addTo returns the outcome of a call with the note in its result.
func (n Note) addTo(out tool.Outcome) tool.Outcome {
	if n.Text == "" {
		return out
	}
	add := func(s string) string { return strings.TrimRight(s, "\n") + "\n\n" + n.Text }
	out.Result.Text = add(out.Result.Text)
	if out.Result.Sent != "" {
		out.Result.Sent = add(out.Result.Sent)
	}
	if n.Summary != "" {
		out.Result.Summary = strings.TrimPrefix(out.Result.Summary+", "+n.Summary, ", ")
	}
	return out
}

// Before reads what files contain that a call is about to change, and begins to start their servers. It does not wait.
func (p *Pool) Before(ctx context.Context, paths []string) {
	if len(p.servers) == 0 {
		return
	}
	for _, path := range paths {
		at, err := p.w.Place(path)
		if err != nil || at.Err != nil {
			continue
		}
		if c, _ := p.clientFor(at.Real); c == nil {
			continue
		}
		content, _, err := readDocument(ctx, at.Real)
		p.mu.Lock()
		switch {
		case err == nil:
			p.old[at.Real] = content
		case errors.Is(err, fs.ErrNotExist):
			p.old[at.Real] = nil
		}
		p.mu.Unlock()
	}
}

// After returns what servers say that the edits of a call changed. It waits a few seconds at most; what comes later is in the
// note of a later call. A call without edits gets only that.
func (p *Pool) After(ctx context.Context, edits []session.FileEdit) Note {
	if len(p.servers) == 0 {
		return Note{}
	}
	work, first := p.changesOf(edits)
	bound := p.o.Bounds.Edit
	if first {
		bound = p.o.Bounds.First
	}
	waited, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	var waits sync.WaitGroup
	for c, changes := range work {
		done := p.start(c, changes)
		waits.Go(crash.Guarded(func() {
			select {
			case <-done:
			case <-waited.Done():
			}
		}))
	}
	waits.Wait()
	return p.note(ctx, work)
}

// start observes an edit, also when nobody waits any more. The channel is closed when that has ended.
func (p *Pool) start(c *client, changes []change) <-chan struct{} {
	done := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		close(done)
		return done
	}
	p.work.Go(crash.Guarded(func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(p.ctx, p.o.Bounds.Start+p.o.Bounds.Settle)
		defer cancel()
		c.observe(ctx, changes)
	}))
	return done
}

// changesOf returns the changed files by their servers, and whether a server is not ready yet.
func (p *Pool) changesOf(edits []session.FileEdit) (work map[*client][]change, first bool) {
	work = map[*client][]change{}
	for _, e := range edits {
		at, err := p.w.Place(e.Path)
		if err != nil || at.Err != nil {
			continue
		}
		p.mu.Lock()
		before, known := p.old[at.Real]
		delete(p.old, at.Real)
		p.mu.Unlock()
		c, _ := p.clientFor(at.Real)
		if c == nil {
			continue
		}
		select {
		case <-c.ready:
		default:
			first = true
		}
		work[c] = append(work[c], change{path: at.Real, before: before, created: e.Created || known && before == nil})
	}
	return work, first
}

// note returns what servers that have settled say. Those of changed have to say something.
func (p *Pool) note(ctx context.Context, changed map[*client][]change) Note {
	var reports []report
	waiting := false
	for _, c := range p.running() {
		_, asked := changed[c]
		select {
		case c.turn <- struct{}{}:
		default: // it is still busy with an edit
			waiting = waiting || asked
			continue
		}
		if len(c.news.untold) > 0 {
			reports = append(reports, c.news.tell(c.spec.Name, c.board.all()))
		}
		c.giveBack()
	}
	slices.SortFunc(reports, func(a, b report) int { return strings.Compare(a.server, b.server) })
	return p.noteOf(ctx, reports, waiting)
}

// noteOf returns reports as a note.
func (p *Pool) noteOf(ctx context.Context, reports []report, waiting bool) Note {
	hide := p.hides(ctx)
	var b strings.Builder
	fresh := 0
	for _, r := range reports {
		r.fresh = slices.DeleteFunc(r.fresh, func(f finding) bool { return hide(f.path) })
		fresh += len(r.fresh)
		b.WriteString(p.textOf(r))
	}
	var n Note
	if fresh > 0 {
		n.Summary = human.Count(fresh, "error", "errors")
	}
	if waiting && b.Len() == 0 {
		b.WriteString("(the language server is not ready yet; errors will be in a later result)\n")
	}
	n.Text = b.String()
	return n
}

// textOf returns a report for the model, "" if nothing changed.
func (p *Pool) textOf(r report) string {
	var b strings.Builder
	if len(r.fresh) > 0 {
		fmt.Fprintf(&b, "%s reports %s:\n", r.server, human.Count(len(r.fresh), "new error", "new errors"))
		for _, f := range r.fresh[:min(len(r.fresh), maxReported)] {
			b.WriteString(p.line(f) + "\n")
		}
		if more := len(r.fresh) - maxReported; more > 0 {
			fmt.Fprintf(&b, "(and %d more)\n", more)
		}
	}
	var rest []string
	if r.gone > 0 {
		rest = append(rest, human.Count(r.gone, "earlier error is gone", "earlier errors are gone"))
	}
	if r.standing > 0 {
		rest = append(rest, human.Count(r.standing, "error of before is still there", "errors of before are still there"))
	}
	if len(rest) > 0 && r.warnings > 0 || len(r.fresh) > 0 && r.warnings > 0 {
		rest = append(rest, human.Count(r.warnings, "warning", "warnings"))
	}
	if len(rest) == 0 {
		return b.String()
	}
	if len(r.fresh) == 0 {
		return r.server + ": " + strings.Join(rest, ", ") + ".\n"
	}
	return b.String() + "(" + strings.Join(rest, ", ") + ")\n"
}

// line returns a finding as one line, with the place as people count it.
func (p *Pool) line(f finding) string {
	text := fmt.Sprintf("%s:%d:%d: ", p.w.Short(p.tops().display(f.path)), uint64(f.at.Line)+1, p.column(f))
	if f.severity == severityWarning {
		text += "warning: "
	}
	text += f.message
	if f.code != "" {
		text += " [" + f.code + "]"
	}
	return text
}

// column returns the column of a finding, in characters from 1.
func (p *Pool) column(f finding) int {
	content, _, err := readDocument(p.ctx, f.path)
	if err != nil {
		return 1
	}
	lines := linesOf(content)
	if uint64(f.at.Line) >= uint64(len(lines)) {
		return 1
	}
	return columnAt(lines[f.at.Line], f.at.Character)
}

// hides returns a function that reports whether a file with links resolved is left out of what the model reads: a rule denies
// it, or asks about it within the session's directories.
func (p *Pool) hides(ctx context.Context) func(real string) bool {
	var rules func(path, real string) permission.Ruling
	if p.w.Hidden != nil {
		rules = p.w.Hidden(ctx)
	}
	return func(real string) bool {
		return p.tops().of(real) == "" || rules != nil && rules(p.tops().display(real), real) != permission.Allow
	}
}
