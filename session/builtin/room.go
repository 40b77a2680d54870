package builtin

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/compact"
	"parley/session/builtin/service"
	"parley/session/builtin/wire"
)

const (
	// mostSummaries bounds the summaries within summaryAnswers answers: more of them mean that the conversation only goes round.
	mostSummaries  = 3
	summaryAnswers = 8
)

// room keeps the conversation of a loop within the window of its model. Only the running turn uses it.
type room struct {
	gauge compact.Gauge
	// most is the longest prompt of each model, in tokens, as the service said when it refused one.
	most map[string]int64
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
	// note ends the request.
	note string
}

// draft returns what makes requests to a model.
func (l *loop) draft(model session.Model, effort, system string) draft {
	return draft{model: model, build: func(pieces []wire.Piece) wire.Request {
		return wire.NewRequest(model, effort, system, paramsOf(offered(l.tools(), model.ID)), wire.FitMedia(wire.Join(pieces, model.ID), model))
	}}
}

func (d draft) request(pieces []wire.Piece) wire.Request {
	r := d.build(wire.Resolve(pieces))
	r.Remind(d.note)
	return r
}

// roomError is the error of a request that does not fit, with what the user may do about it.
type roomError struct{ problem *session.Problem }

func (e *roomError) Error() string { return e.problem.What }

// errNothing means that there is nothing to summarise.
var errNothing = errors.New("there is nothing to summarise yet")

// noRoom returns the error of a conversation that cannot be made shorter, because of why.
func noRoom(why string) error {
	return &roomError{&session.Problem{Kind: session.KindTooLong, What: "The conversation does not fit into the model's window, and " + why + ".",
		Next: "Choose a model with a larger window, use /compact with what matters, or start a new session."}}
}

// askFitting makes a request that fits into the window of the model and returns the answer. It makes the conversation shorter
// before the limit, and once more if the service still refuses it as too long.
func (l asking) askFitting(ctx context.Context, d draft, n int) (answer, wire.Request, error) {
	r, err := l.fit(ctx, d, false)
	if err != nil {
		return answer{}, r, err
	}
	a, err := l.ask(ctx, r, wire.Window(d.model), n)
	if err != nil && session.KindOf(err) == session.KindTooLong && ctx.Err() == nil && !a.stopped {
		l.room.refused(d.model, r, err)
		shorter, shortErr := l.fit(ctx, d, true)
		if errors.Is(shortErr, errNothing) {
			return a, r, err
		}
		if r, err = shorter, shortErr; err != nil {
			return answer{}, r, err
		}
		if a, err = l.ask(ctx, r, wire.Window(d.model), n); session.KindOf(err) == session.KindTooLong {
			err = noRoom("the service refused it even after it was summarised")
		}
	}
	if err == nil {
		l.room.answers++
		l.room.gauge.Observe(d.model.ID, compact.Size(r), a.usage.Input+a.usage.CacheRead+a.usage.CacheWrite)
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
var counted = regexp.MustCompile(`(\d{3,})\D+?(\d{3,})`)

// refused takes what the service says of a request that is too long.
func (m *room) refused(model session.Model, r wire.Request, err error) {
	size := compact.Size(r)
	sent, most := int64(0), int64(0)
	if f := counted.FindStringSubmatch(err.Error()); f != nil {
		sent, _ = strconv.ParseInt(f[1], 10, 64)
		most, _ = strconv.ParseInt(f[2], 10, 64)
	}
	if most <= 0 || sent <= most {
		sent = m.gauge.Tokens(model.ID, size)
		most = sent * 9 / 10
	}
	m.gauge.Observe(model.ID, size, sent)
	if m.most == nil {
		m.most = map[string]int64{}
	}
	m.most[model.ID] = most
}

// fit returns the next request. If the conversation has become too long it leaves out old results, or summarises. must means
// that the service has refused the request as it is.
func (l asking) fit(ctx context.Context, d draft, must bool) (wire.Request, error) {
	pieces := l.pieces()
	r := d.request(pieces)
	size := compact.Size(r)
	tokens, room := l.room.gauge.Tokens(d.model.ID, size), l.room.of(d.model, r.MaxTokens)
	if !must && (room.Start == 0 || tokens < room.Start || size < l.room.retryAt) {
		return r, nil
	}
	target := l.room.gauge.Bytes(d.model.ID, room.Start*7/10)
	if calls := compact.Drop(wire.Resolve(pieces), size, target); len(calls) > 0 {
		return d.request(append(pieces, l.compacted(d, pieces, session.Compacted{Auto: true, Before: tokens, Dropped: calls}))), nil
	}
	if !slices.ContainsFunc(pieces, func(p wire.Piece) bool { return p.Role == "assistant" && len(p.Blocks) > 0 }) {
		if must {
			return r, errNothing
		}
		return r, nil // the service decides
	}
	if late := l.room.late(); late > 0 {
		return r, noRoom(fmt.Sprintf("it was summarised %d times within the last %s", mostSummaries, human.Count(late, "answer", "answers")))
	}
	c, err := l.summarise(ctx, d, pieces, room, session.Compacted{Auto: true, Before: tokens})
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil && (must || tokens > room.Most):
		return r, noRoom("it could not be summarised: " + err.Error())
	case err != nil:
		l.room.retryAt = size + size/20
		l.c.out.emit(session.Notice{Head: l.head(), Severity: session.Warning, Text: "Couldn't summarise the conversation, which fills most of the " +
			"model's window: " + err.Error() + ". It is sent whole for now."})
		return r, nil
	}
	l.room.summaries = append(l.room.summaries, l.room.answers)
	r = d.request(append(pieces, l.compacted(d, pieces, c)))
	if now := l.room.gauge.Tokens(d.model.ID, compact.Size(r)); room.Most > 0 && now > room.Most {
		return r, noRoom(fmt.Sprintf("after a summary about %s tokens of %s are left: the newest prompt is too long", human.Tokens(now), human.Tokens(room.Most)))
	}
	return r, nil
}

// late returns within how many answers the conversation was summarised as often as it may be, 0 if it was not.
func (m *room) late() int {
	if n := len(m.summaries); n >= mostSummaries {
		if within := m.answers - m.summaries[n-mostSummaries]; within < summaryAnswers {
			return max(within, 1)
		}
	}
	return 0
}

// compacted reports a compaction of pieces and returns it as a piece.
func (l asking) compacted(d draft, pieces []wire.Piece, c session.Compacted) wire.Piece {
	c.Head = l.head()
	after := d.request(append(slices.Clip(pieces), wire.Piece{Compaction: &c}))
	c.After = l.room.gauge.Tokens(d.model.ID, compact.Size(after))
	l.c.out.emit(c)
	if c.Summary != "" && l.child == "" {
		l.c.facts.summarised()
	}
	if l.child == "" {
		l.c.out.emit(session.ContextReported{Head: l.head(), Used: c.After, Window: wire.Window(d.model)})
	}
	return wire.Piece{Compaction: &c}
}

// summarise asks the model for a summary of everything but the newest answers, and returns c with it. Nothing is changed.
func (l asking) summarise(ctx context.Context, d draft, pieces []wire.Piece, room compact.Room, c session.Compacted) (session.Compacted, error) {
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
	most := l.room.gauge.Bytes(d.model.ID, room.Most) - compact.Size(whole) + sizeOfAll(sent) - len(ask)
	var text string
	var err error
	for range mostSummaries {
		if room.Most > 0 && sizeOfAll(sent) > most {
			sent = compact.Shorten(sent, most)
		}
		r := d.build(sent)
		r.Remind(ask)
		if text, err = l.listen(ctx, r); session.KindOf(err) != session.KindTooLong {
			break
		}
		most = min(most, sizeOfAll(sent)) * 2 / 3
		room.Most = max(room.Most, 1)
	}
	if err != nil {
		return c, err
	}
	c.Summary, err = compact.Summary(text, l.todos.now())
	return c, err
}

func sizeOfAll(pieces []wire.Piece) int {
	n := 0
	for _, p := range pieces {
		n += compact.SizeOf(p)
	}
	return n
}

// listen makes a request whose answer is not part of the conversation, and returns its text.
func (l asking) listen(ctx context.Context, r wire.Request) (string, error) {
	body, err := wire.EncodeJSON(r)
	if err != nil {
		return "", &session.Error{Op: "make request", Kind: session.KindInternal, Err: err}
	}
	for attempt := 1; ; attempt++ {
		var heard listener
		m := &mapper{head: l.head, model: r.Model, fresh: func(session.CallID) bool { return true }, take: heard.take}
		err := l.attempt(ctx, body, r.Betas, false, m)
		l.account(m.answer, r.Model, 0, false)
		if err == nil || ctx.Err() != nil {
			return heard.text, err
		}
		delay, again := retryDelay(err, attempt)
		if !again || attempt >= l.c.o.MaxAttempts {
			return "", err
		}
		l.c.out.emit(session.RetryScheduled{Head: l.head(), Attempt: attempt + 1, Of: l.c.o.MaxAttempts, Delay: delay, Why: service.Reason(err)})
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
		return session.TurnLimit, e.problem
	}
	return session.TurnFailed, session.ProblemOf(err, l.c.o.Now())
}
