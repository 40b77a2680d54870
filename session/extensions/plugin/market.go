package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/extensions/skill"
)

// Marketplace is a list of plugins.
type Marketplace struct {
	Name  string
	Owner Owner
	// Source is where it comes from, as a person types it, Commit that of a git repository.
	Source, Commit string
	// Dir is its folder, absolute.
	Dir string
	// Why says why it cannot be used, empty if it can.
	Why   string
	Notes []string
	// Offers are its plugins in its own order.
	Offers []Offer
}

// Offer is a plugin of a marketplace.
type Offer struct {
	Name, About, Version string
	// Source is where it comes from, Why why parley cannot install it, empty if it can.
	Source, Why string

	from  source
	entry map[string]json.RawMessage
}

// lists are the places of the file of a marketplace.
var lists = []string{".claude-plugin/marketplace.json", ".plugin/marketplace.json", ".github/plugin/marketplace.json", "marketplace.json"}

// maxOffers bounds the plugins of a marketplace, maxList its file in bytes.
const (
	maxOffers = 2000
	maxList   = 4 << 20
)

// Marketplaces returns the marketplaces: parley's, then those that Claude Code and the Copilot CLI know.
func (s *Store) Marketplaces(ctx context.Context) (all []Marketplace) {
	b, _ := s.open(ctx)
	for _, k := range b.Markets {
		all = append(all, s.market(ctx, k))
	}
	for i, known := range []map[string]knownMarket{s.claudeMarkets(ctx), readSwitches(ctx, s.o.Copilot).Markets} {
		for _, name := range slices.Sorted(maps.Keys(known)) {
			k := known[name]
			all = append(all, look(ctx, Marketplace{Name: name, Owner: []Owner{Claude, Copilot}[i], Source: k.Source.text(), Dir: cmp.Or(k.Place, k.Source.Path)}))
		}
	}
	return all
}

// market returns a marketplace of parley's.
func (s *Store) market(ctx context.Context, k record) Marketplace {
	m := Marketplace{Name: k.Name, Owner: Parley, Source: k.Source, Commit: k.Commit, Dir: k.Source}
	if k.Folder != "" {
		src, _ := s.parse("", k.Source)
		m.Dir = filepath.Join(s.marketFolder(k.Folder), filepath.FromSlash(src.sub))
	}
	return look(ctx, m)
}

// look reads the file of a marketplace. Its own name counts where it has none yet.
func look(ctx context.Context, m Marketplace) Marketplace {
	root, err := os.OpenRoot(m.Dir)
	if err != nil || !filepath.IsAbs(m.Dir) {
		m.Why = "its folder is not there"
		return m
	}
	defer root.Close()
	var data []byte
	for _, name := range lists {
		if data, err = safefs.ReadFileIn(ctx, root, name, maxList, safefs.FollowLinks); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	var list struct {
		Name     string `json:"name"`
		Metadata struct {
			Root string `json:"pluginRoot"`
		} `json:"metadata"`
		Plugins []map[string]json.RawMessage `json:"plugins"`
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.Why = "it has no .claude-plugin/marketplace.json"
	case err != nil:
		m.Why = "its marketplace.json cannot be read, or is too large"
	default:
		if err := json.Unmarshal(data, &list); err != nil {
			m.Why = "its marketplace.json is not as it should be: " + err.Error()
		}
	}
	if m.Name = cmp.Or(m.Name, list.Name); m.Why == "" && !isName(m.Name) {
		m.Why = wrongName
	}
	if by := skill.Poses(m.Name); by != "" {
		m.Notes = append(m.Notes, "its name sounds as if "+by+" had made it; it is from "+m.Source)
	}
	if m.Why == "" {
		for _, entry := range list.Plugins[:min(len(list.Plugins), maxOffers)] {
			m.Offers = append(m.Offers, offer(m, list.Metadata.Root, entry))
		}
	}
	return m
}

// offer reads an entry of a marketplace.
func offer(m Marketplace, below string, entry map[string]json.RawMessage) Offer {
	text := func(key string) (s string) { _ = json.Unmarshal(entry[key], &s); return s }
	o := Offer{Name: text("name"), About: strings.Join(strings.Fields(text("description")), " "), Version: text("version"), entry: entry}
	var from origin
	if at := text("source"); at != "" {
		from = origin{Path: at}
	} else {
		_ = json.Unmarshal(entry["source"], &from)
	}
	o.Source = cmp.Or(from.text(), from.Source)
	o.from = source{text: o.Name + "@" + m.Name, market: m.Name, entry: entry}
	switch from.Source {
	case "", "relative":
		if !strings.HasPrefix(from.Path, "./") {
			from.Path = path.Join(filepath.ToSlash(below), from.Path)
		}
		rel := filepath.FromSlash(path.Clean(from.Path))
		if from.Path == "" || !filepath.IsLocal(rel) {
			o.Why = "its folder is not in the marketplace: " + o.Source
		} else if real, err := filepath.EvalSymlinks(filepath.Join(m.Dir, rel)); err != nil || !within(m.Dir, real) {
			o.Why = "its folder is not in the marketplace: " + o.Source
		}
		o.from.folder, o.from.commit = filepath.Join(m.Dir, rel), m.Commit
	case "github", "url", "git", "git-subdir":
		o.from.url, o.from.ref = cmp.Or(from.URL, from.Repo), cmp.Or(from.SHA, from.Ref)
		o.from.sub = from.Path
		if err := o.from.check("read the marketplace"); err != nil {
			o.Why = err.Error()
		}
	default:
		o.Why = "parley does not install from " + cmp.Or(from.Source, "there")
	}
	if !isName(o.Name) {
		o.Why = wrongName
	}
	return o
}

// within reports whether a path without links lies in a directory.
func within(dir, real string) bool {
	top, err := filepath.EvalSymlinks(dir)
	rel, err2 := filepath.Rel(top, real)
	return err == nil && err2 == nil && filepath.IsLocal(rel)
}

// offered returns the folder of a plugin in that of a marketplace, or why there is none.
func offered(ctx context.Context, dir, name string) (string, string) {
	m := look(ctx, Marketplace{Dir: dir})
	for _, o := range m.Offers {
		if o.Name == name && o.from.folder != "" && o.Why == "" {
			return o.from.folder, ""
		}
	}
	return "", cmp.Or(m.Why, "its marketplace does not have it any more")
}

// find returns the source of NAME@MARKETPLACE. Marketplaces of parley count first.
func (s *Store) find(ctx context.Context, op, name, market string) (source, error) {
	var names []string
	for _, m := range s.Marketplaces(ctx) {
		names = append(names, m.Name)
		if m.Name != market {
			continue
		}
		if m.Why != "" {
			return source{}, fail(op, session.KindInvalid, "the marketplace %s: %s", market, m.Why)
		}
		for _, o := range m.Offers {
			switch {
			case o.Name == name && o.Why != "":
				return source{}, fail(op, session.KindInvalid, "%s@%s: %s", name, market, o.Why)
			case o.Name == name:
				return o.from, nil
			}
		}
		return source{}, fail(op, session.KindNotFound, "the marketplace %s has no plugin %s", market, name)
	}
	return source{}, fail(op, session.KindNotFound, "there is no marketplace %s; known: %s", market, cmp.Or(strings.Join(names, ", "), "none"))
}
