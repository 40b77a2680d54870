package permission

import (
	"testing"

	"parley/session"
)

func TestWritesSaysWhichLinesChangeFiles(t *testing.T) {
	for line, want := range map[string]bool{
		"ls": false, "go test ./...": false, "ls 2>&1": false, "ls >/dev/null": false, "cat a | head": false, "ls > x": true, "ls >> x": true, "touch x": true, "ls && rm x": true, "r\"m\" x": true, "/bin/rm x": true,
		"cp a b": true, "sed -i p x": true, "cat < x": false, "New-Item x": true, "echo x | tee y": true,
	} {
		for _, name := range []string{"bash", "any", "", "fish"} {
			p := testPolicy(session.ModeAcceptEdits)
			p.Shell = name
			if got := p.Writes(line); got != want {
				t.Errorf("%q in %q: %v", line, name, got)
			}
		}
	}
	p := testPolicy(session.ModeAcceptEdits)
	for line, want := range map[string]bool{"ls 'a": true, "$x": true, "eval \"$x\"": true} {
		if got := p.Writes(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
