package cloud

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/copilot/cloud"
	"parley/internal/crash"
	"parley/session"
	"parley/session/cloud/mapper"
)

// work is a task as the service has it.
type work struct {
	rec      *record         // nil if it was neither begun nor continued here
	sessions []cloud.Session // oldest first, at least one
	pull     *cloud.Pull     // nil if there is none
}

// newestFirst returns the sessions in the other order.
func (w *work) newestFirst() []cloud.Session {
	out := slices.Clone(w.sessions)
	slices.Reverse(out)
	return out
}

// errNoTask is the cause of an error about an id without a task.
var errNoTask = errors.New("no such task")

// find reads a task from the service. id is that of a record, or of one of the task's sessions. An unknown one is an error of
// kind [session.KindNotFound].
func (a *Agent) find(ctx context.Context, id session.ID) (*work, error) {
	notFound := func(err error) error {
		return &session.Error{Op: "find the task", Kind: session.KindNotFound, Err: err}
	}
	rec, err := a.records.load(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []string
	w := &work{rec: rec}
	resource := int64(0)
	switch {
	case rec != nil:
		for _, t := range rec.Turns {
			if t.Session != "" {
				ids = append(ids, t.Session)
			}
		}
		resource = rec.Pull.ID
	case plainID.MatchString(string(id)):
		ids = []string{string(id)}
	}
	if len(ids) == 0 && resource == 0 {
		return nil, notFound(errNoTask)
	}
	if resource == 0 {
		s, err := a.o.Service.Session(ctx, ids[len(ids)-1])
		if err != nil {
			if e := a.fail(err); rec != nil || session.KindOf(e) == session.KindAuth || session.KindOf(e) == session.KindNetwork {
				return nil, e
			}
			return nil, notFound(err)
		}
		resource = s.Resource
	}
	if resource != 0 {
		more, err := a.o.Service.SessionsOf(ctx, resource)
		if err != nil {
			return nil, a.fail(err)
		}
		for _, s := range more {
			if !slices.Contains(ids, s.ID) {
				ids = append(ids, s.ID)
			}
		}
	}
	if w.sessions, err = a.sessions(ctx, ids); err != nil {
		return nil, a.fail(err)
	}
	newest := w.sessions[len(w.sessions)-1]
	if w.pull, err = a.pull(ctx, newest); err != nil {
		a.o.Log.Info("read the pull request of a task", "error", err)
		if rec != nil && rec.Pull.ID != 0 {
			p := rec.Pull.pull()
			w.pull = &p
		}
	}
	return w, nil
}

// atOnce bounds the requests at the same time.
const atOnce = 4

// inParallel calls do for 0 to n-1, some at the same time, and returns the first error.
func inParallel(n int, do func(i int) error) error {
	errs, slots := make([]error, n), make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(crash.Guarded(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		}))
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sessions returns sessions with all their fields, oldest first.
func (a *Agent) sessions(ctx context.Context, ids []string) ([]cloud.Session, error) {
	out := make([]cloud.Session, len(ids))
	err := inParallel(len(ids), func(i int) (err error) {
		out[i], err = a.o.Service.Session(ctx, ids[i])
		return err
	})
	slices.SortStableFunc(out, func(x, y cloud.Session) int { return x.Created.Compare(y.Created) })
	return out, err
}

// Replay returns the events of a task. The work of a session that still runs is left out but for its beginning: who resumes it
// follows it from there.
func (a *Agent) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	w, err := a.find(ctx, id)
	if err != nil {
		return nil, err
	}
	var comments []cloud.Comment
	if w.pull != nil && len(w.sessions) > 1 {
		if comments, err = a.o.Service.Comments(ctx, *w.pull, w.sessions[0].Created); err != nil {
			a.o.Log.Info("read the comments of a task", "error", err)
		}
	}
	turns := make([][]session.Event, len(w.sessions))
	err = inParallel(len(turns), func(i int) error {
		events, err := a.replayTurn(ctx, id, w, i, comments)
		turns[i] = events
		return err
	})
	if err != nil {
		return nil, a.fail(err)
	}
	newest := w.sessions[len(w.sessions)-1]
	end := session.Head{Session: id, At: newest.Updated}
	events := slices.Concat(turns...)
	if w.pull != nil && w.pull.Title != "" {
		events = append(events, session.TitleChanged{Head: end, Title: w.pull.Title})
	}
	repository, base := "", ""
	if w.rec != nil {
		repository, base = w.rec.Repository, w.rec.Base
	}
	return append(events, session.RemoteChanged{Head: end, Remote: mapper.Remote(newest, w.pull, repository, base)}), nil
}

// replayTurn returns the events of one session.
func (a *Agent) replayTurn(ctx context.Context, id session.ID, w *work, at int, comments []cloud.Comment) ([]session.Event, error) {
	s := w.sessions[at]
	head := session.Head{Session: id, Turn: session.TurnID(s.ID), At: s.Created}
	prompt, dir := session.Prompt{Text: promptOf(w, at, comments)}, ""
	if w.rec != nil {
		dir = w.rec.Dir
		if t := w.rec.turn(session.TurnID(s.ID)); t != nil {
			head.Turn, prompt.Text = t.Turn, t.Prompt
		}
	}
	prompt.ID = session.PromptID(head.Turn)
	events := []session.Event{session.TurnStarted{Head: head, Prompt: prompt, Origin: session.OriginUser}}
	if !s.State.Over() {
		return events, nil
	}
	log, err := a.log(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("the log of %q: %w", s.Name, err)
	}
	if dir == "" {
		dir = a.dirOf(ctx, w.pull)
	}
	m := mapper.New(mapper.Options{Head: session.Head{Session: id, Turn: head.Turn, At: s.Created}, Session: s.ID, Dir: dir})
	events = append(append(events, m.Feed(log)...), m.End()...)
	page := ""
	if w.pull != nil {
		page = mapper.Page(*w.pull, s.ID)
	}
	return append(events, mapper.Ended(session.Head{Session: id, Turn: head.Turn}, s, page)...), nil
}

// dirOf returns the directory of this run if the pull request is of its repository, else "".
func (a *Agent) dirOf(ctx context.Context, p *cloud.Pull) string {
	if here := a.here(ctx); p != nil && here.repository != "" && strings.EqualFold(here.repository, p.Repository) {
		return here.dir
	}
	return ""
}

// promptOf returns the prompt of a session that was sent elsewhere: the original prompt in the description of the pull request,
// or the comment that began it; else the name of the session.
func promptOf(w *work, at int, comments []cloud.Comment) string {
	s := w.sessions[at]
	if at == 0 && w.pull != nil {
		if text := originalPrompt(w.pull.Body); text != "" {
			return text
		}
	}
	for _, c := range comments {
		if s.EventURL != "" && c.URL == s.EventURL {
			return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.Body), strings.TrimSpace(mention)))
		}
	}
	return s.Name
}

// originalPrompt returns the prompt that the service quotes at the end of a description, "" if it does not.
func originalPrompt(body string) string {
	_, rest, ok := strings.Cut(body, "<summary>Original prompt</summary>")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "</details>")
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(rest)) {
		line = strings.TrimRight(line, "\r\n")
		text, quoted := strings.CutPrefix(line, ">")
		if !quoted && strings.TrimSpace(line) != "" {
			continue
		}
		lines = append(lines, strings.TrimPrefix(text, " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
