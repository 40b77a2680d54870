package extensions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
	"parley/session/proc"
	"parley/session/trust"
)

// Places are where servers are described. An empty place has none.
type Places struct {
	// Home is the user's home directory.
	Home string
	// ConfigDir is parley's configuration directory, with the file mcp.json.
	ConfigDir string
	// Claude returns Claude Code's file of the user, see [trust.UserConfig]; nil: there is none. Copilot is the directory of the
	// Copilot CLI.
	Claude  func() string
	Copilot string
	// CopilotOff returns the names of its servers that are off, and the file that says so; nil: there are none.
	CopilotOff func(ctx context.Context) (names []string, settings string)
	// Environ is the user's environment, which the user's own files may use. Files of a repository get it without tokens.
	Environ []string
	// Plugins returns the plugins whose servers are used; nil: there are none.
	Plugins func(ctx context.Context) []Plugin
}

// Plugin is a folder that brings servers. They get its path, and that of a folder for what they keep, as variables.
type Plugin struct {
	Name, Dir, Data string
	// Files are its files of servers, by their absolute paths.
	Files []PluginFile
}

// PluginFile is a file of servers as it was read: an object with their names.
type PluginFile struct {
	Path    string
	Servers map[string]json.RawMessage
}

// maxUserFile bounds a file of the user, in bytes. Claude Code's contains the history of all projects.
const maxUserFile = 64 << 20

// Servers returns the servers for a directory, as the package describes it. Unless the user trusts the directory, those of the
// repository are off and stand last, and the user's own run in the home directory, so that nothing in the directory is found by what
// they start.
func (p Places) Servers(ctx context.Context, dir string, trusted bool) []Server {
	f := finder{places: p, dir: dir, runs: dir}
	if !trusted {
		f.runs = p.Home
	}
	if p.ConfigDir != "" {
		f.own(ctx, filepath.Join(p.ConfigDir, "mcp.json"))
	}
	var claude trust.UserServers
	var from string
	if p.Claude != nil {
		from = p.Claude()
		claude = trust.ReadUserServers(from, dir, p.Home)
	}
	f.off, f.offIn = claude.Off, from
	f.addAll(claude.Here, from, false)
	if trusted {
		f.repository(ctx)
	}
	f.addAll(claude.Everywhere, from, false)
	if p.Copilot != "" {
		before := len(f.found)
		f.own(ctx, filepath.Join(p.Copilot, "mcp-config.json"))
		if p.CopilotOff != nil {
			names, settings := p.CopilotOff(ctx)
			for i := range f.found[before:] {
				if s := &f.found[before+i]; s.Why == "" && slices.Contains(names, s.Name) {
					s.Why = "switched off in " + settings
				}
			}
		}
	}
	if p.Plugins != nil {
		for _, of := range p.Plugins(ctx) {
			for _, file := range of.Files {
				f.plugin = &of
				f.addAll(file.Servers, file.Path, false)
			}
		}
		f.plugin = nil
	}
	if own := len(f.found); !trusted {
		f.repository(ctx)
		for i := range f.found[own:] {
			s := &f.found[own+i]
			s.Why, s.Over = notAgreed, ""
		}
	}
	return f.found
}

// notAgreed is why the servers of a repository are not used.
const notAgreed = "you have not agreed to what this project brings: /trust shows it and asks"

// repository adds the servers of the directory's repository.
func (f *finder) repository(ctx context.Context) {
	for _, file := range trust.ServerFiles(ctx, f.dir, f.places.Home) {
		f.add(file.Data, file.Key, file.Path, true)
	}
}

// finder collects servers from the first file that holds to the last.
type finder struct {
	places Places
	dir    string
	// runs is where programs run that say nothing else.
	runs  string
	found []Server
	off   []string
	offIn string // the file that has them
	// plugin is the plugin whose servers are added, nil for none.
	plugin *Plugin
}

// read returns a file of the user, nil for one that is missing, special or too long.
func (f *finder) read(ctx context.Context, path string) []byte {
	if path == "" {
		return nil
	}
	file, info, err := safefs.OpenFile(path, safefs.FollowLinks)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info.Size() > maxUserFile {
		return nil
	}
	data, err := safefs.Read(ctx, file, maxUserFile)
	if err != nil {
		return nil
	}
	return data
}

func (f *finder) own(ctx context.Context, path string) {
	f.add(f.read(ctx, path), "mcpServers", path, false)
}

// add adds the servers of a file.
func (f *finder) add(data []byte, key, path string, project bool) {
	servers, err := objectIn(data, key)
	if err != nil {
		f.found = append(f.found, Server{Name: filepath.Base(path), From: path, Project: project, Why: err.Error()})
		return
	}
	f.addAll(servers, path, project)
}

// variables are those that name the folders of a plugin.
func (p *Plugin) variables() map[string]string {
	if p == nil {
		return nil
	}
	return map[string]string{"PLUGIN_ROOT": p.Dir, "CLAUDE_PLUGIN_ROOT": p.Dir, "PLUGIN_DATA": p.Data, "CLAUDE_PLUGIN_DATA": p.Data}
}

// addAll adds servers by their names.
func (f *finder) addAll(byName map[string]json.RawMessage, path string, project bool) {
	if len(byName) > maxServers {
		f.found = append(f.found, Server{Name: filepath.Base(path), From: path, Project: project,
			Why: fmt.Sprintf("it has %d servers, and %d is the most", len(byName), maxServers)})
		return
	}
	environ := f.places.Environ
	if project || f.plugin != nil {
		environ = proc.AgentEnviron(environ, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		own := f.plugin.variables()
		x := expander{dir: f.dir, lookup: func(name string) (string, bool) {
			value := cmp.Or(own[name], proc.Lookup(environ, name))
			return value, value != ""
		}}
		if f.plugin != nil {
			x.root = f.plugin.Dir
		}
		s := parseServer(byName[name], Server{Name: name, From: path, Project: project}, x)
		if s.Env == nil {
			s.Env = map[string]string{}
		}
		maps.Copy(s.Env, own)
		if s.Dir == "" {
			s.Dir = f.runs
		}
		if at := slices.IndexFunc(f.found, func(o Server) bool { return o.Name == s.Name }); at >= 0 {
			s.Over = f.found[at].From
			s.Why = "replaced by the one in " + s.Over
		} else if s.Why == "" && slices.Contains(f.off, s.Name) {
			s.Why = "switched off for this directory in " + f.offIn
		}
		f.found = append(f.found, s)
	}
}
