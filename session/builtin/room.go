package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/builtin/apierror"
	"parley/session/builtin/compact"
	"parley/session/builtin/mapper"
	"parley/session/builtin/wire"
)

const (
	// maxSummaries bounds the summaries within summaryAnswers answers: more of them mean that the conversation only goes round.
	maxSummaries   = 3
	summaryAnswers = 8
)

// room keeps the conversation of a loop within the window of its model. Only the running turn uses it.
type room struct {
	gauge compact.Gauge
	// most is the longest prompt of each model, in tokens, as the service said when it refused one.
	most map[string]int64
	// taken is the size of the longest request that each model has answered, in bytes.
	taken map[string]int
	// answers counts the answers; summaries are their numbers at which the conversation was summarised.
	answers   int
	summaries []int
	// retryAt is the size from which a summary is tried again after one that failed.
	retryAt int
}

// draft makes requests to one model.
type draft struct {
	model session.Model
	build func(pieces []wire.Piece) wire.Request
	// note ends the request. answer is the schema of its answer, "" for none. cut means that its answer goes on where the one before
	// was cut off, last that no other may follow, so that no call may come of it.
	note, answer string
	cut, last    bool
}

// draft returns what makes requests to a model.
func (l *loop) draft(model session.Model, effort, system string) draft {
	system += "\nYou run on the model " + cmp.Or(model.Name, model.ID) + " (" + model.ID + ").\n"
	return draft{model: model, build: func(pieces []wire.Piece) wire.Request {
		return wire.NewRequest(model, effort, system, paramsOf(offered(l.tools(), model.ID, l.c.searches.Load()), model.ID), wire.FitMedia(wire.Join(pieces, model.ID), model))
	}}
}

func (d draft) request(pieces []wire.Piece) wire.Request {
	r := d.build(wire.Resolve(pieces))
	r.Remind(d.note)
	if d.cut {
		r.Remind(remind(cutNote))
	} else {
		r.Shape(d.answer, d.model)
	}
	if d.last {
		r.Remind(remind(lastNote))
		r.ForbidCalls()
	}
	return r
}

// roomError is the error of a request that does not fit, with what the user may do about it.
type roomError struct {
	problem *session.Problem
	outcome session.TurnOutcome
}

func (e *roomError) Error() string { return e.problem.What }

// errNothing means that there is nothing to summarise.
var errNothing = errors.New("there is nothing to summarize yet")

// noRoom returns the error of a conversation that cannot be made shorter, because of why.
func noRoom(why string) error {
	return &roomError{&session.Problem{Kind: session.KindTooLong, What: "The conversation does not fit into the model's window, and " + why + ".",
		Next: "Choose a model with a larger window, use /compact with what matters, or start a new session."}, session.TurnLimit}
}

// promptTooLong returns the error of a prompt that the service refused as too long although nothing else can be left out.
func promptTooLong(l *loop, err error, n int) error {
	e := &roomError{session.ProblemOf(err, l.c.o.Now()), session.TurnFailed}
	if n == 1 && l.child == "" {
		e.problem.What = strings.TrimSuffix(e.problem.What, ".") + ". This prompt is left out of the next request."
		e.problem.Next = "Send less at once, or put it into a file and name the file."
	}
	return e
}

// askFitting makes a request that fits into the window of the model and returns the answer. It makes the conversation shorter
// before the limit, and once more if the service still refuses it as too long.
func askFitting(ctx context.Context, l *loop, d draft, n int) (mapper.Answer, wire.Request, error) {
	r, err := fitRequest(ctx, l, d, false)
	if err != nil {
		return mapper.Answer{}, r, err
	}
	a, err := askModel(ctx, l, r, wire.Window(d.model), n)
	if err != nil && session.KindOf(err) == session.KindTooLong && ctx.Err() == nil && !a.Stopped {
		a, r, err = askShorter(ctx, l, d, n, refusal{a, r, err})
	}
	if err == nil {
		l.room.answers++
		l.room.answered(d.model.ID, compact.Size(r))
		l.room.gauge.Observe(d.model.ID, compact.Size(r), a.Usage.Input+a.Usage.CacheRead+a.Usage.CacheWrite)
	}
	return a, r, err
}

// refusal is a request that the service refused as too long.
type refusal struct {
	answer  mapper.Answer
	request wire.Request
	err     error
}

// askShorter makes the conversation shorter after a refusal and asks once more. A length that was only assumed is forgotten if
// that does not help, so that the next prompt is judged by itself.
func askShorter(ctx context.Context, l *loop, d draft, n int, was refusal) (mapper.Answer, wire.Request, error) {
	before := l.room.most[d.model.ID]
	named := l.room.refused(d.model, was.request, was.err)
	var a mapper.Answer
	r, err := fitRequest(ctx, l, d, true)
	if err == nil {
		if a, err = askModel(ctx, l, r, wire.Window(d.model), n); session.KindOf(err) == session.KindTooLong {
			err = noRoom("the service refused it even after it was summarized")
		}
	}
	if err != nil && !named {
		l.room.most[d.model.ID] = before
	}
	if errors.Is(err, errNothing) {
		return was.answer, was.request, promptTooLong(l, was.err, n)
	}
	return a, r, err
}

// of returns the room that a model has.
func (m *room) of(model session.Model, answer int64) compact.Room {
	if most := m.most[model.ID]; most > 0 && (wire.Window(model) == 0 || most < wire.Window(model)) {
		model.MaxPrompt, model.ContextWindow = most, 0
	}
	return compact.RoomOf(model, answer)
}

// counted matches the figures of a refusal: what was sent, and what may be.
var counted = lazyregexp.New(`(\d{3,})\D+?(\d{3,})`)

// refused takes what the service says of a request that is too long. It reports whether the service named the longest prompt;
// otherwise a little less than the request is assumed.
func (m *room) refused(model session.Model, r wire.Request, err error) bool {
	size := compact.Size(r)
	sent, most := int64(0), int64(0)
	if f := counted.FindStringSubmatch(err.Error()); f != nil {
		sent, _ = strconv.ParseInt(f[1], 10, 64)
		most, _ = strconv.ParseInt(f[2], 10, 64)
	}
	named := most > 0 && sent > most
	if !named {
		sent = m.gauge.Tokens(model.ID, size)
		most = sent * 9 / 10
	}
	m.gauge.Observe(model.ID, size, sent)
	if m.most == nil {
		m.most = map[string]int64{}
	}
	m.most[model.ID] = most
	return named
}

// answered takes the size of a request that a model has answered.
func (m *room) answered(model string, size int) {
	if m.taken == nil {
		m.taken = map[string]int{}
	}
	m.taken[model] = max(m.taken[model], size)
}

// unanswered returns the index of the first of the newest pieces that no answer follows: the prompt of a turn that has just
// begun. No summary stands in its place.
func unanswered(pieces []wire.Piece) int {
	i := len(pieces)
	for i > 0 && pieces[i-1].Answer == 0 && pieces[i-1].Turn == pieces[len(pieces)-1].Turn {
		i--
	}
	return i
}

// fitRequest returns the next request. If the conversation has become too long it leaves out old results, or summarises. must means
// that the service has refused the request as it is; the error is [errNothing] if no summary would make it fit.
func fitRequest(ctx context.Context, l *loop, d draft, must bool) (wire.Request, error) {
	pieces := l.pieces()
	r := d.request(pieces)
	size := compact.Size(r)
	tokens, room := l.room.gauge.Tokens(d.model.ID, size), l.room.of(d.model, r.MaxTokens)
	if !must && (room.Start == 0 || tokens < room.Start || size < l.room.retryAt) {
		return r, nil
	}
	target := l.room.gauge.Bytes(d.model.ID, room.Start*6/10) // each time rewrites the cache: free much at once
	if calls := compact.Drop(wire.Resolve(pieces), size, target); len(calls) > 0 {
		return d.request(append(pieces, compacted(l, d, pieces, session.Compacted{Auto: true, Before: tokens, Dropped: calls}))), nil
	}
	least := size - sizeOfAll(wire.Resolve(pieces)) + sizeOfAll(pieces[unanswered(pieces):])
	if room.Most > 0 && l.room.gauge.Tokens(d.model.ID, least) > room.Most ||
		!slices.ContainsFunc(pieces, func(p wire.Piece) bool { return p.Role == "assistant" && len(p.Blocks) > 0 }) {
		if must {
			return r, errNothing
		}
		return r, nil // the service decides
	}
	if late := l.room.late(); late > 0 {
		return r, noRoom(fmt.Sprintf("it was summarized %d times within the last %s", maxSummaries, human.Count(late, "answer", "answers")))
	}
	focus, err := l.hooks.BeforeSummary(ctx, "auto", "")
	c := session.Compacted{Auto: true, Before: tokens, Focus: focus}
	if err == nil || must || tokens > room.Most { // what does not fit has to become shorter, whatever a hook says
		c, err = summarise(ctx, l, d, pieces, room, c)
	}
	if errors.Is(err, compact.ErrNone) && (must || tokens > room.Most) {
		c.Summary, err = compact.Without, nil
	}
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil && (must || tokens > room.Most):
		return r, noRoom("it could not be summarized: " + err.Error())
	case err != nil:
		l.room.retryAt = size + size/20
		l.c.out.emit(session.Notice{Head: l.head(), Severity: session.Warning, Text: "Couldn't summarize the conversation, which fills most of the " +
			"model's window: " + err.Error() + ". It is sent whole for now."})
		return r, nil
	}
	l.room.summaries = append(l.room.summaries, l.room.answers)
	r = d.request(append(pieces, compacted(l, d, pieces, c)))
	if hear(l, l.hooks.AfterSummary(ctx, "auto", c.Summary)) {
		r = d.request(l.pieces())
	}
	if now := l.room.gauge.Tokens(d.model.ID, compact.Size(r)); room.Most > 0 && now > room.Most {
		return r, noRoom(fmt.Sprintf("after a summary about %s tokens of %s are left: the newest prompt is too long", human.Tokens(now), human.Tokens(room.Most)))
	}
	return r, nil
}

// late returns within how many answers the conversation was summarised as often as it may be, 0 if it was not.
func (m *room) late() int {
	if n := len(m.summaries); n >= maxSummaries {
		if within := m.answers - m.summaries[n-maxSummaries]; within < summaryAnswers {
			return max(within, 1)
		}
	}
	return 0
}

// compacted reports a compaction of pieces and returns it as a piece.
func compacted(l *loop, d draft, pieces []wire.Piece, c session.Compacted) wire.Piece {
	c.Head = l.head()
	after := d.request(append(slices.Clip(pieces), wire.Piece{Compaction: &c}))
	c.After = l.room.gauge.Tokens(d.model.ID, compact.Size(after))
	l.c.out.emit(c)
	l.vain.Forget()
	if c.Summary != "" && l.child == "" {
		l.c.facts.summarised()
	}
	if l.child == "" {
		l.c.out.emit(session.ContextReported{Head: l.head(), Used: c.After, Window: wire.Window(d.model)})
	}
	return wire.Piece{Compaction: &c}
}

// summarise asks the model for a summary of everything but the newest answers, and returns c with it. Nothing is changed.
func summarise(ctx context.Context, l *loop, d draft, pieces []wire.Piece, room compact.Room, c session.Compacted) (session.Compacted, error) {
	sent := wire.Resolve(pieces)
	keep := min(room.Start/5, 30000)
	if room.Start == 0 {
		keep = 8000
	}
	c.Keep = compact.Keep(sent, l.room.gauge.Bytes(d.model.ID, keep))
	if n := len(sent); n > 0 {
		if c.Keep == (session.Cut{Turn: sent[0].Turn}) { // everything would fit, but is to be summarised
			c.Keep = session.Cut{Turn: sent[n-1].Turn, Answer: sent[n-1].Answer + 1}
		}
		if !c.Auto && c.Keep.Answer > sent[n-1].Answer {
			c.Keep = session.Cut{} // the turn is over: nothing of it stays, not even its prompt
		}
	}
	ask := compact.Ask(c.Focus)
	whole := d.build(sent)
	// A length that was only assumed leaves room for what the model has answered before.
	most := max(l.room.gauge.Bytes(d.model.ID, room.Most)-len(ask), l.room.taken[d.model.ID]) - compact.Size(whole) + sizeOfAll(sent)
	var text string
	var err error
	for range maxSummaries {
		if room.Most > 0 && sizeOfAll(sent) > most {
			// The newest prompt stays as it is: it would only take the place of what is to be summarised.
			sent = compact.Shorten(sent[:unanswered(sent)], most)
		}
		r := d.build(sent)
		if len(r.Messages) == 0 {
			return c, errNothing
		}
		r.Remind(ask)
		if text, err = listenTo(ctx, l, r); err == nil {
			if c.Summary, err = compact.Summary(text, l.todos.Now()); err != nil { // such as an answer that goes on with the task
				r.Remind(compact.Insist)
				r.ForbidCalls()
				if text, err = listenTo(ctx, l, r); err == nil {
					c.Summary, err = compact.Summary(text, l.todos.Now())
				}
			}
		}
		if session.KindOf(err) != session.KindTooLong {
			break
		}
		most = min(most, sizeOfAll(sent)) * 2 / 3
		room.Most = max(room.Most, 1)
	}
	return c, err
}

func sizeOfAll(pieces []wire.Piece) int {
	n := 0
	for _, p := range pieces {
		n += compact.SizeOf(p)
	}
	return n
}

// listenTo makes a request whose answer is not part of the conversation, and returns its text.
func listenTo(ctx context.Context, l *loop, r wire.Request) (string, error) {
	body, err := wire.EncodeJSON(r)
	if err != nil {
		return "", &session.Error{Op: "make request", Kind: session.KindInternal, Err: err}
	}
	for attempt := 1; ; attempt++ {
		var heard listener
		m := &mapper.Mapper{Head: l.head, Model: r.Model, Aside: true, Fresh: func(session.CallID) bool { return true }}
		err := attemptOnce(ctx, l, body, r.Betas, byAgent, m, heard.take)
		accountFor(l, m.Answer, r.Model, 0, false)
		if err == nil || ctx.Err() != nil {
			return heard.text, err
		}
		delay, again := apierror.RetryDelay(err, attempt)
		if !again || attempt >= l.c.o.MaxAttempts {
			return "", err
		}
		l.c.out.emit(session.RetryScheduled{Head: l.head(), Attempt: attempt + 1, Of: l.c.o.MaxAttempts, Delay: delay, Why: apierror.Reason(err)})
		if err := l.c.sleep(ctx, delay); err != nil {
			return "", err
		}
	}
}

// listener collects the text of an answer that is not emitted.
type listener struct {
	text  string
	parts map[session.PartID]bool // those of text
}

func (h *listener) take(events []session.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case session.PartStarted:
			if e.Kind == session.PartText {
				if h.parts == nil {
					h.parts = map[session.PartID]bool{}
				}
				h.parts[e.Part] = true
			}
		case session.PartDelta:
			if h.parts[e.Part] {
				h.text += e.Text
			}
		}
	}
}

// problemOf returns the outcome of a turn whose request failed.
func (l *loop) problemOf(err error) (session.TurnOutcome, *session.Problem) {
	if e, ok := errors.AsType[*roomError](err); ok {
		return e.outcome, e.problem
	}
	return session.TurnFailed, session.ProblemOf(err, l.c.o.Now())
}
