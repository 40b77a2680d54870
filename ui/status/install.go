package status

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/human"
	"parley/ui/core"
	"parley/ui/style"
)

// Install is a running installation of an agent's runtime.
type Install struct {
	Title string
	core.InstallProgress
}

// Percent returns how much of it is there, false while that is not known.
func (i *Install) Percent() (percent int, known bool) {
	if i == nil || i.Total <= 0 {
		return 0, false
	}
	return int(min(i.Done, i.Total) * 100 / i.Total), true
}

// Share returns how much of it is there, such as "42%"; "" while that is not known.
func (i *Install) Share() string {
	if percent, known := i.Percent(); known {
		return fmt.Sprintf("%d%%", percent)
	}
	return ""
}

// Text describes the progress in at most w columns: the stage, the share, the rate, the time left, and always how to stop.
func (i *Install) Text(ms style.Measure, w int) string {
	what := "installing " + style.Visible(style.OneLine(i.Title))
	stage, much, rate, left := "", "", "", ""
	if i.Stage != "" {
		stage = " · " + style.Visible(style.OneLine(i.Stage))
	}
	switch {
	case i.Total > 0:
		much = " · " + strings.TrimSuffix(human.Megabytes(i.Done), " MB") + " of " + human.Megabytes(i.Total)
	case i.Done > 0:
		much = " · " + human.Megabytes(i.Done)
	}
	if i.PerSecond > 0 {
		rate = " · " + human.Megabytes(i.PerSecond) + "/s"
	}
	if i.Left > 0 {
		left = " · " + human.Seconds(i.Left+time.Second-1) + " left"
	}
	const stop = " · esc to stop"
	return maxFitting(ms, w, what+stage+much+rate+left+stop, what+stage+much+left+stop, what+much+left+stop,
		"installing"+much+left+stop, "installing"+much+stop, strings.TrimPrefix(much+stop, " · "), ms.Clip("installing"+stop, w))
}
