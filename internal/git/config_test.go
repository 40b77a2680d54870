package git

import (
	"maps"
	"path/filepath"
	"testing"
)

func TestReadConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	write(t, file, "; comment\n[core]\n\tautoCRLF = input # comment\n\texcludesFile = \"~/a # b\"\n bare\n[Remote \"origin\"]\n\turl = x\n"+
		"[extensions] objectFormat = sha256\n[core]\nautocrlf = true\npath = C:\\\\x\n[unfinished\nkey = value\n")
	want := map[string]string{"core.autocrlf": "true", "core.excludesfile": "~/a # b", "core.bare": "true", "extensions.objectformat": "sha256", "core.path": `C:\x`}
	if got := ReadConfig(t.Context(), file); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := ReadConfig(t.Context(), file+"/missing"); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}
