package uitest

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

// What runs, for how long, and how to stop it stand on the status line wherever the reader is.
func TestLongWorkScreens(t *testing.T) {
	eachSize(t, Config{Settings: opus}, longWork)
	Run(t, Config{Width: 40, Height: 12, Settings: opus}, func(p *Program) { longWork(p, "40x12") })
}

func longWork(p *Program, size string) {
	p.Type("test everything")
	turn := p.Turn()
	turn.Text(strings.Join(numbered(30), ""))
	turn.StartTool("Bash", `{"command":"go test ./... -race -count=1 -timeout 20m"}`)
	p.Pass(time.Second)
	turn.StartTool("Bash", `{"command":"make docs"}`)
	p.Pass(70 * time.Second)
	p.Keys("pgup")
	if rows := strings.Join(p.Rows(), "\n"); !strings.Contains(rows, "1m 1") || !strings.Contains(rows, "esc to stop") || !strings.Contains(rows, "go tes") {
		p.T.Errorf("the screen does not say what runs:\n%s", rows)
	}
	p.Golden("long-work-" + size)
}

// An installation shows how far it is while a turn runs, too.
func TestInstallWhileATurnRuns(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) {
		in("WT_SESSION=1")(o)
		o.Offer = &core.RuntimeOffer{Name: "claude", Title: "the Claude Code runtime", Bytes: 200e6, Install: func(ctx context.Context, progress func(core.InstallProgress)) error {
			for i := range int64(20) {
				progress(core.InstallProgress{Stage: "fetching", Done: i * 10e6, Total: 200e6, PerSecond: 10e6, Left: time.Duration(20-i) * time.Second})
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		}}
	}}, func(p *Program) {
		var m mark
		p.Type("/install")
		p.Keys("enter")
		p.Pass(10 * time.Second)
		if !p.Has("0.0 of 200.0 MB") || !p.Has("s left · esc to stop") {
			t.Errorf("it does not show how far it is:\n%s", p.Text())
		}
		raw := m.since(p)
		if !strings.Contains(raw, "\x1b]9;4;1;45\x1b\\") || !strings.Contains(raw, "\x1b]2;45% parley: ~/src/acme") {
			t.Error("neither the task bar nor the title says so")
		}
		p.Type("hello")
		turn := p.Turn()
		p.Pass(2 * time.Second)
		if !p.Has("installing 60%") {
			t.Errorf("beside a turn it is not shown:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Pass(9 * time.Second)
		if !p.Has("is installed") {
			t.Errorf("the end is not told:\n%s", p.Text())
		}
	})
}
