package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session/extensions"
	"parley/session/hooks"
)

// The bounds of reading: bytes of a file, paths of a list in a manifest, scripts that are listed.
const (
	maxFile    = 256 << 10
	maxPaths   = 200
	maxScripts = 50
)

// manifests are the places of manifests. All count, because each is read by some program.
var manifests = []string{".plugin/plugin.json", "plugin.json", claudeManifest, ".github/plugin/plugin.json"}

// claudeManifest is the place of Claude Code's.
const claudeManifest = ".claude-plugin/plugin.json"

// validName matches names of plugins and marketplaces. They become names of folders.
var validName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// wrongName says why a plugin or a marketplace cannot be used whose name is not one.
const wrongName = "its name must consist of letters, digits, -, _ and ., at most 64 of them"

func isName(s string) bool { return validName.MatchString(s) }

// content is what the folder of a plugin says.
type content struct {
	name, version, about, author string
	// skills, commands and agents are further places, relative.
	skills, commands, agents []string
	hooks                    []hooks.PluginFile
	servers                  []extensions.PluginFile
	// rest is what parley's own agent does not use.
	rest  []Part
	notes []string
	why   string
}

// reader reads the folder of a plugin.
type reader struct {
	ctx  context.Context
	root *os.Root
	dir  string
	seen map[string]bool
	content
}

// read returns what a folder says. Nothing leads out of it. ours means that parley has installed it.
func read(ctx context.Context, dir string, ours bool) content {
	r := &reader{ctx: ctx, dir: dir, seen: map[string]bool{}}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return content{why: "its folder is not there"}
	}
	defer root.Close()
	r.root = root
	if data, err := safefs.ReadFileIn(ctx, root, translated, maxFile, safefs.NoLinks); ours && err == nil {
		for name := range strings.Lines(string(data)) {
			r.seen[strings.TrimSpace(name)] = true // it has what other files have
		}
	}
	found := false
	for _, at := range manifests {
		data, there := r.file(at)
		if !there {
			continue
		}
		found = true
		var m map[string]json.RawMessage
		if err := json.Unmarshal(data, &m); err != nil {
			r.fault("%s is not JSON: %s", at, err.Error())
			continue
		}
		r.manifest(at, m)
	}
	for _, at := range []string{"hooks/hooks.json", "hooks.json"} {
		r.once(at, r.hookFile)
	}
	for _, at := range []string{"mcp.json", ".mcp.json"} {
		r.once(at, r.serverFile)
	}
	r.others()
	if !found && len(r.hooks)+len(r.servers)+len(r.rest) == 0 && !r.has("skills") && !r.has("commands") && !r.has("agents") {
		r.fault("it is not a plugin: there is neither a plugin.json nor a folder with skills, commands or agents")
	}
	return r.content
}

// fault records the first reason why nothing of the plugin is used.
func (r *reader) fault(format string, args ...any) {
	if r.why == "" {
		r.why = fmt.Sprintf(format, args...)
	}
}

func (r *reader) has(name string) bool {
	_, err := r.root.Lstat(name)
	return err == nil
}

// file returns a file, and whether it is there and can be read. One that is there and cannot be read is a fault.
func (r *reader) file(name string) ([]byte, bool) {
	data, err := safefs.ReadFileIn(r.ctx, r.root, name, maxFile, safefs.FollowLinks)
	switch {
	case err == nil:
		return data, true
	case errors.Is(err, fs.ErrNotExist) && !r.has(name) || r.ctx.Err() != nil:
	case errors.Is(err, safefs.ErrTooLarge):
		r.fault("%s is too large: at most 256 KiB are read", name)
	case errors.Is(err, safefs.ErrNotRegular):
		r.fault("%s is not a regular file", name)
	default:
		r.fault("%s cannot be read, or is a link that leads elsewhere", name)
	}
	return nil, false
}

// known are the keys of manifests that are read, or say nothing about what a plugin does.
var known = strings.Fields(`$schema name version description author homepage repository license keywords extensions skills commands agents hooks
	mcpServers category tags strict source engines dependencies icon displayName`)

// unused are keys of manifests, and files, of what parley's own agent does not use: why, and whether it starts something elsewhere.
var unused = map[string]struct {
	why    string
	starts bool
}{
	"outputStyles":  {"output styles of plugins are not used here", false},
	"output-styles": {"output styles of plugins are not used here", false},
	"themes":        {"parley draws with its own themes", false},
	"userConfig":    {"parley asks for no settings of plugins", false},
	"rules":         {"rules of plugins are not used here", false},
	"settings.json": {"settings of plugins are not used here", false},
	"mods":          {"mods draw on Claude Code's screen; nothing of them is drawn here", true},
	"panes":         {"mods draw on Claude Code's screen; nothing of them is drawn here", true},
	"experimental":  {"it is not used here", true},
	"statusLine":    {"it is not used here", true},
	"channels":      {"it is not used here", true},
	"monitors":      {"it runs in Claude Code only", true},
	"lspServers":    {"language servers of plugins run in Claude Code and the Copilot CLI only", true},
	".lsp.json":     {"language servers of plugins run in Claude Code and the Copilot CLI only", true},
}

// manifest takes what a manifest says.
func (r *reader) manifest(at string, m map[string]json.RawMessage) {
	text := func(key string) (s string) { _ = json.Unmarshal(m[key], &s); return s }
	first := func(to *string, value string) {
		if *to == "" {
			*to = strings.Join(strings.Fields(value), " ")
		}
	}
	first(&r.name, text("name"))
	first(&r.version, text("version"))
	first(&r.about, text("description"))
	first(&r.author, text("author"))
	var author struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(m["author"], &author)
	first(&r.author, author.Name)
	for key, to := range map[string]*[]string{"skills": &r.skills, "commands": &r.commands, "agents": &r.agents} {
		paths, objects := values(m[key])
		for _, o := range objects { // commands by their names, each with a source
			var byName map[string]struct {
				Source string `json:"source"`
			}
			_ = json.Unmarshal(o, &byName)
			for _, name := range slices.Sorted(maps.Keys(byName)) {
				paths = append(paths, byName[name].Source)
			}
		}
		for _, p := range paths {
			if p, ok := r.inside(at, key, p); ok && p != key && !slices.Contains(*to, p) {
				*to = append(*to, p)
			}
		}
	}
	for key, take := range map[string]func(name string, data []byte){"hooks": r.hookFile, "mcpServers": r.serverFile} {
		paths, objects := values(m[key])
		for _, p := range paths {
			if p, ok := r.inside(at, key, p); ok {
				r.once(p, take)
			}
		}
		for _, o := range objects {
			take(at, o)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch _, is := unused[key]; {
		case is:
			r.unused(key, at, string(m[key]))
		case !slices.Contains(known, key):
			r.notes = append(r.notes, at+": "+key+" is not known and is ignored")
		}
	}
}

// values returns the texts and the objects of a value that is one of them or a list.
func values(raw json.RawMessage) (texts []string, objects []json.RawMessage) {
	list := []json.RawMessage{raw}
	_ = json.Unmarshal(raw, &list)
	for _, one := range list[:min(len(list), maxPaths)] {
		var s string
		var o map[string]json.RawMessage
		switch {
		case json.Unmarshal(one, &s) == nil && s != "":
			texts = append(texts, s)
		case json.Unmarshal(one, &o) == nil && o != nil:
			objects = append(objects, one)
		}
	}
	return texts, objects
}

// inside returns a path of a manifest, relative to the plugin. One that leads out of it is a fault.
func (r *reader) inside(at, key, p string) (string, bool) {
	for _, name := range []string{"${CLAUDE_PLUGIN_ROOT}/", "${PLUGIN_ROOT}/"} {
		p = strings.TrimPrefix(p, name)
	}
	p = path.Clean(filepath.ToSlash(p))
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		r.fault("%s: %s leads out of the plugin", at, key)
		return "", false
	}
	if _, err := r.root.Stat(p); err != nil && r.has(p) {
		r.fault("%s is a link that leads elsewhere", p)
		return "", false
	}
	return p, true
}

func (r *reader) abs(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// once takes a file, the first time that it is named.
func (r *reader) once(name string, take func(name string, data []byte)) {
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	if data, ok := r.file(name); ok {
		take(name, data)
	}
}

// hookFile takes hooks, with or without the key above the events.
func (r *reader) hookFile(name string, data []byte) {
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) == nil && m["hooks"] == nil && m != nil {
		data = slices.Concat([]byte(`{"hooks":`), data, []byte("}"))
	}
	r.hooks = append(r.hooks, hooks.PluginFile{Path: r.abs(name), Data: data})
}

// serverFile takes servers, with or without a key above them.
func (r *reader) serverFile(name string, data []byte) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		r.fault("%s is not JSON: %s", name, err.Error())
		return
	}
	for _, key := range []string{"mcpServers", "servers"} {
		if raw, is := m[key]; is {
			m = nil
			if json.Unmarshal(raw, &m) != nil {
				r.fault("%s: %s is not an object", name, key)
			}
			break
		}
	}
	delete(m, "$schema")
	r.servers = append(r.servers, extensions.PluginFile{Path: r.abs(name), Servers: m})
}

// others lists what lies in the folder and is not used here, and the scripts that hooks and skills may name.
func (r *reader) others() {
	for _, name := range []string{"output-styles", "themes", "mods", "rules", "settings.json"} {
		if r.has(name) {
			r.unused(name, name, "")
		}
	}
	for _, name := range []string{".lsp.json", "monitors/monitors.json"} {
		if data, ok := r.file(name); ok {
			r.unused(strings.TrimSuffix(name, "/monitors.json"), name, string(data))
		}
	}
	for _, dir := range []string{"bin", "scripts", "hooks", "hooks/scripts"} {
		at, err := r.root.Open(dir)
		if err != nil {
			continue
		}
		entries, _ := at.ReadDir(maxScripts)
		at.Close()
		for _, e := range entries {
			if name := path.Join(dir, e.Name()); !e.IsDir() && path.Ext(name) != ".json" && path.Ext(name) != ".md" {
				r.rest = append(r.rest, Part{Kind: Script, Name: name, Path: r.abs(name)})
			}
		}
	}
}

// unused lists something that parley's own agent does not use.
func (r *reader) unused(key, at, value string) {
	p := Part{Kind: Unsupported, Name: key, Path: r.abs(at), Why: unused[key].why}
	if unused[key].starts {
		p.Runs = strings.Join(strings.Fields(value), " ")
	}
	if key == "lspServers" || key == ".lsp.json" {
		p.Kind = Language
	}
	r.rest = append(r.rest, p)
}
