package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"parley/internal/crash"
)

// errInAsk is the error of control requests within Ask.
var errInAsk = errors.New("control requests cannot be made while a request of the runtime is being taken: " +
	"it may answer them only after it has got its own answer")

// unknownSubtype begins the error of a runtime that does not know a control request.
const unknownSubtype = "Unsupported control request subtype"

// Control makes a control request and returns its answer, which may be null. A subtype that the runtime does not know fails
// with [ErrUnsupported] and is tried only once. The wait ends with ctx, after [Limits.Control], and with the process.
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
	id, answer, err := p.requests.add(subtype)
	if err != nil {
		return nil, err
	}
	defer p.requests.remove(id)
	line, err := requestLine(id, subtype, maps.Clone(fields))
	if err != nil {
		return nil, err
	}
	if _, err := p.input.put(ctx, line); err != nil {
		return nil, err
	}
	select {
	case r := <-answer:
		return p.answered(subtype, r)
	case <-ctx.Done():
		if subtype == sideQuestion {
			p.withdraw(id)
		}
		return nil, context.Cause(ctx)
	case <-p.ended:
		select { // it may have answered before its end
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
		p.requests.refuse(subtype)
		return nil, fmt.Errorf("%w: %s", ErrUnsupported, subtype)
	}
	return nil, errors.New(p.secrets.Mask(r.Error))
}

// Interrupt stops the running turn, if there is one. cancelQueued also drops waiting messages; 2.1.112 cannot and runs them
// next.
func (p *Process) Interrupt(ctx context.Context, cancelQueued bool) error {
	var fields map[string]any
	if cancelQueued {
		fields = map[string]any{"cancel_queued": true}
	}
	_, err := p.Control(ctx, "interrupt", fields)
	return err
}

// SetModel changes the model: with 2.1.112 from the next turn on, with newer ones starting with the next request.
func (p *Process) SetModel(ctx context.Context, model string) error {
	_, err := p.Control(ctx, "set_model", map[string]any{"model": model})
	return err
}

// SetMode changes the permission mode. 2.1.112 accepts any name.
func (p *Process) SetMode(ctx context.Context, mode string) error {
	_, err := p.Control(ctx, "set_permission_mode", map[string]any{"mode": mode})
	return err
}

// SetEffort changes the effort starting with the next request; "" clears it. It returns the one that the runtime will send, ""
// if it does not say: 2.1.112 sends "high" where it does not take "xhigh" or "max".
func (p *Process) SetEffort(ctx context.Context, effort string) (string, error) {
	var level any
	if effort != "" {
		level = effort
	}
	_, err := p.Control(ctx, "apply_flag_settings", map[string]any{"settings": map[string]any{"effortLevel": level}})
	if err != nil || effort == "" {
		return "", err
	}
	var now struct {
		Applied struct {
			Effort string `json:"effort"`
		} `json:"applied"`
	}
	if raw, err := p.Control(ctx, "get_settings", nil); err == nil {
		_ = json.Unmarshal(raw, &now) // a version that says it in other words does not say it
	}
	return now.Applied.Effort, nil
}

// The lists of [Process.SetPermissions].
const (
	Denied      = "deny"                  // rules
	Directories = "additionalDirectories" // beside the working directory
)

// SetPermissions sets a list of the runtime's settings of permissions, from now on. It leaves other settings as they are.
func (p *Process) SetPermissions(ctx context.Context, list string, values []string) error {
	if values == nil {
		values = []string{}
	}
	_, err := p.Control(ctx, "apply_flag_settings", map[string]any{"settings": map[string]any{"permissions": map[string]any{list: values}}})
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

// StopTask stops a command or a child agent by its task id. Its end is printed as that of any other.
func (p *Process) StopTask(ctx context.Context, task string) error {
	_, err := p.Control(ctx, "stop_task", map[string]any{"task_id": task})
	return err
}

// BackgroundTask sends what a call of the running turn started to the background, and reports whether it was there to be sent.
// 2.1.112 cannot.
func (p *Process) BackgroundTask(ctx context.Context, call string) (bool, error) {
	raw, err := p.Control(ctx, "background_tasks", map[string]any{"tool_use_id": call})
	var r struct {
		Sent bool `json:"backgrounded"`
	}
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return false, err
	}
	return r.Sent, nil
}

// sideQuestion is the request that asks the model beside the conversation.
const sideQuestion = "side_question"

// AskAside asks the model a question beside the conversation, also while a turn runs, and returns the whole answer. The wait
// ends with ctx and with the process. 2.1.112 answers although ctx has ended; newer ones stop the request.
func (p *Process) AskAside(ctx context.Context, question string) (string, error) {
	raw, err := p.control(ctx, sideQuestion, map[string]any{"question": question})
	var r struct {
		Answer string `json:"response"`
	}
	if err == nil && (json.Unmarshal(raw, &r) != nil || r.Answer == "") {
		err = errors.New("the model gave no answer")
	}
	return r.Answer, problem(sideQuestion+" of Claude Code", err)
}

// withdraw takes back a request for whose answer nobody waits any more.
func (p *Process) withdraw(id string) {
	ctx, stop := context.WithTimeout(context.Background(), p.o.Limits.Control)
	crash.Go(func() {
		defer stop()
		if line, err := marshalLine(map[string]any{"type": typeCancel, "request_id": id}); err == nil {
			_, _ = p.input.put(ctx, line)
		}
	})
}
