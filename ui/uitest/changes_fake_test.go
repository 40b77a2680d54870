package uitest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui"
	"parley/ui/changes/listing"
)

// record is a log of changes in memory. Contents of files are the sums of their states.
type record struct {
	mu      sync.Mutex
	all     []changes.Change
	texts   map[string]string         // by sum
	lost    map[string][]changes.Loss // by path
	refused map[string]string         // by path
	err     error                     // of reading
	steps   []string                  // what was carried out
	patches map[string]string         // by path, instead of a comparison
	asked   []string                  // the paths that were compared
	hold    chan struct{}             // if not nil, plans wait for it
}

// file returns the state of a file with a text; that of "" does not exist.
func (r *record) file(text string) snapshot.State {
	if text == "" {
		return snapshot.State{Kind: snapshot.None}
	}
	if r.texts == nil {
		r.texts = map[string]string{}
	}
	sum := fmt.Sprintf("%x", []byte(text)[:min(len(text), 200)])
	r.texts[sum] = text
	return snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: int64(len(text)), Sum: sum}
}

// add records a change of a file from one text to another.
func (r *record) add(turn session.TurnID, path, from, to string, edit ...func(*changes.Change)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := changes.Change{ID: changes.ChangeID(len(r.all) + 1), Turn: turn, Call: session.CallID(fmt.Sprintf("call-%d", len(r.all)+1)), Path: path, Tool: "Edit",
		Before: r.file(from), After: r.file(to), Status: changes.Open}
	for _, e := range edit {
		e(&c)
	}
	r.all = append(r.all, c)
}

// Changes implements [listing.Log].
func (r *record) Changes(context.Context) ([]changes.Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all), r.err
}

// each calls do for each change of a scope.
func (r *record) each(s changes.Scope, do func(*changes.Change)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.all {
		if c := &r.all[i]; slices.Contains(s.Changes, c.ID) && (!s.OnlyOpen || c.Status == changes.Open) {
			do(c)
		}
	}
}

// Accept implements [listing.Log].
func (r *record) Accept(_ context.Context, s changes.Scope) (int, error) {
	files := map[string]bool{}
	r.each(s, func(c *changes.Change) {
		if c.Status == changes.Open {
			c.Status = changes.Accepted
			files[c.Path] = true
		}
	})
	return len(files), nil
}

// PlanUndo implements [listing.Log].
func (r *record) PlanUndo(_ context.Context, s changes.Scope) (changes.Plan, error) {
	if r.hold != nil {
		<-r.hold
	}
	return r.plan(changes.StepUndo, s, func(c *changes.Change) bool { return c.Status != changes.Undone }), nil
}

// PlanRedo implements [listing.Log].
func (r *record) PlanRedo(_ context.Context, s changes.Scope) (changes.Plan, error) {
	return r.plan(changes.StepRedo, s, func(c *changes.Change) bool { return c.Status == changes.Undone }), nil
}

func (r *record) plan(k changes.StepKind, s changes.Scope, fits func(*changes.Change) bool) changes.Plan {
	p := changes.Plan{Kind: k}
	r.each(s, func(c *changes.Change) {
		if !fits(c) {
			return
		}
		for i := range p.Files {
			if f := &p.Files[i]; f.Path == c.Path {
				f.Changes = append(f.Changes, c.ID)
				return
			}
		}
		f := changes.PlanFile{Path: c.Path, From: c.After, To: c.Before, Changes: []changes.ChangeID{c.ID}, Refused: r.refused[c.Path]}
		if k == changes.StepUndo {
			f.Lost = r.lost[c.Path]
		}
		p.Files = append(p.Files, f)
	})
	return p
}

// Apply implements [listing.Log].
func (r *record) Apply(_ context.Context, p changes.Plan, accepted func(string) bool) (changes.Outcome, error) {
	out := changes.Outcome{Left: map[string]string{}}
	for _, f := range p.Files {
		if f.Refused != "" {
			out.Left[f.Path] = f.Refused
			continue
		}
		if len(f.Lost) > 0 && !accepted(f.Path) {
			out.Left[f.Path] = "It has other changes."
			continue
		}
		out.Done = append(out.Done, f.Path)
		r.each(changes.Scope{Changes: f.Changes}, func(c *changes.Change) {
			c.Status = map[changes.StepKind]changes.Status{changes.StepUndo: changes.Undone, changes.StepRedo: changes.Open}[p.Kind]
		})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, string(p.Kind)+" "+strings.Join(out.Done, " "))
	return out, nil
}

// Diff implements [listing.Log] for texts whose common lines stand at their ends.
func (r *record) Diff(_ context.Context, path string, from, to snapshot.State) (session.FileEdit, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, path)
	if p, ok := r.patches[path]; ok {
		return session.FileEdit{Path: path, Patch: p, Added: strings.Count(p, "\n+"), Removed: strings.Count(p, "\n-")}, nil
	}
	if from.Unkept != "" || to.Unkept != "" {
		return session.FileEdit{}, errors.Join(snapshot.ErrUnkept)
	}
	a, b := lines(r.texts[from.Sum]), lines(r.texts[to.Sum])
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	e := session.FileEdit{Path: path, Removed: len(a) - head - tail, Added: len(b) - head - tail}
	first, after := max(0, head-3), min(tail, 3)
	oldAt, newAt := first+1, first+1
	if len(a) == 0 {
		oldAt = 0
	}
	if len(b) == 0 {
		newAt = 0
	}
	p := fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", oldAt, len(a)-tail+after-first, newAt, len(b)-tail+after-first)
	for _, s := range a[first:head] {
		p += " " + s + "\n"
	}
	for _, s := range a[head : len(a)-tail] {
		p += "-" + s + "\n"
	}
	for _, s := range b[head : len(b)-tail] {
		p += "+" + s + "\n"
	}
	for _, s := range b[len(b)-tail : len(b)-tail+after] {
		p += " " + s + "\n"
	}
	e.Patch = p
	return e, nil
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// withChanges returns the options of a chat with a record of changes.
func withChanges(r *record) func(o *ui.Options) {
	return func(o *ui.Options) { o.Changes = func(session.ID) listing.Log { return r } }
}

// talkAbout plays two turns with these prompts, and returns their ids.
func talkAbout(p *Program, prompts ...string) (ids []session.TurnID) {
	for _, text := range prompts {
		p.Type(text)
		turn := p.Turn()
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		ids = append(ids, turn.ID)
	}
	return ids
}

const retryBefore = `package upload

import "time"

func (c *Client) do(req *Request) (*Response, error) {
	resp, err := c.Do(req)
	timer := time.NewTimer(backoff)
	<-timer.C
	return resp, err
}
`

// work records what the agent did in two turns: an edit, a new file, what a command and a child agent changed, a removed file,
// and one that was not kept.
func work(p *Program, r *record) {
	ids := talkAbout(p, "Retry uploads with jitter\nand test it", "Generate the mocks and drop the old client")
	after := strings.Replace(strings.Replace(retryBefore, "\tresp, err := c.Do(req)\n\ttimer", "\ttimer", 1), "\t<-timer.C\n", "\tdefer timer.Stop()\n\tresp, err := c.Do(req)\n\t<-timer.C\n", 1)
	r.add(ids[0], Dir+"/upload/retry.go", retryBefore, after)
	r.add(ids[0], Dir+"/upload/retry_test.go", "", "package upload\n\nimport \"testing\"\n\nfunc TestRetry(t *testing.T) {\n\tt.Parallel()\n}\n")
	r.add(ids[1], Dir+"/internal/mocks/client_mock.go", "package mocks\n\ntype Client struct{}\n", "package mocks\n\ntype Client struct{ calls int }\n",
		func(c *changes.Change) { c.Command = "go generate ./..." })
	r.add(ids[1], Dir+"/upload/retry.go", after, strings.Replace(after, "backoff", "c.backoff()", 1))
	r.add(ids[1], Dir+"/upload/old_client.go", "package upload\n\ntype oldClient struct{}\n", "")
	r.add(ids[1], Dir+"/testdata/big.bin", "big", "bigger", func(c *changes.Change) {
		c.Before = snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: 40 << 20, Unkept: "it is larger than 32 MB"}
	})
	r.mu.Lock()
	r.all[1].Status = changes.Accepted
	r.mu.Unlock()
}

var _ = time.Second
