package trust

import (
	"context"
	"encoding/json"
	"path/filepath"
)

// CopilotServers returns the MCP servers of a session of the Copilot runtime in a directory, as the value of "mcpServers", nil
// for none. Where the directory is trusted they are those that its repository brings: the runtime finds the user's own by
// itself, and those of a repository only once it was told to trust it for good. Where it is not, they are the user's own in
// the file config, which run in the user's home directory as with [OwnServers].
func CopilotServers(config, dir, home string, trusted bool) json.RawMessage {
	if real, err := realPath(dir); err == nil {
		dir = real
	}
	out := object{}
	if trusted {
		root := repositoryRoot(dir, home)
		for _, at := range []string{root, dir} {
			for _, name := range []string{".mcp.json", ".github/mcp.json"} {
				serversIn(at, name).each(func(name string, raw json.RawMessage) { out[name] = raw })
			}
		}
	} else {
		data, _ := readUserConfig(config) // a file that cannot be read has none
		file, _ := parse(data)
		all, _ := asObject(file["mcpServers"])
		all.each(func(name string, raw json.RawMessage) {
			server, ok := asObject(raw)
			if kind, _ := asString(server["type"]); ok && kind == "local" {
				delete(server, "type")
				raw, _ = encoded(server)
			}
			if changed, ok := outside(raw, home); ok {
				out[name] = changed
			}
		})
	}
	if len(out) == 0 {
		return nil
	}
	out.each(func(name string, raw json.RawMessage) { out[name] = patient(raw) })
	data, ok := encoded(out)
	if !ok {
		return nil
	}
	return data
}

// callTime is how long a call of a server may take that says nothing of it, in milliseconds: a day. Copilot 1.0.102 gives it three
// minutes, with the time that the user takes to fill in a form of the server.
const callTime = `86400000`

// patient returns a server whose calls wait for the user, unless it says how long they may take.
func patient(raw json.RawMessage) json.RawMessage {
	server, ok := asObject(raw)
	if !ok || server["timeout"] != nil {
		return raw
	}
	server["timeout"] = json.RawMessage(callTime)
	if changed, ok := encoded(server); ok {
		return changed
	}
	return raw
}

// serversIn returns the servers of a file of a repository, none of one that cannot be read.
func serversIn(dir, name string) object {
	r, err := openReader(dir)
	if err != nil {
		return nil
	}
	defer r.close()
	data, err := r.read(context.Background(), filepath.ToSlash(name))
	if err != nil {
		return nil
	}
	file, err := parse(data)
	if err != nil {
		return nil
	}
	servers, _ := asObject(file["mcpServers"])
	for name, raw := range servers {
		if _, ok := asObject(raw); !ok {
			delete(servers, name)
		}
	}
	return servers
}
