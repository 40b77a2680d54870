package host

import (
	"fmt"

	"parley/session"
)

// incoming follows the events of one connection. The connection's reader calls it.
type incoming struct {
	s      *mirror
	n      uint64
	got    attached        // the answer to the attachment
	events []session.Event // so far, until all are there
	all    bool
	ready  chan struct{} // closed then
}

// attached takes the answer to the attachment.
func (in *incoming) attached(r reply) error {
	if r.Error != nil {
		return nil
	}
	if err := r.into(&in.got); err != nil {
		return err
	}
	in.s.learn(in.got.Known)
	in.finish()
	return nil
}

// event takes an event, which has to be the next.
func (in *incoming) event(n uint64, e session.Event) error {
	if n != in.n+1 {
		return fmt.Errorf("event %d came after %d", n, in.n)
	}
	in.n = n
	if in.all {
		in.s.log.Add(e)
		return nil
	}
	in.events = append(in.events, e)
	in.finish()
	return nil
}

// finish shows the history once it is there: behind what the screen had if it goes on from there, else in its place. A draft that was just
// made has what the screen has.
func (in *incoming) finish() {
	if len(in.events) < in.got.Past || in.all {
		return
	}
	in.all = true
	s := in.s
	s.state.Lock()
	if in.got.Since {
		s.log.Add(in.events...) // a note that came meanwhile has ended the epoch here
	} else {
		if s.begun || !in.got.Made || len(s.log.All()) != len(in.events) {
			s.log.Replace(in.events)
		}
		s.epoch = in.got.Epoch
	}
	s.state.Unlock()
	in.events = nil
	close(in.ready)
}
