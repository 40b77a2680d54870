package paint

import (
	"context"

	"github.com/charmbracelet/x/term"
)

// WatchSize calls f with the size of the terminal behind fd, at the start and whenever it changes, until the context is
// done. It skips sizes that are unreadable or empty. It runs in the caller's goroutine, and so does f.
func WatchSize(ctx context.Context, fd uintptr, f func(w, h int)) {
	var w, h int
	watch(ctx, func() {
		nw, nh, err := term.GetSize(fd)
		if err != nil || nw <= 0 || nh <= 0 || nw == w && nh == h {
			return
		}
		w, h = nw, nh
		f(w, h)
	})
}
