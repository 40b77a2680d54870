package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"parley/session/extensions"
)

// translated is the file in the folder of a plugin with the names of those that parley has written for the runtimes. That of an author is
// removed: what it names is not listed.
const translated = ".parley"

// translate gives a plugin without Claude Code's manifest one, and what lies at other places than the runtimes look at, in their words.
func translate(dir, name string, c content) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	m := map[string]any{"name": name}
	for key, value := range map[string]string{"version": c.version, "description": c.about} {
		if value != "" {
			m[key] = value
		}
	}
	for key, paths := range map[string][]string{"skills": c.skills, "commands": c.commands, "agents": c.agents} {
		var all []string
		for _, p := range paths {
			all = append(all, "./"+p)
		}
		if len(all) > 0 {
			m[key] = all
		}
	}
	var written []string
	write := func(name string, value any) {
		if _, there := root.Lstat(name); there == nil || err != nil {
			return
		}
		data, _ := json.Marshal(value) // texts and valid JSON always marshal
		data = []byte(strings.NewReplacer("${PLUGIN_", "${CLAUDE_PLUGIN_", `"streamable-http"`, `"http"`).Replace(string(data)))
		written = append(written, name)
		if err = root.MkdirAll(path.Dir(name), 0o700); err == nil {
			err = root.WriteFile(name, append(data, '\n'), 0o600)
		}
	}
	if _, there := root.Lstat(claudeManifest); there == nil {
		return nil
	}
	write(claudeManifest, m)
	servers, events := map[string]json.RawMessage{}, map[string][]json.RawMessage{}
	for _, f := range c.servers {
		for name, server := range f.Servers {
			if _, taken := servers[name]; !taken {
				servers[name] = server
			}
		}
	}
	for _, f := range c.hooks {
		var file struct {
			Hooks map[string][]json.RawMessage `json:"hooks"`
		}
		_ = json.Unmarshal(f.Data, &file)
		for event, all := range file.Hooks {
			events[event] = append(events[event], all...)
		}
	}
	if len(servers) > 0 {
		write(".mcp.json", map[string]any{"mcpServers": servers})
	}
	if len(events) > 0 {
		write("hooks/hooks.json", map[string]any{"hooks": events})
	}
	return errors.Join(err, root.WriteFile(translated, []byte(strings.Join(written, "\n")+"\n"), 0o600))
}

// handed returns parley's plugins that are on, for the runtime of a program. Those whose name a plugin has that is on there are left out:
// the runtime has one of that name.
func (s *Store) handed(ctx context.Context, program Owner) (all []used) {
	theirs := map[string]bool{}
	for _, p := range map[Owner]func(context.Context) []Plugin{Claude: s.claude, Copilot: s.copilot}[program](ctx) {
		theirs[p.Name] = theirs[p.Name] || p.Enabled && p.Project == ""
	}
	for _, u := range s.on(ctx, false) {
		if !theirs[u.Name] {
			all = append(all, u)
		}
	}
	return all
}

// Folders returns the folders of parley's plugins that are on and that the runtime of a program does not have.
func (s *Store) Folders(ctx context.Context, program Owner) (dirs []string) {
	for _, u := range s.handed(ctx, program) {
		dirs = append(dirs, u.Dir)
	}
	return dirs
}

// FolderServers returns the servers of these folders, as the runtime names and describes them: in a directory that is not trusted Claude
// Code takes none from the folders.
func (s *Store) FolderServers(ctx context.Context, program Owner) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, u := range s.handed(ctx, program) {
		places := extensions.Places{Home: s.o.Home, Environ: s.o.Environ(), Plugins: func(context.Context) []extensions.Plugin {
			return []extensions.Plugin{u.serversOf(u.Plugin, s.data(u.Name))}
		}}
		for _, server := range places.Servers(ctx, filepath.Clean(u.Dir), false) {
			entry := map[string]any{"type": string(server.Transport), "url": server.URL, "headers": server.Headers}
			if len(server.Command) > 0 {
				entry = map[string]any{"type": "stdio", "command": server.Command[0], "args": server.Command[1:], "env": server.Env}
			}
			if raw, err := json.Marshal(entry); err == nil && server.Why == "" && !server.Project {
				all["plugin_"+u.Name+"_"+server.Name] = raw
			}
		}
	}
	return all
}
