package script

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed default.yaml
var defaultYAML string

// Default is the built-in script: a partner for trying things out, which answers "help" with what it knows. The
// same value is returned each time.
func Default() *Script { return defaultScript() }

var defaultScript = sync.OnceValue(func() *Script { return embedded(defaultYAML, "default.yaml") })

// embedded parses a script that is part of the program. A test parses all of them, so it cannot fail at run time.
func embedded(text, name string) *Script {
	sc, err := Parse(strings.NewReader(text), name)
	if err != nil {
		panic("script: " + err.Error())
	}
	return sc
}
