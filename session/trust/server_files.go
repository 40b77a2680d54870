package trust

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
)

// serverFiles are the files below a directory in which a repository describes MCP servers, by the key that has them. Where two
// name the same server, the first holds.
var serverFiles = []struct{ name, key string }{{".mcp.json", "mcpServers"}, {".github/mcp.json", "mcpServers"}, {".vscode/mcp.json", "servers"}}

// ServerFile is a file of a repository that describes MCP servers.
type ServerFile struct {
	Path string // absolute
	Key  string // of the object with the servers by name
	Data []byte
}

// ServerFiles returns the files in which the repository of a directory describes MCP servers, nearest first. It leaves out what
// cannot be read, links out of the repository, and everything above it. An option of [Store] lists the same files.
func ServerFiles(ctx context.Context, dir, home string) []ServerFile {
	var out []ServerFile
	visitServers(ctx, dir, home, func(f ServerFile, err error) {
		if err == nil {
			out = append(out, f)
		}
	})
	return out
}

// Within reports whether a file lies in the repository of a directory, or in the directory where there is none. One that cannot be found
// does.
func Within(dir, home, file string) bool {
	dir, err := realPath(dir)
	at, err2 := realPath(file)
	if err != nil || err2 != nil {
		return true
	}
	if real, err := realPath(home); err == nil && home != "" {
		home = real
	}
	rel, err := filepath.Rel(repositoryRoot(dir, home), at)
	return err != nil || filepath.IsLocal(rel) && dir != home
}

// visitServers calls do for every file that describes servers, with an error for one that exists and was not read.
func visitServers(ctx context.Context, dir, home string, do func(f ServerFile, err error)) {
	dir, err := realPath(dir)
	if err != nil {
		return
	}
	if real, err := realPath(home); err == nil && home != "" {
		home = real
	}
	root := repositoryRoot(dir, home)
	r, err := openReader(root)
	if err != nil || dir == home {
		return
	}
	defer r.close()
	for at := dir; ctx.Err() == nil; at = filepath.Dir(at) {
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return
		}
		for _, f := range serverFiles {
			name := filepath.ToSlash(filepath.Join(rel, f.name))
			if data, err := r.read(ctx, name); !errors.Is(err, fs.ErrNotExist) {
				do(ServerFile{r.abs(name), f.key, data}, err)
			}
		}
		if at == root {
			return
		}
	}
}

// repositoryServers lists the MCP servers that the builtin agent would start for a directory.
func (l *list) repositoryServers(ctx context.Context, dir, home string) {
	visitServers(ctx, dir, home, func(f ServerFile, err error) {
		if u, ok := errors.AsType[*unread](err); ok {
			l.unreadable(kindServer, f.Path, filepath.Base(f.Path)+" "+u.why, u.mark)
			return
		}
		if len(bytes.TrimSpace(f.Data)) == 0 {
			return
		}
		o, err := parse(f.Data)
		if err != nil {
			l.unreadable(kindServer, f.Path, "cannot be read as JSON: "+err.Error(), string(f.Data))
			return
		}
		if raw, ok := o[f.Key]; ok {
			l.servers(f.Path, raw)
		}
	})
}
