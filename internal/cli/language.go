package cli

import (
	"parley/session/builtin/lsp"
	"parley/session/builtin/tool"
	"parley/session/proc"
)

// languageServers returns what the configuration says of language servers. trusted reports whether the user trusts a directory.
func (a *app) languageServers(trusted func(dir string) bool) *lsp.Options {
	o := &lsp.Options{Off: !a.cfg.Builtin.LSP || a.demo != nil, Trusted: trusted} // the demo is the same everywhere
	for _, s := range a.cfg.Builtin.LSPServers {
		o.Servers = append(o.Servers, lsp.Custom{Name: s.Name, Off: s.Off, Command: s.Command, Extensions: s.Extensions, Roots: s.Roots})
	}
	return o
}

// languages reports the language servers that the builtin agent would start in the working directory.
func (d doctor) languages() check {
	c := check{name: "languages"}
	dir, err := d.app.workingDir()
	if c.err = err; err != nil {
		return c
	}
	_, decisions := d.app.decisions()
	w := &tool.Workspace{Dir: dir, Environ: proc.AgentEnviron(d.app.environ, nil)}
	c.found, c.err = lsp.Describe(w, *d.app.languageServers(d.app.trusted(decisions)))
	return c
}
