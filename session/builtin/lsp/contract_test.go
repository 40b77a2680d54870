//go:build contract

package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

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
