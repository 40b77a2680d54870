package md

import (
	"strings"
	"sync"
)

// language is what the scanner knows of a language.
type language struct {
	names   string // names and file extensions, apart by spaces
	line    []string
	block   [2]string
	nests   bool // block comments nest
	strings []quote
	words   map[string]class
	keys    string // words by class, apart by spaces: the source of words
	kinds   string
	known   string
	consts  string
	fold    bool   // words in any case
	inWords string // what names hold besides letters, digits and _
	calls   bool   // a name before ( is a function
	bang    bool   // a name before ! too
	types   bool   // a capitalised name is a type
	// The marks of decorators, variables and directives at the begin of a line; 0 for none.
	decorator, variable, directive byte
	hashInWords                    bool // # begins a comment only after a blank
	scan                           func(*line)
}

// quote is a kind of string.
type quote struct {
	open, close string
	esc         byte
	multi       bool // goes on over lines
	char        bool // a single character, else the mark is something else
}

var (
	double   = quote{open: `"`, close: `"`, esc: '\\'}
	single   = quote{open: "'", close: "'", esc: '\\'}
	char     = quote{open: "'", close: "'", esc: '\\', char: true}
	template = quote{open: "`", close: "`", esc: '\\', multi: true}
	raw      = quote{open: "`", close: "`", multi: true}
	triple   = quote{open: `"""`, close: `"""`, esc: '\\', multi: true}
	tripleS  = quote{open: "'''", close: "'''", esc: '\\', multi: true}
	longD    = quote{open: `"`, close: `"`, esc: '\\', multi: true}
	longS    = quote{open: "'", close: "'", multi: true}
	cBlock   = [2]string{"/*", "*/"}
)

// The index maps lower-case names to languages. It is built when the first code is drawn.
var (
	index     map[string]*language
	indexOnce sync.Once
)

func buildIndex() {
	index = map[string]*language{}
	all := languages()
	for i := range all {
		g := &all[i]
		g.words = map[string]class{}
		for c, list := range map[class]string{keyword: g.keys, typeName: g.kinds, builtin: g.known, constant: g.consts} {
			for _, w := range strings.Fields(list) {
				g.words[w] = max(g.words[w], c)
			}
		}
		for _, n := range strings.Fields(g.names) {
			index[n] = g
		}
	}
}

// languageOf finds a language by what stands behind a fence; nil if it is unknown.
func languageOf(name string) *language {
	if name == "" {
		return nil
	}
	name = strings.ToLower(strings.Trim(name, "{}. "))
	if i := strings.IndexAny(name, " ,:{"); i > 0 {
		name = name[:i]
	}
	indexOnce.Do(buildIndex)
	return index[name]
}
