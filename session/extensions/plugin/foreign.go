package plugin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
)

// maxPlugins bounds the plugins of one program that are looked at.
const maxPlugins = 200

func byName(a, b Plugin) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Market, b.Market))
}

// decode reads a JSON file into v, lines of comments left out, and leaves v as it is if that is impossible.
func decode(ctx context.Context, path string, v any) {
	data, err := safefs.ReadFile(ctx, path, maxBook, safefs.FollowLinks)
	if err != nil {
		return
	}
	var lines [][]byte
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			lines = append(lines, line)
		}
	}
	_ = json.Unmarshal(bytes.Join(lines, nil), v)
}

// switches are the settings of Claude Code and the Copilot CLI about plugins.
type switches struct {
	Enabled map[string]bool        `json:"enabledPlugins"`
	Markets map[string]knownMarket `json:"extraKnownMarketplaces"`
}

// origin is where a plugin or a marketplace comes from, as both programs write it.
type origin struct {
	Source  string `json:"source"`
	Path    string `json:"path"`
	Repo    string `json:"repo"`
	URL     string `json:"url"`
	Ref     string `json:"ref"`
	SHA     string `json:"sha"`
	Package string `json:"package"`
}

// text returns the origin as a person types it.
func (o origin) text() string {
	at := cmp.Or(o.URL, o.Repo, o.Path)
	ref := cmp.Or(o.SHA, o.Ref)
	switch {
	case o.Package != "":
		return "npm:" + o.Package
	case at == o.Path || o.Source == "":
		return at
	case o.Path != "":
		return at + "#" + ref + ":" + o.Path
	case ref != "":
		return at + "#" + ref
	}
	return at
}

// knownMarket is a marketplace as Claude Code and the Copilot CLI know it.
type knownMarket struct {
	Source origin `json:"source"`
	Place  string `json:"installLocation"`
}

// claude returns the plugins that Claude Code has installed.
func (s *Store) claude(ctx context.Context) (all []Plugin) {
	if s.o.Claude == "" {
		return nil
	}
	var installed struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	decode(ctx, filepath.Join(s.o.Claude, "plugins", "installed_plugins.json"), &installed)
	own := readSwitches(ctx, s.o.Claude)
	markets := s.claudeMarkets(ctx)
	type copy struct {
		Path    string `json:"installPath"`
		Scope   string `json:"scope"`
		Project string `json:"projectPath"`
		Version string `json:"version"`
		Commit  string `json:"gitCommitSha"`
	}
	for id, raw := range installed.Plugins {
		var one copy
		var several []copy
		if json.Unmarshal(raw, &several) != nil && json.Unmarshal(raw, &one) == nil {
			several = []copy{one}
		}
		name, market, _ := strings.Cut(id, "@")
		for _, c := range several[:min(len(several), maxPlugins)] {
			p := Plugin{Name: name, Market: market, Owner: Claude, Scope: cmp.Or(c.Scope, "user"), Source: id, Version: c.Version, Commit: c.Commit,
				Dir: filepath.Clean(c.Path), Enabled: own.Enabled[id]}
			if from := markets[market].Source.text(); from != "" {
				p.Source += " (" + from + ")"
			}
			if p.Scope == "project" || p.Scope == "local" {
				p.Project = cmp.Or(c.Project, "elsewhere")
				p.Enabled = inProject(ctx, c.Project, p.Scope, id)
			}
			if !filepath.IsAbs(c.Path) {
				p.Dir, p.Why = "", "Claude Code does not say where it is"
			}
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, byName)
	return all[:min(len(all), maxPlugins)]
}

// readSwitches reads the settings in the directory of a program, "" for none.
func readSwitches(ctx context.Context, dir string) (own switches) {
	if dir != "" {
		decode(ctx, filepath.Join(dir, "settings.json"), &own)
	}
	return own
}

// inProject reports whether the settings of a project switch a plugin on.
func inProject(ctx context.Context, dir, scope, id string) bool {
	name := "settings.json"
	if scope == "local" {
		name = "settings.local.json"
	}
	var own switches
	if filepath.IsAbs(dir) {
		decode(ctx, filepath.Join(dir, ".claude", name), &own)
	}
	return own.Enabled[id]
}

func (s *Store) claudeMarkets(ctx context.Context) (known map[string]knownMarket) {
	if s.o.Claude != "" {
		decode(ctx, filepath.Join(s.o.Claude, "plugins", "known_marketplaces.json"), &known)
	}
	return known
}

// copilot returns the plugins that the Copilot CLI has installed: those in its folder for each marketplace, and those that it reads in
// the folder of a marketplace itself. Those that its settings do not name are on.
func (s *Store) copilot(ctx context.Context) (all []Plugin) {
	if s.o.Copilot == "" {
		return nil
	}
	own := readSwitches(ctx, s.o.Copilot)
	var c struct {
		Installed []struct {
			Path    string          `json:"cache_path"`
			Version string          `json:"version"`
			Enabled *bool           `json:"enabled"`
			Source  json.RawMessage `json:"source"`
		} `json:"installedPlugins"`
	}
	decode(ctx, filepath.Join(s.o.Copilot, "config.json"), &c)
	top := filepath.Join(s.o.Copilot, "installed-plugins")
	for _, market := range directories(top) {
		for _, name := range directories(filepath.Join(top, market)) {
			p := Plugin{Name: name, Market: market, Owner: Copilot, Scope: "user", Source: name + "@" + market, Dir: filepath.Join(top, market, name)}
			if market == "_direct" {
				p.Market, p.Source = "", ""
			}
			said := own.Enabled
			on, is := said[name+"@"+market]
			p.Enabled = on || !is
			for _, i := range c.Installed {
				if filepath.Clean(i.Path) != p.Dir {
					continue
				}
				var from origin
				_ = json.Unmarshal(i.Source, &from)
				p.Version, p.Source = i.Version, cmp.Or(p.Source, from.text())
				if i.Enabled != nil && !is {
					p.Enabled = *i.Enabled
				}
			}
			p.Source = cmp.Or(p.Source, "a folder")
			all = append(all, p)
		}
	}
	for id, on := range own.Enabled {
		name, market, _ := strings.Cut(id, "@")
		from := own.Markets[market].Source
		if !isName(name) || slices.ContainsFunc(all, func(p Plugin) bool { return p.Name == name && p.Market == market }) || !filepath.IsAbs(from.Path) {
			continue
		}
		p := Plugin{Name: name, Market: market, Owner: Copilot, Scope: "user", Source: id + " (" + from.Path + ")", Enabled: on}
		p.Dir, p.Why = offered(ctx, from.Path, name)
		all = append(all, p)
	}
	slices.SortStableFunc(all, byName)
	return all[:min(len(all), maxPlugins)]
}

// directories returns the names of the directories in one.
func directories(dir string) (names []string) {
	at, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer at.Close()
	entries, _ := at.ReadDir(maxPlugins)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}
