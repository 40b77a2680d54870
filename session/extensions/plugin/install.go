package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
	"parley/session"
)

// change lets do change parley's file of plugins, under a lock that holds in all processes. An error leaves the file as it is.
func (s *Store) change(ctx context.Context, op string, do func(b *book) error) error {
	if s.o.Dir == "" {
		return fail(op, session.KindUnsupported, "there are no plugins here")
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return fail(op, session.KindDisk, "%w", err)
	}
	unlock, err := safefs.WaitLock(filepath.Join(s.o.Dir, ".lock"))
	switch {
	case errors.Is(err, safefs.ErrHeld):
		return fail(op, session.KindLocked, "another parley is changing plugins")
	case err != nil:
		return fail(op, session.KindDisk, "%w", err)
	}
	defer unlock()
	b, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer s.sweep(ctx)
	if err := do(&b); err != nil {
		return err
	}
	b.Version = 1
	data, err := json.MarshalIndent(b, "", "  ")
	if err == nil {
		err = safefs.Replace(s.file(), append(data, '\n'))
	}
	if err != nil {
		return fail(op, session.KindDisk, "%w", err)
	}
	return nil
}

// at returns the place of a plugin in the file, or an error that names the command for one of another program.
func (s *Store) at(ctx context.Context, op string, b *book, id, verb string) (int, error) {
	name, _, _ := strings.Cut(id, "@")
	if i := indexOf(b.Plugins, name); i >= 0 {
		return i, nil
	}
	for _, p := range append(s.claude(ctx), s.copilot(ctx)...) {
		if p.ID() == id || p.Name == id {
			return 0, fail(op, session.KindUnsupported, "%s is a plugin of another program; use: %s plugin %s %s", id, p.Owner, verb, p.ID())
		}
	}
	return 0, fail(op, session.KindNotFound, "there is no plugin %s", id)
}

// Install installs a plugin from a folder, a git address or NAME@MARKETPLACE. It arrives switched off. Errors are of kind
// [session.KindInvalid] for a source or a plugin that cannot be used, of [session.KindNotFound] or of that of what failed.
func (s *Store) Install(ctx context.Context, text string) (p Plugin, err error) {
	const op = "install the plugin"
	err = s.change(ctx, op, func(b *book) error {
		src, err := s.source(ctx, op, text)
		if err != nil {
			return err
		}
		k, err := s.bring(ctx, op, src)
		if err != nil {
			return err
		}
		if indexOf(b.Plugins, k.Name) >= 0 {
			return fail(op, session.KindInvalid, "a plugin %s is installed; update or remove it first", k.Name)
		}
		if err := k.place(op, s.folder(""), brought, k.digits()); err != nil {
			return err
		}
		b.Plugins = append(b.Plugins, k)
		p = s.filled(ctx, s.shown(k))
		return nil
	})
	return p, err
}

// source returns what a text means.
func (s *Store) source(ctx context.Context, op, text string) (source, error) {
	if m := offerName.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return s.find(ctx, op, m[1], m[2])
	}
	return s.parse(op, text)
}

// fresh is the name, in the folder of all, of the folder in which something is brought. Names do not begin with a dot. Within it,
// cloned is the repository, and brought the plugin.
const fresh, cloned, brought = ".new", "git", "plugin"

func (r record) name() string   { return r.Name }
func (r record) folder() string { return r.Folder }

// indexOf returns the place of a plugin or a marketplace among those of parley's file, below 0 if it is not there.
func indexOf[T interface{ name() string }](all []T, name string) int {
	return slices.IndexFunc(all, func(r T) bool { return r.name() == name })
}

// begin empties the folder in which something is brought, in that of all, and fetches the source.
func (s *Store) begin(ctx context.Context, op, all string, src source) (dir, commit string, err error) {
	work := filepath.Join(all, fresh)
	if err := os.RemoveAll(work); err != nil {
		return "", "", fail(op, session.KindDisk, "%w", err)
	}
	return s.fetch(ctx, op, src, filepath.Join(work, cloned))
}

// place moves what was brought to its folder in that of all, whose name has digits of its state.
func (r *record) place(op, all, from, digits string) error {
	r.Folder = r.Name[:min(len(r.Name), 48)] + "-" + digits[:min(len(digits), 12)]
	to := filepath.Join(all, r.Folder)
	if err := errors.Join(os.RemoveAll(to), os.Rename(filepath.Join(all, fresh, from), to)); err != nil {
		return fail(op, session.KindDisk, "%w", err)
	}
	return nil
}

// digits are those of the hash.
func (k kept) digits() string { return strings.TrimPrefix(k.Hash, "sha256:") }

// bring copies a plugin from its source, and returns it as the file will have it, without a folder.
func (s *Store) bring(ctx context.Context, op string, src source) (k kept, err error) {
	from, commit, err := s.begin(ctx, op, s.folder(""), src)
	if err != nil {
		return k, err
	}
	at := filepath.Join(s.folder(fresh), brought)
	if err := copyTo(ctx, from, at); err != nil {
		return k, fail(op, session.KindInvalid, "%w", err)
	}
	if err := os.RemoveAll(filepath.Join(at, translated)); err != nil {
		return k, fail(op, session.KindDisk, "%w", err)
	}
	if err := complete(ctx, at, src.entry); err != nil {
		return k, fail(op, session.KindInvalid, "%w", err)
	}
	c := read(ctx, at, false)
	k = kept{record: record{Name: c.name, Source: src.text, Commit: commit}, Version: c.version, Market: src.market}
	switch {
	case src.entry != nil:
		k.Name = offerName.FindStringSubmatch(src.text)[1]
	case k.Name == "":
		k.Name = path.Base(strings.TrimSuffix(filepath.ToSlash(cmp.Or(src.sub, src.url, from)), ".git"))
	}
	switch {
	case c.why != "":
		return k, fail(op, session.KindInvalid, "%s", c.why)
	case !isName(k.Name):
		return k, fail(op, session.KindInvalid, "its name %q must consist of letters, digits, -, _ and ., at most 64 of them", k.Name)
	case strings.EqualFold(k.Name, "parley"):
		return k, fail(op, session.KindInvalid, "the name parley is parley's own")
	}
	if err := translate(at, k.Name, c); err != nil {
		return k, fail(op, session.KindInvalid, "%w", err)
	}
	if k.Hash, err = sum(ctx, at); err != nil {
		return k, fail(op, session.KindInvalid, "%w", err)
	}
	return k, nil
}

// complete writes what a marketplace says of a plugin into its manifest, where that does not say so itself.
func complete(ctx context.Context, dir string, entry map[string]json.RawMessage) error {
	m := maps.Clone(entry)
	for _, key := range []string{"source", "strict", "category", "tags"} {
		delete(m, key)
	}
	if len(m) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if data, err := safefs.ReadFileIn(ctx, root, claudeManifest, maxFile, safefs.FollowLinks); err == nil {
		var own map[string]json.RawMessage
		if err := json.Unmarshal(data, &own); err != nil {
			return err
		}
		maps.Copy(m, own)
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := root.MkdirAll(".claude-plugin", 0o700); err != nil {
		return err
	}
	return root.WriteFile(claudeManifest, append(data, '\n'), 0o600)
}

// sweep removes folders that no plugin and no marketplace has. The caller holds the lock.
func (s *Store) sweep(ctx context.Context) {
	b, err := s.open(ctx)
	if err != nil {
		return
	}
	sweep(s.folder(""), b.Plugins)
	sweep(s.marketFolder(""), b.Markets)
}

func sweep[T interface{ folder() string }](dir string, has []T) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !slices.ContainsFunc(has, func(r T) bool { return r.folder() == e.Name() }) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Update fetches a plugin again, and reports whether it has changed. One that has and runs something is switched off.
func (s *Store) Update(ctx context.Context, id string) (p Plugin, changed bool, err error) {
	const op = "update the plugin"
	err = s.change(ctx, op, func(b *book) error {
		i, err := s.at(ctx, op, b, id, "update")
		if err != nil {
			return err
		}
		old := b.Plugins[i]
		if err := s.refresh(ctx, op, b, old.Market); err != nil {
			return err
		}
		src, err := s.source(ctx, op, old.Source)
		if err != nil {
			return err
		}
		k, err := s.bring(ctx, op, src)
		if err != nil {
			return err
		}
		if k.Name != old.Name {
			return fail(op, session.KindInvalid, "%s has another name now: %s", old.Name, k.Name)
		}
		changed = k.Hash != old.Hash
		k.Folder, k.Enabled = old.Folder, old.Enabled
		if changed {
			if err := k.place(op, s.folder(""), brought, k.digits()); err != nil {
				return err
			}
			k.Enabled = old.Enabled && len(s.filled(ctx, s.shown(k)).Runs()) == 0
		}
		b.Plugins[i] = k
		p = s.filled(ctx, s.shown(k))
		return nil
	})
	return p, changed, err
}

// Remove removes a plugin of parley's, with what it has kept.
func (s *Store) Remove(ctx context.Context, id string) error {
	const op = "remove the plugin"
	var name string
	err := s.change(ctx, op, func(b *book) error {
		i, err := s.at(ctx, op, b, id, "uninstall")
		if err != nil {
			return err
		}
		name = b.Plugins[i].Name
		b.Plugins = slices.Delete(b.Plugins, i, i+1)
		return nil
	})
	if err != nil {
		return err
	}
	if err := os.RemoveAll(s.data(name)); err != nil {
		return fail(op, session.KindDisk, "%w", err)
	}
	return nil
}

// Switch switches a plugin of parley's on or off, for sessions that are opened later. One that cannot be used stays off.
func (s *Store) Switch(ctx context.Context, id string, on bool) error {
	const op = "switch the plugin"
	return s.change(ctx, op, func(b *book) error {
		i, err := s.at(ctx, op, b, id, map[bool]string{true: "enable", false: "disable"}[on])
		if err != nil {
			return err
		}
		k := &b.Plugins[i]
		if on {
			if why := s.filled(ctx, s.shown(*k)).Why; why != "" {
				return fail(op, session.KindInvalid, "%s: %s", k.Name, why)
			}
			if err := os.MkdirAll(s.data(k.Name), 0o700); err != nil {
				return fail(op, session.KindDisk, "%w", err)
			}
		}
		k.Enabled = on
		return nil
	})
}

// AddMarketplace adds a marketplace from a folder or a git address.
func (s *Store) AddMarketplace(ctx context.Context, text string) (m Marketplace, err error) {
	const op = "add the marketplace"
	err = s.change(ctx, op, func(b *book) error {
		src, err := s.parse(op, text)
		if err != nil {
			return err
		}
		var k record
		if k, m, err = s.bringMarket(ctx, op, src); err != nil {
			return err
		}
		if indexOf(b.Markets, k.Name) >= 0 {
			return fail(op, session.KindInvalid, "a marketplace %s is there; remove it first", k.Name)
		}
		b.Markets = append(b.Markets, k)
		return nil
	})
	return m, err
}

// bringMarket fetches a marketplace. One that cannot be used is an error.
func (s *Store) bringMarket(ctx context.Context, op string, src source) (k record, m Marketplace, err error) {
	dir, commit, err := s.begin(ctx, op, s.marketFolder(""), src)
	if err != nil {
		return k, m, err
	}
	if m = look(ctx, Marketplace{Owner: Parley, Source: src.text, Commit: commit, Dir: dir}); m.Why != "" {
		return k, m, fail(op, session.KindInvalid, "%s", m.Why)
	}
	k = record{Name: m.Name, Source: src.text, Commit: commit}
	if src.folder == "" {
		if err := k.place(op, s.marketFolder(""), cloned, commit); err != nil {
			return k, m, err
		}
	}
	return k, s.market(ctx, k), nil
}

// refresh fetches a marketplace of parley's again, if it is one in a repository.
func (s *Store) refresh(ctx context.Context, op string, b *book, name string) error {
	i := indexOf(b.Markets, name)
	if i < 0 || b.Markets[i].Folder == "" {
		return nil
	}
	src, err := s.parse(op, b.Markets[i].Source)
	if err != nil {
		return err
	}
	k, m, err := s.bringMarket(ctx, op, src)
	if err != nil {
		return err
	}
	if m.Name != name {
		return fail(op, session.KindInvalid, "the marketplace %s has another name now: %s", name, m.Name)
	}
	b.Markets[i] = k
	return nil
}

// RemoveMarketplace removes a marketplace of parley's. Plugins from it stay.
func (s *Store) RemoveMarketplace(ctx context.Context, name string) error {
	const op = "remove the marketplace"
	return s.change(ctx, op, func(b *book) error {
		i := indexOf(b.Markets, name)
		if i < 0 {
			return fail(op, session.KindNotFound, "parley has no marketplace %s", name)
		}
		b.Markets = slices.Delete(b.Markets, i, i+1)
		return nil
	})
}
