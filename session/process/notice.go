package process

import (
	"fmt"
	"time"

	"parley/session"
)

// Silence returns the notice of an agent, such as "Claude Code", that has said nothing for a while within a turn.
func Silence(h session.Head, agent string, silent time.Duration) session.Event {
	long := fmt.Sprintf("%d minutes", int(silent.Round(time.Minute).Minutes()))
	if silent < 2*time.Minute {
		long = fmt.Sprintf("%d seconds", int(silent.Round(time.Second).Seconds()))
	}
	return session.Notice{Head: h, Severity: session.Warning,
		Text: fmt.Sprintf("%s has said nothing for %s. It may be busy; press Esc to interrupt it.", agent, long)}
}

// LateSwitch returns the notice of a model that the running turn does not use yet.
func LateSwitch(h session.Head, model string) session.Event {
	return session.Notice{Head: h, Severity: session.Info,
		Text: fmt.Sprintf("This turn goes on with the model it began with. %s is used from the next prompt on.", model)}
}
