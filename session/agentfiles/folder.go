package agentfiles

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/agentfiles/head"
)

// The bounds of reading.
const (
	maxFile    = 256 << 10 // bytes of one file
	maxEntries = 500       // files and directories in one folder
	maxDepth   = 4         // directories below a folder
)

// place is a folder with files of agents and prompts.
type place struct {
	// dir is the folder, absolute. With base, which is above it, no link leads out of base.
	dir, base string
	origin    session.CustomOrigin
	// agents and prompts say what the files of the folder may be. prefix begins the names, as those of plugins do.
	agents, prompts bool
	prefix          string
}

// entry is a file of a folder: what it describes, else nil, and what is wrong with it.
type entry struct {
	path   string
	origin session.CustomOrigin
	agent  *session.CustomAgent
	prompt *session.CustomPrompt
	faults []head.Fault
}

// read returns the agents and prompts of a folder in the order of their paths. A folder that is not there has none.
func (p place) read(ctx context.Context) (out []entry) {
	base, rel := p.dir, "."
	if p.base != "" {
		r, err := filepath.Rel(p.base, p.dir)
		if err != nil {
			return nil
		}
		base, rel = p.base, filepath.ToSlash(r)
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil
	}
	defer root.Close()
	left := maxEntries
	names, more := []string{rel}, false
	if path.Ext(rel) != ".md" {
		names, more = files(root, rel, 0, &left)
	}
	slices.Sort(names)
	for _, name := range names {
		if ctx.Err() != nil {
			return out
		}
		short := strings.TrimPrefix(strings.TrimPrefix(name, rel), "/")
		if short == "" { // the place is an agent itself
			short = path.Base(name)
		}
		if e := p.entry(ctx, root, name, short); e.path != "" {
			out = append(out, e)
		}
	}
	if more {
		out = append(out, entry{path: p.dir, origin: p.origin, faults: []head.Fault{{Line: 0, What: "there are more files here than are read", Deadly: true}}})
	}
	return out
}

// entry reads one file. Its path is empty if it is neither an agent nor a prompt.
func (p place) entry(ctx context.Context, root *os.Root, name, short string) entry {
	asAgent, asPrompt := agentName(short), promptName(short)
	if !p.agents {
		asAgent = ""
	}
	if !p.prompts {
		asPrompt = ""
	}
	if asAgent == "" && asPrompt == "" {
		return entry{}
	}
	e := entry{path: filepath.Join(root.Name(), filepath.FromSlash(name)), origin: p.origin}
	data, err := safefs.ReadFileIn(ctx, root, name, maxFile, safefs.FollowLinks)
	if err != nil {
		if errors.Is(err, context.Cause(ctx)) && ctx.Err() != nil {
			return entry{}
		}
		e.faults = []head.Fault{{Line: 0, What: unreadable(err), Deadly: true}}
		return e
	}
	if asPrompt != "" {
		e.prompt, e.faults = promptOf(data, p.prefix+asPrompt)
	} else {
		e.agent, e.faults = agentOf(data, asAgent)
	}
	switch {
	case e.agent != nil:
		if !strings.HasPrefix(e.agent.Name, p.prefix) {
			e.agent.Name = p.prefix + e.agent.Name
		}
		e.agent.Path, e.agent.Origin = e.path, p.origin
	case e.prompt != nil:
		e.prompt.Path, e.prompt.Origin = e.path, p.origin
	case len(e.faults) == 0 && strings.HasSuffix(strings.ToLower(short), ".agent.md"):
		e.faults = []head.Fault{{Line: 1, What: `the head is missing: begin the file with a line of ---, a line such as "description: …" and another ---`, Deadly: true}}
	case len(e.faults) == 0:
		return entry{} // some other text
	}
	return e
}

// unreadable returns why a file could not be read.
func unreadable(err error) string {
	switch {
	case errors.Is(err, safefs.ErrNotRegular):
		return "it is not a regular file"
	case errors.Is(err, safefs.ErrTooLarge):
		return "it is too large: at most 256 KiB are read"
	case errors.Is(err, fs.ErrPermission):
		return "it may not be read"
	case errors.Is(err, fs.ErrNotExist):
		return "it is a link to a file that is not there"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		if _, system := errors.AsType[syscall.Errno](pe.Err); !system {
			return "it is a link that leads elsewhere"
		}
	}
	return "it cannot be read"
}

// files returns the paths of the markdown files below a directory of root. more reports whether there were too many.
func files(root *os.Root, dir string, depth int, left *int) (names []string, more bool) {
	if info, err := root.Stat(dir); err != nil || !info.IsDir() {
		return nil, false
	}
	f, err := root.Open(dir)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	entries, err := f.ReadDir(*left + 1)
	if err != nil && err != io.EOF {
		return nil, false
	}
	for _, e := range entries {
		if *left--; *left < 0 {
			return names, true
		}
		name := path.Join(dir, e.Name())
		if strings.EqualFold(path.Ext(name), ".md") && !e.IsDir() {
			names = append(names, name)
			continue
		}
		if !e.IsDir() { // also a link to a directory, which may lead round in circles
			continue
		}
		if depth == maxDepth {
			more = true
			continue
		}
		inner, too := files(root, name, depth+1, left)
		names, more = append(names, inner...), more || too
	}
	return names, more
}
