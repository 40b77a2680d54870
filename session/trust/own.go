package trust

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// maxUserConfig bounds the user's configuration file of the runtime, in bytes. It contains the history of all projects.
const maxUserConfig = 64 << 20

// UserConfig returns the path of the file in which the runtime stores the user's MCP servers, "" if unknown. configDir
// is the runtime's directory, "" for its default below home.
func UserConfig(configDir, home string) string {
	dir, above := configDir, configDir
	if dir == "" && home != "" {
		dir, above = filepath.Join(home, ".claude"), home
	}
	if dir == "" {
		return ""
	}
	if old := filepath.Join(dir, ".config.json"); isFile(old) {
		return old
	}
	return filepath.Join(above, ".claude.json")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// UserServers are the MCP servers in the user's file of Claude Code, by name and as in the file.
type UserServers struct {
	// Here are those for a directory or its repository, Everywhere those for all. Off are the names that are switched off here.
	Here, Everywhere map[string]json.RawMessage
	Off              []string
}

// ReadUserServers returns the servers in a file for a directory. An unreadable file has none.
func ReadUserServers(config, dir, home string) UserServers {
	u := UserServers{Here: map[string]json.RawMessage{}}
	data, err := readUserConfig(config)
	if err != nil {
		return u
	}
	file, err := parse(data)
	if err != nil {
		return u
	}
	u.Everywhere, _ = asObject(file["mcpServers"])
	if real, err := realPath(dir); err == nil {
		dir = real
	}
	projects, _ := asObject(file["projects"])
	for _, at := range []string{repositoryRoot(dir, home), dir} {
		project, ok := asObject(projects[at])
		if !ok {
			continue
		}
		if o, ok := asObject(project["mcpServers"]); ok {
			maps.Copy(u.Here, o)
		}
		names, _ := asList(project["disabledMcpServers"])
		for _, raw := range names {
			if name, ok := asString(raw); ok {
				u.Off = append(u.Off, name)
			}
		}
	}
	return u
}

// ownServers returns the MCP servers that the user has configured for every directory and for dir, without those switched off
// there.
func ownServers(config, dir, home string) object {
	u := ReadUserServers(config, dir, home)
	servers := object{}
	for _, all := range []map[string]json.RawMessage{u.Everywhere, u.Here} {
		for name, raw := range all {
			if !slices.Contains(u.Off, name) {
				servers[name] = raw
			}
		}
	}
	return servers
}

func readUserConfig(config string) ([]byte, error) {
	if config == "" {
		return nil, os.ErrNotExist
	}
	info, err := os.Stat(config)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxUserConfig {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(config)
}

// OwnServers returns the user's MCP servers for a directory that is not trusted, as the value of "mcpServers", nil for
// none. They run in the user's home directory, so that neither npx, nor a path, nor a file that a program loads by
// itself is found in dir. Servers that cannot run there are left out. more has further servers of the user.
func OwnServers(config, dir, home string, more map[string]json.RawMessage) json.RawMessage {
	if real, err := realPath(dir); err == nil {
		dir = real
	}
	out := object{}
	servers := maps.Clone(more)
	if servers == nil {
		servers = map[string]json.RawMessage{}
	}
	maps.Copy(servers, ownServers(config, dir, home))
	for name, raw := range servers {
		if server, ok := outside(raw, home); ok && !slices.Contains(reserved, name) {
			out[name] = server
		}
	}
	if len(out) == 0 {
		return nil
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return data
}

// reserved are names that runtimes refuse.
var reserved = []string{"claude-in-chrome", "computer-use"}

// elsewhere is a script that changes to the directory in its first argument and runs the other arguments there.
const elsewhere = `cd -- "$1" && shift && exec "$@"`

// outside changes a server so that its command runs in the user's home directory. It reports false if that is
// impossible.
func outside(raw json.RawMessage, home string) (json.RawMessage, bool) {
	server, ok := asObject(raw)
	if !ok {
		return nil, false
	}
	if home == "" || !filepath.IsAbs(home) {
		home = "/"
	}
	kind, _ := asString(server["type"])
	if !texts(server["env"]) || !texts(server["headers"]) {
		return nil, false
	}
	_, hasCommand := server["command"]
	if kind != "" && kind != "stdio" {
		url, _ := asString(server["url"])
		if hasCommand || url == "" || !slices.Contains([]string{"http", "sse", "ws"}, kind) {
			return nil, false
		}
		helper, has := server["headersHelper"]
		if !has {
			return raw, true
		}
		line, ok := asString(helper)
		if !ok || runtime.GOOS == "windows" {
			return nil, false
		}
		server["headersHelper"] = text("cd -- " + quote(home) + " && {\n" + line + "\n}")
		return encoded(server)
	}
	command, ok := asString(server["command"])
	if !ok || command == "" || runtime.GOOS == "windows" {
		return nil, false
	}
	args := []json.RawMessage{text("-c"), text(elsewhere), text("sh"), text(home), text(command)}
	if raw, has := server["args"]; has {
		more, ok := asList(raw)
		if !ok || slices.ContainsFunc(more, func(raw json.RawMessage) bool { _, ok := asString(raw); return !ok }) {
			return nil, false
		}
		args = append(args, more...)
	}
	list, err := json.Marshal(args)
	if err != nil {
		return nil, false
	}
	server["command"], server["args"] = text("/bin/sh"), list
	return encoded(server)
}

// texts reports whether a value is missing or an object of strings. Runtimes exit on any other value.
func texts(raw json.RawMessage) bool {
	if raw == nil {
		return true
	}
	o, ok := asObject(raw)
	for _, value := range o {
		_, isText := asString(value)
		ok = ok && isText
	}
	return ok
}

func encoded(o object) (json.RawMessage, bool) {
	data, err := json.Marshal(o)
	return data, err == nil
}

func text(s string) json.RawMessage {
	data, _ := json.Marshal(s) // a string always marshals
	return data
}

// own lists the user's servers that run something in the directory: a file that their command or an argument names. On
// Windows, where they cannot be started elsewhere, it lists all that start a program.
func (l *list) own(config, dir, home string) {
	ownServers(config, dir, home).each(func(name string, raw json.RawMessage) {
		server, ok := asObject(raw)
		if !ok {
			return
		}
		command, _ := asString(server["command"])
		words := []string{command}
		args, _ := asList(server["args"])
		for _, raw := range args {
			if word, ok := asString(raw); ok {
				words = append(words, word)
			}
		}
		runs := runtime.GOOS == "windows" && command != ""
		for _, word := range words {
			runs = runs || within(dir, word)
		}
		if runs {
			l.add(kindServer, "your own "+name, config, commandLine(server), compact(raw))
		}
	})
}

// within reports whether a word is the relative path of something in the directory. A bare name is not: programs of
// that name are looked up elsewhere.
func within(dir, word string) bool {
	if !strings.ContainsAny(word, `/\`) && filepath.Ext(word) == "" || !filepath.IsLocal(word) {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, word))
	return err == nil
}
