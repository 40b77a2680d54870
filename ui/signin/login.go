package signin

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// outWord stands behind the command to sign out.
const outWord = "out"

// Run shows who is signed in and from where the token comes, with the ways to sign in again and out; "out" signs out. setup may be nil.
func Run(look *style.Look, setup core.Setup, args string) panel.Effect {
	l := account{look: look, setup: setup}
	switch {
	case setup == nil:
		return panel.Notice{Text: "There is no login here. Run parley auth login in a shell", Warn: true}
	case args == outWord:
		return l.Choose(outWord)
	}
	l.waiting = true
	return panel.Push{Panel: list.Open(look, l, ""), Start: l.ask(), Of: "login"}
}

// account is the list of what can be done with the login, below what is known of it.
type account struct {
	look    *style.Look
	setup   core.Setup
	known   core.Account
	trouble string
	waiting bool
}

// accountMsg carries what is known of the login.
type accountMsg struct {
	known   core.Account
	trouble string
}

// ask returns the command that asks who is signed in.
func (l account) ask() panel.Cmd {
	return func(ctx context.Context) tea.Msg {
		known, err := l.setup.Account(ctx)
		if err != nil {
			pr := session.ProblemOf(err, l.look.Now())
			return accountMsg{trouble: style.VisibleLine(strings.TrimSpace(pr.What + " " + pr.Next))}
		}
		return accountMsg{known: known}
	}
}

// Update takes what is known of the login.
func (l account) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	m, is := msg.(accountMsg)
	if !is {
		return panel.Pass{}, nil
	}
	l.known, l.trouble, l.waiting = m.known, m.trouble, false
	p.Set(l)
	return nil, nil
}

// Options returns the texts of the list.
func (l account) Options() list.Options {
	o := list.Options{Title: "Login", One: "login", Keys: list.ChooseKeys, Prose: 1, Text: l.trouble}
	if l.waiting {
		o.Wait = "Asking GitHub who is signed in…"
	}
	if a := l.known; a.Who != "" {
		lines := []string{style.VisibleLine("Signed in as " + a.Who + ", with the token " + a.Token + "."), style.VisibleLine("Plan: " + a.Plan)}
		for _, left := range a.Left {
			lines = append(lines, style.VisibleLine(left[0]+": "+left[1]))
		}
		o.Text = strings.Join(lines, "\n")
	}
	return o
}

// Rows returns what can be done.
func (l account) Rows() []list.Row {
	again := list.Row{ID: "in", Cells: []string{"Sign in again", "with a code that you enter on GitHub"}}
	if !l.setup.CanSignIn() {
		again.Cells[1] = "see how"
	}
	return []list.Row{again, {ID: outWord, Cells: []string{"Sign out", "removes the token that parley saved"}}}
}

// Choose signs in again, or out.
func (l account) Choose(id string) panel.Effect {
	setup := l.setup
	if id == outWord {
		return panel.Run{Work: func(ctx context.Context) panel.Effect { return l.said(setup.SignOut(ctx)) }}
	}
	if !setup.CanSignIn() {
		var ways []string
		for _, way := range setup.Ways() {
			ways = append(ways, strings.ReplaceAll(way, "`", ""))
		}
		return panel.Report{Title: "Sign in", Lines: ways}
	}
	return panel.Run{Work: l.signIn}
}

// said reports what came of signing in or out.
func (l account) said(text string, err error) panel.Effect {
	if err != nil {
		pr := session.ProblemOf(err, l.look.Now())
		return panel.Notice{Text: style.VisibleLine(strings.TrimSpace(pr.What + " " + pr.Next)), Warn: true}
	}
	return panel.Notice{Text: style.VisibleLine(text)}
}

// signIn begins to sign in and shows the code. What comes of it is reported once the user has entered that.
func (l account) signIn(ctx context.Context) panel.Effect {
	type outcome struct {
		said string
		err  error
	}
	code, done := make(chan []string, 1), make(chan outcome, 1)
	crash.Go(func() {
		said, err := l.setup.SignIn(ctx, func(address, word string) {
			code <- []string{"Open " + style.VisibleLine(address), "and enter this code: " + style.VisibleLine(word), "You can go on meanwhile: the new login counts from the next request."}
		})
		done <- outcome{said, err}
	})
	end := func(context.Context) panel.Effect {
		o := <-done
		return l.said(o.said, o.err)
	}
	select {
	case lines := <-code:
		return panel.All{panel.Report{Title: "Sign in", Lines: lines}, panel.Run{Work: end}}
	case o := <-done:
		return l.said(o.said, o.err)
	}
}
