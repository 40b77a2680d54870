package status

import "time"

// spinnerCells are the shapes of the spinner.
var spinnerCells = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Spinner is the one cell that moves while a turn runs. Still keeps it from moving, and shows a mark.
type Spinner struct {
	Still   bool
	at      int
	running bool // a call of Turn is to come
}

// Start reports whether a timer has to be started that calls Turn: a turn runs, and no timer does.
func (s *Spinner) Start(running bool) bool {
	if s.running || !running {
		return false
	}
	s.running = true
	return true
}

// Turn moves the cell on, and reports whether to call it again: not once no turn runs.
func (s *Spinner) Turn(running bool) bool {
	s.running = running
	if running {
		s.at++
	}
	return running
}

// Delay returns how long after Start or Turn the next Turn is due. watched reports that the user may see it move; otherwise
// only the clock beside it goes on.
func (s *Spinner) Delay(watched bool) time.Duration {
	if !watched || s.Still {
		return time.Second
	}
	return 100 * time.Millisecond
}

// Cell returns what stands in the cell now.
func (s *Spinner) Cell(ascii bool) string {
	if s.Still || ascii {
		return "•"
	}
	return spinnerCells[s.at%len(spinnerCells)]
}
