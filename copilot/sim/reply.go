package sim

import (
	"context"
	"errors"
	"strings"
	"time"

	"parley/copilot/sim/script"
	"parley/copilot/sim/seal"
)

// errCut and errEnd end a reply on behalf of a fault: the first cuts the connection, the second ends it cleanly.
var (
	errCut = errors.New("cut by a fault")
	errEnd = errors.New("ended by a fault")
)

// sink receives a reply and sends it streamed or whole.
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
	holds *script.Holds
	cues  []script.Fault // with After other than 0, sorted by place
	paced bool           // text leaves at its pace; otherwise at once

	deltas   int             // content deltas so far
	chars    int             // characters of content so far
	open     string          // kind of the open block, "" if none
	thought  strings.Builder // text of the open thinking block
	finishes []script.Fault
	counted  func(deltas int)
}

// play performs the steps and finishes the reply.
func (p *player) play(steps []script.Play, stop string) error {
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

func (p *player) step(st script.Play) error {
	switch st.Kind {
	case script.StepThink:
		p.close()
		p.enter(blockThinking, "", "")
		return p.say(blockThinking, st.Text, st.Pace)
	case script.StepText:
		if p.open != blockTextKind {
			p.close()
			p.enter(blockTextKind, "", "")
		}
		return p.say(blockTextKind, st.Text, st.Pace)
	case script.StepTool:
		p.close()
		p.enter(blockTool, st.Tool, "toolu_bdrk_"+randomID(24))
		p.out.delta(blockTool, "") // the service opens a tool's input with an empty fragment
		if err := p.say(blockTool, st.Text, st.Pace); err != nil {
			return err
		}
		p.close()
		return p.out.flush()
	case script.StepPause:
		return p.sleep(st.Pause)
	case script.StepHold:
		if err := p.out.flush(); err != nil {
			return err
		}
		return p.holds.Wait(p.ctx, st.Text)
	case script.StepFault:
		return p.fault(*st.Fault)
	case script.StepPing:
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
		signature = seal.Sign(p.thought.String())
	}
	p.out.closeBlock(signature)
	p.open = ""
}

// batch is the number of deltas that leave in one write when there is no pace: enough to fill a packet.
const batch = 16

// say sends text as deltas at the pace, and stops for due faults.
func (p *player) say(kind, text string, pace script.Pace) error {
	deltas := pace.Split(text)
	begin := p.clock.Now()
	for sent := 0; sent < len(deltas); {
		due := min(sent+batch, len(deltas))
		elapsed := time.Duration(0)
		if p.paced && pace.Rate > 0 {
			elapsed = p.clock.Now().Sub(begin)
			due = pace.Due(elapsed, len(deltas))
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
			if err := p.clock.Sleep(p.ctx, pace.Wait(p.clock.Now().Sub(begin), sent)); err != nil {
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

func (p *player) takeCue() script.Fault {
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

// fault performs a fault. An error ends the reply.
func (p *player) fault(f script.Fault) error {
	switch f.Kind {
	case script.FaultErrorEvent:
		return p.out.errorEvent(errorEventOf(&f))
	case script.FaultCut, script.FaultStatus:
		if err := p.out.flush(); err != nil {
			return err
		}
		return errCut
	case script.FaultEnd:
		if err := p.out.flush(); err != nil {
			return err
		}
		return errEnd
	case script.FaultStall:
		if f.For > 0 {
			return p.sleep(f.For)
		}
		if err := p.out.flush(); err != nil {
			return err
		}
		<-p.ctx.Done()
		return p.ctx.Err()
	case script.FaultMalformed:
		p.out.malformed(f.Body)
	case script.FaultUnknown:
		p.out.unknown()
	case script.FaultJunk:
		p.finishes = append(p.finishes, f)
	case script.FaultDrip:
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
