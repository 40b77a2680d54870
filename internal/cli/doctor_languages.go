package cli

import (
	"parley/session/builtin/lsp"
	"parley/session/builtin/tool"
	"parley/session/proc"
)

// languagesOf reports the language servers that the builtin agent would start in the working directory.
func languagesOf(a *app) (found string, err error) {
	dir, err := a.workingDir()
	if err != nil {
		return "", err
	}
	_, decisions := a.decisions()
	w := &tool.Workspace{Dir: dir, Environ: proc.AgentEnviron(a.environ, nil)}
	return lsp.Describe(w, *a.languageServers(a.trusted(decisions)))
}
