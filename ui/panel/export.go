package panel

import (
	"context"

	"parley/ui/core"
	"parley/ui/style"
)

// Of returns the effect that writes the session that is shown, and reports the file. A file that exists stays. It reads the transcript
// before it returns, so it is for the event loop.
func (e Export) Of(shown core.Current, look *style.Look) Effect {
	if shown.Session == nil || len(shown.Transcript.Turns) == 0 {
		return Notice{Text: "Nothing to export yet", Warn: true}
	}
	path, home := core.ExportPath(e.Name, shown.Dir, look.Home, look.Now()), look.Home
	write := core.Export(path, shown.Meta, shown.Transcript, core.History(shown.Session))
	return Run{Work: func(context.Context) Effect {
		if err := write(); err != nil {
			return Notice{Text: "Couldn't export: " + err.Error(), Warn: true}
		}
		return Notice{Text: "Exported to " + style.ShortPath(path, home)}
	}}
}
