package builtin

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/hook"
	"parley/session/builtin/role"
	"parley/session/builtin/wire"
	"parley/session/hooks"
)

// openHooks prepares the hooks of a conversation.
func openHooks(c *conversation, o Options) *hook.Session {
	if o.Hooks == nil {
		return nil
	}
	dir, h := filepath.Clean(c.open.Dir), c.open.History
	return hook.Open(hook.Options{Find: func(ctx context.Context) hooks.Set { return o.Hooks(ctx, dir) }, Session: c.open.Session, Dir: dir,
		Processes: o.Processes, Environ: environOf(c), Pass: o.HooksPass, Resumed: h != nil && len(h.Turns) > 0, Unattended: o.Unattended,
		Mode: func() session.Mode { return c.current().Mode },
		Notice: func(s session.Severity, text string) {
			if o.Home != "" {
				text = strings.ReplaceAll(text, o.Home+string(filepath.Separator), filepath.FromSlash("~/"))
			}
			c.out.emit(session.Notice{Head: c.head(), Severity: s, Text: text})
		},
		Export: func(environ []string) { c.top.ws.Shell.Export(environ) },
		Ask: func(ctx context.Context, model, system, question string) (string, error) {
			return askOnce(ctx, c, model, system, question)
		}})
}

// askOnce puts a question to a model: the one that is named, or else one that costs little.
func askOnce(ctx context.Context, c *conversation, name, system, question string) (string, error) {
	models := c.models(ctx)
	model, _ := role.Explore.ChildModel(models, "", wire.ChooseModel(models, c.current().Model), "")
	if i := slices.IndexFunc(models, func(m session.Model) bool { return m.ID == name && m.Unusable == "" }); i >= 0 {
		model = models[i]
	}
	return listenTo(ctx, c.top, wire.NewRequest(model, "", system, nil,
		[]wire.Message{{Role: "user", Content: []wire.Content{{Type: "text", Text: question}}}}))
}

// hooksOf returns the hooks of a loop.
func hooksOf(l *loop) *hook.Agent {
	return l.c.hooks.Agent(func() (id, kind string) { return string(l.child), l.role().Name },
		func(text string) { l.c.out.emit(session.Notice{Head: l.head(), Severity: session.Info, Text: text}) })
}

// hear puts before the model what hooks say, and reports whether they say anything.
func hear(l *loop, texts []string) bool {
	for _, text := range texts {
		l.remind(remind(text))
	}
	return len(texts) > 0
}

// beginTurn runs the hooks of a turn that begins, and returns why it does not go on.
func beginTurn(ctx context.Context, c *conversation, p session.Prompt, own bool) *session.Problem {
	text := p.Text
	if name, _ := commandOf(p); own || name == "compact" || name == "context" || name == "memory" {
		text = "" // no prompt goes to the model
	}
	said, problem := c.hooks.Begin(ctx, text, c.current().Model)
	hear(c.top, said)
	return problem
}

// heldBack runs the hooks of a loop that is about to end, and reports whether it goes on.
func heldBack(ctx context.Context, l *loop) bool {
	if !hear(l, l.hooks.Hold(ctx, func() string { return newestWords(l) })) {
		return false
	}
	l.inbox.open()
	return true
}

// newestWords returns the text of the newest answer of a loop that has any.
func newestWords(l *loop) (words string) {
	if l.job != nil {
		return l.job.lastWords()
	}
	l.c.out.read(func(t *session.Transcript) {
		if n := len(t.Turns); n > 0 {
			words = wire.LastWords(t.Turns[n-1].Entries)
		}
	})
	return words
}
