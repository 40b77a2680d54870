package lookup

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/builtin/lsp"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/toolview"
)

// Name is the name of the tool.
const Name = "code_lookup"

// idle is the time without questions after which the servers of a session end.
const idle = 10 * time.Minute

// Options are what the servers of all sessions share.
type Options struct {
	LSP       lsp.Options
	Processes *proc.Group
	// Environ returns the environment of the servers of a session that start now, without GitHub tokens.
	Environ func(session.ID) []string
	Home    string
	// Policy returns what rules say of files in the directories of a session, of which the first is its own.
	Policy func(dirs []string) permission.Policy
}

// Servers are the language servers of all sessions. It is safe for concurrent use.
type Servers struct {
	o Options

	mu   sync.Mutex
	open map[string]*project
}

// project is what answers the questions of one session.
type project struct {
	w    *tool.Workspace
	pool *lsp.Pool
	end  *time.Timer
	// tool is nil where no server is installed.
	tool func() *tool.Tool // once
}

// New returns servers of which none was started.
func New(o Options) *Servers { return &Servers{o: o, open: map[string]*project{}} }

// Tool returns the tool for a session, false where no server is installed for its files. It looks at them only once.
func (s *Servers) Tool(o session.OpenOptions) (session.ClientTool, bool) {
	t := s.project(o).tool()
	if t == nil {
		return session.ClientTool{}, false
	}
	return session.ClientTool{Name: Name, Description: about, Schema: []byte(t.Schema), Reads: true,
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			return s.answer(ctx, o, c)
		}}, true
}

const about = "Asks the project's language server, which knows the code better than a text search does. Operations: diagnostics (errors " +
	"and warnings of file_path, or all known ones without it), definition, references, implementation and hover (of symbol on line of " +
	"file_path), symbols (outline of file_path), workspace_symbols (symbols of the whole project that match query). Lines begin with 1. " +
	"Results are path:line:column. Ask for diagnostics of a file after you edited it."

// project returns what answers a session, and lets it live on.
func (s *Servers) project(o session.OpenOptions) *project {
	dir := filepath.Clean(o.Dir)
	key := strings.Join(append([]string{string(o.Session), dir}, o.Dirs...), "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.open[key]; p != nil {
		if p.end.Reset(idle) {
			return p
		}
		p.end.Stop() // it ends just now
	}
	w := &tool.Workspace{Dir: dir, Further: func() []string { return o.Dirs }, Home: s.o.Home, Environ: s.o.Environ(o.Session), Processes: s.o.Processes, Session: o.Session, Now: time.Now}
	w.Hidden = func(context.Context) func(path, real string) permission.Ruling {
		p := s.o.Policy(append([]string{dir}, o.Dirs...))
		return func(path, _ string) permission.Ruling { return rule(p, path) }
	}
	p := &project{w: w, pool: lsp.New(w, s.o.LSP, func(string) {})}
	p.tool = sync.OnceValue(func() *tool.Tool {
		if all := p.pool.Tools(context.Background()); len(all) > 0 {
			return all[0]
		}
		return nil
	})
	p.end = time.AfterFunc(idle, crash.Guarded(func() { s.close(key, p) }))
	s.open[key] = p
	return p
}

// rule rules on reading a file.
func rule(p permission.Policy, path string) permission.Ruling {
	return p.Decide(toolview.Read, session.PermissionAsk{Tool: "Read", Path: path}).Ruling
}

// close ends the servers of a session.
func (s *Servers) close(key string, p *project) {
	s.mu.Lock()
	if s.open[key] == p {
		delete(s.open, key)
	}
	s.mu.Unlock()
	p.pool.Close()
}

// answer answers a question. What is on disk counts: agents on a runtime change files without asking the servers.
func (s *Servers) answer(ctx context.Context, o session.OpenOptions, c session.ClientCall) (session.ToolResult, error) {
	p := s.project(o)
	t := p.tool()
	if t == nil {
		return session.ToolResult{}, errors.New("no language server is installed for this project")
	}
	job, err := t.Prepare(p.w, c.Input)
	if err != nil {
		return session.ToolResult{}, err
	}
	if hides := p.w.Hidden(ctx); hides(job.Place.Path, job.Place.Real) == permission.Deny {
		return session.ToolResult{}, errors.New("the user's rules deny reading this file")
	}
	p.pool.Touched()
	out := job.Run(ctx, c.ID, nil)
	if out.How != session.ToolOK {
		return session.ToolResult{}, errors.New(out.Result.Text)
	}
	return out.Result, nil
}
