package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/copilot/cloud"
	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session"
)

// record describes a task that was begun or continued on this machine.
type record struct {
	ID         session.ID `json:"id"`
	Repository string     `json:"repository"`
	Base       string     `json:"base,omitempty"`
	Dir        string     `json:"dir,omitempty"`
	// Pull is the pull request with its ids, number and address; zero until there is one.
	Pull  pullRecord   `json:"pull,omitzero"`
	Turns []turnRecord `json:"turns"`
}

// pullRecord identifies a pull request.
type pullRecord struct {
	ID         int64  `json:"id"`
	Node       string `json:"node"`
	Repository string `json:"repository"`
	Number     int    `json:"number"`
	URL        string `json:"url,omitempty"`
}

// pull returns the pull request as the service knows it.
func (p pullRecord) pull() cloud.Pull {
	return cloud.Pull{ID: p.ID, Node: p.Node, Repository: p.Repository, Number: p.Number, URL: p.URL}
}

// turnRecord is a prompt and the session of the service that answers it.
type turnRecord struct {
	Turn session.TurnID `json:"turn"`
	// Session is empty until the service has begun one for a comment.
	Session string `json:"session,omitempty"`
	Job     string `json:"job,omitempty"`
	Prompt  string `json:"prompt,omitempty"`
	// Sent is the time at which the prompt was delivered.
	Sent time.Time `json:"sent,omitzero"`
}

// sessionOf returns the turn's record, nil if it was not delivered.
func (r *record) turn(id session.TurnID) *turnRecord {
	for i := range r.Turns {
		if t := &r.Turns[i]; t.Turn == id || t.Session != "" && t.Session == string(id) {
			return t
		}
	}
	return nil
}

// has reports whether a session of the service belongs to a turn.
func (r *record) has(id string) bool {
	return slices.ContainsFunc(r.Turns, func(t turnRecord) bool { return t.Session == id })
}

// setPull records the pull request, and reports whether that is new.
func (r *record) setPull(p *cloud.Pull) bool {
	if p == nil {
		return false
	}
	is := pullRecord{ID: p.ID, Node: p.Node, Repository: p.Repository, Number: p.Number, URL: p.URL}
	if r.Pull == is {
		return false
	}
	r.Pull, r.Repository = is, p.Repository
	return true
}

// records are the records on disk, one file for each. The zero value keeps nothing.
type records struct{ dir string }

// maxRecord bounds a record, in bytes.
const maxRecord = 8 << 20

// plainID matches the ids that name files.
var plainID = lazyregexp.New(`^[A-Za-z0-9-]{1,80}$`)

func (r records) path(id session.ID) string { return filepath.Join(r.dir, string(id)+".json") }

// load returns a record, nil if there is none.
func (r records) load(ctx context.Context, id session.ID) (*record, error) {
	if r.dir == "" || !plainID.MatchString(string(id)) {
		return nil, nil
	}
	data, err := safefs.ReadFile(ctx, r.path(id), maxRecord, safefs.NoLinks)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &session.Error{Op: "read the task", Kind: session.KindDisk, Err: err}
	}
	out := &record{}
	if err := json.Unmarshal(data, out); err != nil || out.ID != id {
		return nil, &session.Error{Op: "read the task", Kind: session.KindCorrupt, Err: errors.Join(err, errors.New("the record of the task is damaged: "+r.path(id)))}
	}
	return out, nil
}

// save stores a record.
func (r records) save(rec *record) error {
	if r.dir == "" || !plainID.MatchString(string(rec.ID)) {
		return nil
	}
	data, err := json.Marshal(rec)
	if err == nil {
		err = os.MkdirAll(r.dir, 0o700)
	}
	if err == nil {
		err = safefs.WriteFileSync(r.path(rec.ID), data)
	}
	if err != nil {
		return &session.Error{Op: "store the task", Kind: session.KindDisk, Err: err}
	}
	return nil
}

// all returns the readable records.
func (r records) all(ctx context.Context) []*record {
	if r.dir == "" {
		return nil
	}
	files, err := os.ReadDir(r.dir)
	if err != nil {
		return nil
	}
	var out []*record
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok {
			continue
		}
		if rec, err := r.load(ctx, session.ID(id)); err == nil && rec != nil {
			out = append(out, rec)
		}
	}
	return out
}
