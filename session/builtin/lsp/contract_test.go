//go:build contract

package lsp

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

const (
	// gopls v0.24 needs Go 1.27.
	goplsVersion = "golang.org/x/tools/gopls@v0.23.0"
	// TypeScript 7 has no tsserver.
	typescriptVersion       = "typescript@5.9.3"
	typescriptServerVersion = "typescript-language-server@5.3.0"
)

// cached returns a directory of the user's cache that install has filled once.
func cached(t *testing.T, name string, install func(dir string) *exec.Cmd) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "parley-contract", strings.NewReplacer("/", "_", "@", "_").Replace(name))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "install-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := install(fresh)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); errors.Is(there, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return dir
}

// gopls returns the directory of gopls.
func gopls(t *testing.T) string {
	return cached(t, goplsVersion, func(dir string) *exec.Cmd {
		cmd := exec.Command("go", "install", goplsVersion)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
		return cmd
	})
}

// typescript returns the directory of the programs of an npm installation.
func typescript(t *testing.T) string {
	dir := cached(t, typescriptServerVersion+"_"+typescriptVersion, func(dir string) *exec.Cmd {
		cmd := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir, typescriptServerVersion, typescriptVersion)
		cmd.Dir = dir
		return cmd
	})
	return filepath.Join(dir, "node_modules", ".bin")
}

// project is a directory with a pool whose servers are those of a directory.
type project struct {
	*tooltest.Bench
	t *testing.T
	p *Pool
}

func newProject(t *testing.T, programs string, files map[string]string) project {
	t.Helper()
	b := tooltest.New(t, files)
	for i, v := range b.W.Environ {
		if strings.HasPrefix(v, "PATH=") {
			b.W.Environ[i] = "PATH=" + programs + string(filepath.ListSeparator) + v[len("PATH="):]
		}
	}
	bounds := defaultBounds
	bounds.First, bounds.Edit = bounds.Start, bounds.Settle // a busy machine is slow
	p := New(b.W, Options{Bounds: bounds}, func(text string) { t.Log("notice:", text) })
	t.Cleanup(p.Close)
	return project{b, t, p}
}

// edit changes a file as a call would, and returns the note.
func (p project) edit(name, content string) Note {
	p.t.Helper()
	path := filepath.Join(p.W.Dir, name)
	ctx := context.Background()
	p.p.Before(ctx, []string{path})
	p.Write(name, content)
	return p.p.After(ctx, []session.FileEdit{{Path: path}})
}

func (p project) ask(in tooltest.Obj) string {
	p.t.Helper()
	tools := p.p.Tools(context.Background())
	if len(tools) == 0 {
		p.t.Fatal("no tool is offered")
	}
	return p.Run(tools[0], in).Result.Text
}

func (p project) expect(what, got string, parts ...string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			p.t.Errorf("%s lacks %q:\n%s", what, part, got)
		}
	}
}

// kill ends all servers as a crash would.
func (p project) kill() {
	p.t.Helper()
	for _, c := range p.p.running() {
		if err := c.child.Kill(); err != nil {
			p.t.Error(err)
		}
		<-c.gone
	}
}
