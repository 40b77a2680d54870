package headless

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// maxLine bounds a line of input, in bytes. Answers and prompts with attached text fit.
const maxLine = 10 << 20

// closeTime is the time that an interrupted session has to end.
const closeTime = 10 * time.Second

// Input is one line of `--input-format stream-json`. Type decides which other fields it may have.
type Input struct {
	Type InputType `json:"type"`
	// Text is the prompt; ID becomes that of its turn. Steer sends it into the running turn if the agent can take it.
	Text  string           `json:"text,omitempty"`
	ID    session.PromptID `json:"id,omitempty"`
	Steer bool             `json:"steer,omitempty"`
	// Ask is the ask that Answer answers.
	Ask    session.AskID   `json:"ask,omitempty"`
	Answer *session.Answer `json:"answer,omitempty"`
	// Model, Effort and Mode are new settings; empty ones stay as they are.
	Model  string       `json:"model,omitempty"`
	Effort string       `json:"effort,omitempty"`
	Mode   session.Mode `json:"mode,omitempty"`
}

// InputType is the type of a line of input.
type InputType string

// The types of lines of input.
const (
	InputPrompt    InputType = "prompt"
	InputAnswer    InputType = "answer"
	InputAbort     InputType = "abort"
	InputConfigure InputType = "configure"
)

var inputTypes = []InputType{InputPrompt, InputAnswer, InputAbort, InputConfigure}

// InputError is the line that reports a line of input that was not used.
type InputError struct {
	Type string `json:"type"` // "error"
	Line int    `json:"line"` // its number, from 1
	What string `json:"what"`
}

// Configure applies new settings to the session of a driver, after checks.
type Configure func(ctx context.Context, s session.Settings) error

// Drive sends first, unless it is empty, and does what the lines of in say. When they end, it refuses what is asked from then
// on and returns after the last turn. Cancelling ctx interrupts the turn; a blocked read of in goes on.
func (p *Printer) Drive(ctx context.Context, in io.Reader, first string, configure Configure) error {
	s := p.session
	if first != "" {
		if _, err := s.Send(session.Prompt{Text: first}); err != nil {
			return err
		}
	}
	over := make(chan error, 1)
	crash.Go(func() { over <- p.lines(ctx, in, configure) })
	var err error
	select {
	case err = <-over:
		p.unattended()
	case <-ctx.Done():
	}
	if ctx.Err() == nil && s.Wait(ctx) == nil {
		_ = p.settle(ctx, p.Ended())
	}
	if ctx.Err() != nil {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		err = errors.Join(err, s.Close(end)) // with the prompts that wait
	}
	return err
}

// lines reads lines until they end. A line that cannot be used is reported, and the next one is read.
func (p *Printer) lines(ctx context.Context, in io.Reader, configure Configure) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, long, err := readLine(r)
		if ctx.Err() != nil {
			return nil
		}
		var wrong error
		switch line = bytes.TrimSpace(line); {
		case long:
			wrong = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
		case len(line) > 0:
			wrong = p.use(ctx, line, configure)
		}
		if wrong != nil {
			p.locked(func() {
				p.head()
				p.line(InputError{Type: "error", Line: n, What: wrong.Error()})
			})
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read input: %w", err)
		}
	}
}

// readLine reads a line without keeping more of it than fits.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// use does what a line says. The error says what is wrong with it.
func (p *Printer) use(ctx context.Context, line []byte, configure Configure) error {
	var in Input
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return fmt.Errorf("the line is not understood: %w", err)
	}
	if d.More() {
		return errors.New("the line has more than one JSON value")
	}
	s := p.session
	switch in.Type {
	case InputPrompt:
		if in.Text == "" {
			return errors.New("a prompt needs text")
		}
		send := s.Send
		if in.Steer {
			send = s.Steer
		}
		_, err := send(session.Prompt{ID: in.ID, Text: in.Text})
		return err
	case InputAnswer:
		if in.Ask == "" || in.Answer == nil || in.Answer.Decision == "" {
			return errors.New("an answer needs ask and answer with a decision: allow, deny or cancel")
		}
		if !slices.Contains([]session.Decision{session.Allow, session.Deny, session.Cancel}, in.Answer.Decision) {
			return fmt.Errorf("%q is not a decision; use allow, deny or cancel", in.Answer.Decision)
		}
		return s.Answer(in.Ask, *in.Answer)
	case InputAbort:
		s.Abort()
		return nil
	case InputConfigure:
		return p.choose(ctx, in, configure)
	}
	return fmt.Errorf("%q is not a type of line; use one of %v", in.Type, inputTypes)
}

// choose applies the settings of a line.
func (p *Printer) choose(ctx context.Context, in Input, configure Configure) error {
	now := p.session.Settings()
	if in.Model != "" {
		now.Model, now.Effort = in.Model, ""
	}
	if in.Effort != "" {
		now.Effort = in.Effort
	}
	if in.Mode != "" {
		if !slices.Contains(session.Modes, in.Mode) {
			return fmt.Errorf("%q is not a permission mode; use one of %v", in.Mode, session.Modes)
		}
		now.Mode = in.Mode
	}
	return configure(ctx, now)
}

// unattended refuses all asks, now and later, because no line can answer them.
func (p *Printer) unattended() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alone = true
	for id := range p.asked {
		p.refuse(id)
	}
}

// refuse refuses an ask from a goroutine, because listeners must not call back into the session.
func (p *Printer) refuse(id session.AskID) {
	s := p.session
	crash.Go(func() {
		// An error means that the ask is settled.
		_ = s.Answer(id, session.Answer{Decision: session.Deny, Message: session.UnattendedReason})
	})
}
