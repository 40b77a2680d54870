package cli

import (
	"parley/session/builtin/lsp"
)

// languageServers returns what the configuration says of language servers. trusted reports whether the user trusts a directory.
func (a *app) languageServers(trusted func(dir string) bool) *lsp.Options {
	o := &lsp.Options{Off: !a.cfg.Builtin.LSP || a.demo != nil, Trusted: trusted} // the demo is the same everywhere
	for _, s := range a.cfg.Builtin.LSPServers {
		o.Servers = append(o.Servers, lsp.Custom{Name: s.Name, Off: s.Off, Command: s.Command, Extensions: s.Extensions, Roots: s.Roots})
	}
	return o
}
