package script

import (
	"embed"
	"io/fs"
	"sync"
)

//go:embed demo.yaml
var demoYAML string

//go:embed demo
var demoFiles embed.FS

// Demo is the script of the demo: a guided round through reading, editing and running, which says plainly that
// the model is simulated, and single things on request. It expects [DemoFiles] in the working directory. The same
// value is returned each time.
func Demo() *Script { return demoScript() }

var demoScript = sync.OnceValue(func() *Script { return embedded(demoYAML, "demo.yaml") })

// DemoFiles is the tiny project of the demo, to be copied into a scratch directory. Its check script needs nothing but
// a POSIX shell.
func DemoFiles() fs.FS {
	sub, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		panic("script: " + err.Error()) // the name is a constant
	}
	return sub
}
