//go:build unix

package runtimes

import (
	"path/filepath"
	"testing"
)

// TestCopilotIsAskedItsWay asks the CLI with a flag and the program without node, which has none, with a message; another
// program called copilot is passed over.
func TestCopilotIsAskedItsWay(t *testing.T) {
	for name, tc := range map[string]struct{ file, script, version string }{
		"CLI": {"copilot", `[ "$*" = --version ] && echo "GitHub Copilot CLI 1.0.99."`, "1.0.99"},
		"without node": {"copilot-runtime", `[ "$1" = --headless ] || exit 2; read a; read b; read -r c || true
			case "$c" in *'"method":"connect"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":3,"version":"1.0.97"}}';; esac`, "1.0.97"},
		"another program": {"copilot", `echo "copilot version: v1.34.1"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := program(t, filepath.Join(t.TempDir(), tc.file), "#!/bin/sh\n"+tc.script+"\n")
			r := New(Options{Dir: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"}, Platform: linux,
				Configured: map[string]Configured{"copilot": {Path: path}}})
			found, err := r.Resolve(t.Context(), "copilot")
			if found.Version != tc.version || (err == nil) != (tc.version != "") {
				t.Errorf("%+v, %v", found, err)
			}
			if tc.version == "" && ReasonOf(err) != ReasonCannotTell {
				t.Error(err)
			}
		})
	}
}
