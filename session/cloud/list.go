package cloud

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/copilot/cloud"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/cloud/mapper"
)

const (
	// listPages bounds the pages of a list.
	listPages = 4
	// pageSize is the number of sessions in a page that is not the last.
	pageSize = 50
	// maxList bounds the list on disk, in bytes.
	maxList = 16 << 20
)

// entry is a task in the list.
type entry struct {
	// ID is that of the first known session; it stays when the task gets more.
	ID       string         `json:"id"`
	Node     string         `json:"node,omitempty"`
	Sessions []string       `json:"sessions"` // oldest first
	Name     string         `json:"name"`
	Remote   session.Remote `json:"remote"`
	Created  time.Time      `json:"created"`
	Updated  time.Time      `json:"updated"`
}

func (a *Agent) listPath() string { return filepath.Join(a.o.Cache, "tasks.json") }

// known returns the newest list, from memory or disk.
func (a *Agent) known(ctx context.Context) []entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil && a.o.Cache != "" {
		if data, err := safefs.ReadFile(ctx, a.listPath(), maxList, safefs.NoLinks); err == nil {
			_ = json.Unmarshal(data, &a.list) // a damaged list is read again from the service
		}
	}
	return a.list
}

// Sessions returns the tasks of the newest list, newest first. It asks the service nothing.
func (a *Agent) Sessions(ctx context.Context) ([]session.Meta, error) {
	if a.o.Unlisted {
		return nil, nil
	}
	list, records, here := a.known(ctx), a.records.all(ctx), a.here(ctx)
	out := make([]session.Meta, 0, len(list))
	for _, e := range list {
		out = append(out, describe(e, records, here))
	}
	slices.SortStableFunc(out, func(x, y session.Meta) int { return y.Updated.Compare(x.Updated) })
	return out, nil
}

// place is the directory of this run and its repository.
type place struct{ dir, repository string }

func (a *Agent) here(ctx context.Context) place {
	if a.o.Here == "" {
		return place{}
	}
	return place{a.o.Here, a.o.Repository(ctx, a.o.Here)}
}

// describe describes a task, under the id and with the directory that it has on this machine.
func describe(e entry, records []*record, here place) session.Meta {
	remote := e.Remote
	m := session.Meta{ID: session.ID(e.ID), Agent: Name, First: e.Name, Title: e.Name, Branch: remote.Branch, Turns: len(e.Sessions),
		Created: e.Created, Updated: e.Updated, Remote: &remote}
	if remote.Pull != nil {
		m.Title = cmp.Or(remote.Pull.Title, m.Title)
	}
	if here.repository != "" && strings.EqualFold(here.repository, remote.Repository) {
		m.Dir = here.dir
	}
	for _, r := range records {
		if r.matches(e) {
			m.ID, m.Dir = r.ID, cmp.Or(r.Dir, m.Dir)
			if len(r.Turns) > 0 {
				m.First = cmp.Or(session.Subject(r.Turns[0].Prompt), m.First)
			}
			break
		}
	}
	return m
}

// matches reports whether a record is of a task in the list.
func (r *record) matches(e entry) bool {
	return e.Node != "" && e.Node == r.Pull.Node || string(r.ID) == e.ID || slices.ContainsFunc(e.Sessions, r.has)
}

// Refresh asks the service for the list, unless it cannot be used. Callers at the same time share one request.
func (a *Agent) Refresh(ctx context.Context) error {
	if a.o.Unlisted || a.missing() != "" {
		return nil
	}
	a.mu.Lock()
	if running := a.refreshed; running != nil {
		a.mu.Unlock()
		select {
		case <-running:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	done := make(chan struct{})
	a.refreshed = done
	a.mu.Unlock()
	list, err := a.fetchList(ctx, a.known(ctx))
	a.mu.Lock()
	a.refreshed = nil
	close(done)
	if err == nil {
		a.list = list
	}
	a.mu.Unlock()
	if err != nil {
		return a.fail(err)
	}
	return a.saveList(list)
}

// saveList keeps the list on disk.
func (a *Agent) saveList(list []entry) error {
	if a.o.Cache == "" {
		return nil
	}
	data, err := json.Marshal(list)
	if err == nil {
		err = os.MkdirAll(a.o.Cache, 0o700)
	}
	if err == nil {
		err = safefs.WriteFile(a.listPath(), data)
	}
	if err != nil {
		return &session.Error{Op: "keep the list of tasks", Kind: session.KindDisk, Err: err}
	}
	return nil
}

// fetchList gets the newest sessions, and their pull requests, from the service. Tasks keep their ids.
func (a *Agent) fetchList(ctx context.Context, old []entry) ([]entry, error) {
	var all []cloud.Session
	for page := 1; page <= listPages; page++ {
		part, err := a.o.Service.Sessions(ctx, page)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if len(part) < pageSize {
			break
		}
	}
	groups := group(all)
	var nodes []string
	for _, g := range groups {
		if g[0].Node != "" {
			nodes = append(nodes, g[0].Node)
		}
	}
	pulls := map[string]*cloud.Pull{}
	if len(nodes) > 0 {
		found, err := a.o.Service.Pulls(ctx, nodes)
		if err != nil {
			return nil, err
		}
		for i := range found {
			pulls[found[i].Node] = &found[i]
		}
	}
	list := make([]entry, 0, len(groups))
	for _, g := range groups {
		list = append(list, newEntry(g, pulls[g[0].Node], old))
	}
	return list, nil
}

// group groups sessions by their pull request, in the order of their newest. A session is listed once: the list may move
// between two pages.
func group(all []cloud.Session) [][]cloud.Session {
	var out [][]cloud.Session
	at, seen := map[string]int{}, map[string]bool{}
	for _, s := range all {
		if s.ID == "" || seen[s.ID] {
			continue
		}
		seen[s.ID] = true
		i, known := at[s.Node]
		if !known || s.Node == "" {
			i = len(out)
			at[s.Node] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// newEntry returns the entry of a task with sessions, newest first.
func newEntry(sessions []cloud.Session, p *cloud.Pull, old []entry) entry {
	newest, oldest := sessions[0], sessions[len(sessions)-1]
	e := entry{ID: oldest.ID, Node: newest.Node, Name: oldest.Name, Created: oldest.Created, Updated: newest.Updated}
	for _, s := range slices.Backward(sessions) {
		e.Sessions = append(e.Sessions, s.ID)
	}
	e.Remote = mapper.Remote(newest, p, "", "")
	for _, o := range old {
		if o.Node != "" && o.Node == e.Node || slices.Contains(e.Sessions, o.ID) {
			e.ID = o.ID
			e.Remote.Repository = cmp.Or(e.Remote.Repository, o.Remote.Repository)
			break
		}
	}
	return e
}

// Describe describes one task. One that is in no list yet is looked for at the service.
func (a *Agent) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	list, records := a.known(ctx), a.records.all(ctx)
	at := slices.IndexFunc(list, func(e entry) bool {
		return e.ID == string(id) || slices.Contains(e.Sessions, string(id)) ||
			slices.ContainsFunc(records, func(r *record) bool { return r.ID == id && r.matches(e) })
	})
	if at >= 0 {
		m := describe(list[at], records, a.here(ctx))
		m.ID = id
		return m, nil
	}
	t, err := a.find(ctx, id)
	if err != nil {
		return session.Meta{}, err
	}
	e := newEntry(t.newestFirst(), t.pull, nil)
	m := describe(e, records, a.here(ctx))
	m.ID = id
	return m, nil
}
