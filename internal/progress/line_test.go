package progress

import (
	"strings"
	"testing"
	"time"

	"parley/session/runtimes"
)

func TestProgress(t *testing.T) {
	at := func(stage runtimes.Stage, done, total, rate int64, left time.Duration) runtimes.Progress {
		return runtimes.Progress{Name: "claude", Version: "2.1.197", Stage: stage, Done: done, Total: total, PerSecond: rate, Left: left}
	}
	for _, tc := range []struct {
		p    runtimes.Progress
		want string
	}{
		{at(runtimes.StageWaiting, 0, 0, 0, 0), "claude@2.1.197: waiting for another parley that installs it"},
		{at(runtimes.StageAsking, 0, 0, 0, 0), "claude@2.1.197: asking npm"},
		{at(runtimes.StageDownloading, 0, 77e6, 0, 0), "claude@2.1.197: downloading 77.0 MB"},
		{at(runtimes.StageDownloading, 7.7e6, 77e6, 1e6, 69300*time.Millisecond), "claude@2.1.197: downloading 10% of 77.0 MB, 1.0 MB/s, 1m9s left"},
		{at(runtimes.StageDownloading, 5e6, 0, 0, 0), "claude@2.1.197: downloading 5.0 MB"},
		{at(runtimes.StageDone, 0, 0, 0, 0), "claude@2.1.197: done"},
	} {
		if got := text(tc.p); got != tc.want || len(got) >= 80 {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	// A terminal's line is redrawn; elsewhere each stage is told once.
	var b strings.Builder
	l := &Line{w: &b}
	for _, p := range []runtimes.Progress{at(runtimes.StageDownloading, 0, 10, 0, 0), at(runtimes.StageDownloading, 5, 10, 0, 0), at(runtimes.StageDone, 0, 0, 0, 0)} {
		l.Show(p)
	}
	l.End()
	if got := b.String(); strings.Count(got, "\n") != 2 || strings.Contains(got, "\x1b") {
		t.Errorf("plain %q", got)
	}
}
