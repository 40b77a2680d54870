package copilottest

import (
	"context"
	"errors"
	"strings"
	"time"
)

// errCut and errEnd end a reply on behalf of a fault: the first cuts the connection, the second ends it cleanly.
var (
	errCut = errors.New("cut by a fault")
	errEnd = errors.New("ended by a fault")
)

// sink takes a reply apart from how it is sent: streamed or whole.
type sink interface {
	start() error
	openBlock(kind string, tool, id string)
	delta(kind, text string)
	closeBlock(signature string)
	ping()
	malformed(body string)
	unknown()
	errorEvent(data []byte) error
	drip(every time.Duration)
	finish(stop string, out int) error
	junk()
	flush() error
}

// kinds of content blocks.
const (
	blockThinking = "thinking"
	blockTextKind = "text"
	blockTool     = "tool_use"
)

// player performs the steps of a reply.
type player struct {
	ctx   context.Context
	clock Clock
	out   sink
	holds *holdSet
	cues  []Fault // with After other than 0, sorted by place
	paced bool    // text leaves at its pace; otherwise at once

	deltas   int             // content deltas so far
	chars    int             // characters of content so far
	open     string          // kind of the open block, "" if none
	thought  strings.Builder // text of the open thinking block
	finishes []Fault
	counted  func(deltas int)
}

// play performs the steps and finishes the reply.
func (p *player) play(steps []playStep, stop string) error {
	if err := p.out.start(); err != nil {
		return err
	}
	if err := p.atStart(); err != nil {
		return err
	}
	for _, st := range steps {
		if err := p.step(st); err != nil {
			return err
		}
	}
	for len(p.cues) > 0 {
		if err := p.fault(p.takeCue()); err != nil {
			return err
		}
	}
	p.close()
	if err := p.out.finish(stop, (p.chars+3)/4); err != nil {
		return err
	}
	for range p.finishes {
		p.out.junk()
	}
	return p.out.flush()
}

// playStep is a step with its templates filled in.
type playStep struct {
	kind  StepKind
	text  string // words, or the JSON of a tool's input
	tool  string
	id    string
	pause time.Duration
	fault *Fault
	pace  Pace
}

func (p *player) step(st playStep) error {
	switch st.kind {
	case StepThink:
		p.close()
		p.enter(blockThinking, "", "")
		return p.say(blockThinking, st.text, st.pace)
	case StepText:
		if p.open != blockTextKind {
			p.close()
			p.enter(blockTextKind, "", "")
		}
		return p.say(blockTextKind, st.text, st.pace)
	case StepTool:
		p.close()
		p.enter(blockTool, st.tool, st.id)
		p.out.delta(blockTool, "") // the service opens a tool's input with an empty fragment
		if err := p.say(blockTool, st.text, st.pace); err != nil {
			return err
		}
		p.close()
		return p.out.flush()
	case StepPause:
		return p.sleep(st.pause)
	case StepHold:
		if err := p.out.flush(); err != nil {
			return err
		}
		return p.holds.wait(p.ctx, st.text)
	case StepFault:
		return p.fault(*st.fault)
	case StepPing:
		p.out.ping()
		return p.out.flush()
	}
	return nil
}

func (p *player) enter(kind, tool, id string) {
	p.open = kind
	p.thought.Reset()
	p.out.openBlock(kind, tool, id)
}

func (p *player) close() {
	if p.open == "" {
		return
	}
	signature := ""
	if p.open == blockThinking {
		signature = sign(p.thought.String())
	}
	p.out.closeBlock(signature)
	p.open = ""
}

// batch is how many deltas leave in one write when there is no pace: enough to fill a packet.
const batch = 16

// say sends text as deltas at the pace, stopping where a fault is due.
func (p *player) say(kind, text string, pace Pace) error {
	deltas := pace.split(text)
	begin := p.clock.Now()
	for sent := 0; sent < len(deltas); {
		due := min(sent+batch, len(deltas))
		elapsed := time.Duration(0)
		if p.paced && pace.Rate > 0 {
			elapsed = p.clock.Now().Sub(begin)
			due = pace.due(elapsed, len(deltas))
		}
		limit := due
		if len(p.cues) > 0 {
			limit = min(due, sent+max(p.cues[0].After-p.deltas, 0))
		}
		for ; sent < limit; sent++ {
			p.emit(kind, deltas[sent])
		}
		if err := p.out.flush(); err != nil {
			return err
		}
		if p.counted != nil {
			p.counted(p.deltas)
		}
		for len(p.cues) > 0 && p.cues[0].After <= p.deltas {
			before := p.clock.Now()
			if err := p.fault(p.takeCue()); err != nil {
				return err
			}
			begin = begin.Add(p.clock.Now().Sub(before)) // a stall delays what follows instead of bunching it up
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if p.paced && pace.Rate > 0 && sent < len(deltas) && sent >= due {
			if err := p.clock.Sleep(p.ctx, pace.wait(p.clock.Now().Sub(begin), sent)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) emit(kind, text string) {
	p.deltas++
	p.chars += len(text)
	if kind == blockThinking {
		p.thought.WriteString(text)
	}
	p.out.delta(kind, text)
}

func (p *player) takeCue() Fault {
	f := p.cues[0]
	p.cues = p.cues[1:]
	return f
}

// atStart performs the faults that come right after message_start.
func (p *player) atStart() error {
	for len(p.cues) > 0 && p.cues[0].After < 0 {
		if err := p.fault(p.takeCue()); err != nil {
			return err
		}
	}
	return nil
}

// fault lets something go wrong here. An error ends the reply.
func (p *player) fault(f Fault) error {
	switch f.Kind {
	case FaultErrorEvent:
		return p.out.errorEvent(f.errorEvent())
	case FaultCut, FaultStatus:
		if err := p.out.flush(); err != nil {
			return err
		}
		return errCut
	case FaultEnd:
		if err := p.out.flush(); err != nil {
			return err
		}
		return errEnd
	case FaultStall:
		if f.For > 0 {
			return p.sleep(f.For)
		}
		if err := p.out.flush(); err != nil {
			return err
		}
		<-p.ctx.Done()
		return p.ctx.Err()
	case FaultMalformed:
		p.out.malformed(f.Body)
	case FaultUnknown:
		p.out.unknown()
	case FaultJunk:
		p.finishes = append(p.finishes, f)
	case FaultDrip:
		if err := p.out.flush(); err != nil {
			return err
		}
		p.out.drip(f.For)
	}
	return p.out.flush()
}

func (p *player) sleep(d time.Duration) error {
	if err := p.out.flush(); err != nil {
		return err
	}
	return p.clock.Sleep(p.ctx, d)
}
