package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// errInAsk refuses control requests from within Ask.
var errInAsk = errors.New("control requests cannot be made while a request of the runtime is being taken: " +
	"it may answer them only after it has got its own answer")

// unknownSubtype is how the error of a runtime begins that does not know a control request.
const unknownSubtype = "Unsupported control request subtype"

// Control makes a control request and returns its answer, which may be null. An unknown subtype is [ErrUnsupported]; it is
// asked for once only. The waiting ends with ctx, with [Limits.Control], and with the process.
func (p *Process) Control(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	ctx, stop := context.WithTimeoutCause(ctx, p.o.Limits.Control, errSilent)
	defer stop()
	raw, err := p.control(ctx, subtype, fields)
	return raw, problem(subtype+" of Claude Code", err)
}

func (p *Process) control(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	if asking := p.asking.Load(); asking != 0 && asking == goroutine() {
		return nil, errInAsk
	}
	p.mu.Lock()
	if p.unsupported[subtype] {
		p.mu.Unlock()
		return nil, fmt.Errorf("%w: %s", ErrUnsupported, subtype)
	}
	p.numbered++
	id := "parley-" + strconv.Itoa(p.numbered)
	answer := make(chan controlResponse, 1)
	p.waiting[id] = answer
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.waiting, id)
		p.mu.Unlock()
	}()
	line, err := requestLine(id, subtype, maps.Clone(fields))
	if err != nil {
		return nil, err
	}
	if _, err := p.put(ctx, line); err != nil {
		return nil, err
	}
	select {
	case r := <-answer:
		return p.answered(subtype, r)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-p.ended:
		select { // it may have answered with its last words
		case r := <-answer:
			return p.answered(subtype, r)
		default:
			return nil, errGone
		}
	}
}

func (p *Process) answered(subtype string, r controlResponse) (json.RawMessage, error) {
	if r.Subtype == "success" {
		return r.Response, nil
	}
	if strings.HasPrefix(r.Error, unknownSubtype) {
		p.mu.Lock()
		p.unsupported[subtype] = true
		p.mu.Unlock()
		return nil, fmt.Errorf("%w: %s", ErrUnsupported, subtype)
	}
	return nil, errors.New(mask(r.Error, p.o.Bearer))
}

// Interrupt stops the running turn; without one it does nothing. With cancelQueued, messages that wait are dropped, too,
// where the runtime can (2.1.112 cannot and runs them next).
func (p *Process) Interrupt(ctx context.Context, cancelQueued bool) error {
	var fields map[string]any
	if cancelQueued {
		fields = map[string]any{"cancel_queued": true}
	}
	_, err := p.Control(ctx, "interrupt", fields)
	return err
}

// SetModel changes the model: with 2.1.112 from the next turn on, with newer ones from the next request on.
func (p *Process) SetModel(ctx context.Context, model string) error {
	_, err := p.Control(ctx, "set_model", map[string]any{"model": model})
	return err
}

// SetMode changes the permission mode. 2.1.112 takes any name, also one that means nothing.
func (p *Process) SetMode(ctx context.Context, mode string) error {
	_, err := p.Control(ctx, "set_permission_mode", map[string]any{"mode": mode})
	return err
}

// SetEffort changes the effort from the next request on; "" clears it.
func (p *Process) SetEffort(ctx context.Context, effort string) error {
	var level any
	if effort != "" {
		level = effort
	}
	_, err := p.Control(ctx, "apply_flag_settings", map[string]any{"settings": map[string]any{"effortLevel": level}})
	return err
}

// CancelMessage takes back a message that is still queued and reports whether it was.
func (p *Process) CancelMessage(ctx context.Context, uuid string) (bool, error) {
	raw, err := p.Control(ctx, "cancel_async_message", map[string]any{"message_uuid": uuid})
	var r struct {
		Cancelled bool `json:"cancelled"`
	}
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return false, err
	}
	return r.Cancelled, nil
}

// ContextUsage asks what fills the model's window. It asks for a summary, which costs nothing; 2.1.112 knows no summaries
// and counts the tokens of each part with some twenty requests.
func (p *Process) ContextUsage(ctx context.Context) (json.RawMessage, error) {
	return p.Control(ctx, "get_context_usage", map[string]any{"detail": "summary"})
}

// GenerateTitle asks for a title and does not have it stored; "" if the runtime finds none, as for short descriptions.
func (p *Process) GenerateTitle(ctx context.Context, description string) (string, error) {
	raw, err := p.Control(ctx, "generate_session_title", map[string]any{"description": description, "persist": false})
	var r struct {
		Title string `json:"title"`
	}
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return "", err
	}
	return r.Title, nil
}

// StopTask ends a background task.
func (p *Process) StopTask(ctx context.Context, id string) error {
	_, err := p.Control(ctx, "stop_task", map[string]any{"task_id": id})
	return err
}
