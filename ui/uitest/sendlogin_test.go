package uitest

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"parley/session"
	"parley/ui"
)

// mendable is a login that is refused until it is mended.
type mendable struct {
	catalog
	good atomic.Bool
}

func (m *mendable) Models(ctx context.Context) ([]session.Model, error) {
	if m.good.Load() {
		return m.catalog.Models(ctx)
	}
	return nil, &session.Error{Op: "discover endpoint", Kind: session.KindAuth, Status: 401, Err: errors.New("the token has expired")}
}

// A prompt is not sent with a login that cannot be used: it stays in the field, and goes once the login works.
func TestLoginIsCheckedBeforeAPromptIsSent(t *testing.T) {
	login := &mendable{}
	Run(t, Config{Width: 80, Height: 24, Options: func(o *ui.Options) { o.Catalog = login }}, func(p *Program) {
		p.Settle()
		p.Type("mend the build")
		p.Keys("enter")
		p.Settle()
		if !p.Has("Not sent, /login signs in: GitHub did not accept the sign-in") || !p.Has("mend the build") || len(p.Agent.Conversations()) != 0 {
			t.Errorf("the prompt was sent or lost:\n%s", p.Text())
		}
		login.good.Store(true)
		p.Keys("enter")
		if got := p.Turn().Prompt.Text; got != "mend the build" {
			t.Errorf("sent %q", got)
		}
	})
}

// The same in lines, where the user writes it again.
func TestPlainChecksTheLogin(t *testing.T) {
	login := &mendable{}
	RunLines(t, Config{Options: func(o *ui.Options) { o.Catalog = login }}, func(l *Lines) {
		l.Type("mend the build")
		l.Settle()
		if said := l.News(); !strings.Contains(said, "GitHub did not accept the sign-in") || !strings.Contains(said, "Not sent") {
			t.Errorf("said %s", said)
		}
		login.good.Store(true)
		l.Type("once more")
		if got := l.Agent.Turn(l.T).Prompt.Text; got != "once more" {
			t.Errorf("sent %q", got)
		}
	})
}
