package watch

import (
	"fmt"
	"hash/maphash"
)

// Kind is what a file is about, or whose it is.
type Kind int

// The kinds. Settings of a program are with its hooks and MCP servers.
const (
	Instructions Kind = iota
	Agents
	Skills   // with commands and output styles
	Plugins  // lists of plugins, and their folders
	Shared   // settings and servers that several programs read
	Claude   // those of Claude Code
	Copilot  // those of the Copilot CLI
	OfParley // those of parley
	kinds
)

// State stands for the content of all files of a directory, by [Kind]. Two that are equal stand for the same content. The zero value is
// that of a directory that was not looked at.
type State [kinds]uint64

// Only returns the state of some kinds, with zero for the others.
func (s State) Only(of ...Kind) (out State) {
	for _, k := range of {
		out[k] = s[k]
	}
	return out
}

// Runtime returns what stands for the files that a runtime reads when it begins a session, by the name of its agent. Instructions are
// not among them: a model that is told others in the middle of a session would lose what the service has cached of it.
func (s State) Runtime(agent string) string {
	of := map[string]Kind{"claude": Claude, "copilot": Copilot}[agent]
	return fmt.Sprint(s.Only(Agents, Skills, Plugins, Shared, of))
}

// seed makes equal contents equal within this process, and unpredictable outside of it.
var seed = maphash.MakeSeed()

// sums add up the files of each kind.
type sums [kinds]maphash.Hash

// add adds a file of a path with a content.
func (s *sums) add(k Kind, path string, content uint64) {
	h := &s[k]
	_, _ = h.WriteString(path)
	maphash.WriteComparable(h, content)
}

// state returns the state, which is never the zero value.
func (s *sums) state() (out State) {
	for k := range s {
		out[k] = s[k].Sum64() | 1
	}
	return out
}

func newSums() *sums {
	s := &sums{}
	for k := range s {
		s[k].SetSeed(seed)
	}
	return s
}
