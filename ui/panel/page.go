package panel

import (
	"context"
	"strings"

	"parley/ui/style"
)

// With returns the effect that opens the page with a browser, nil for none. What is no page of the web is opened by none: the address
// may be a stranger's.
func (e OpenPage) With(browser func(ctx context.Context, address string) error) Effect {
	page := style.VisibleLine(e.URL)
	if !strings.HasPrefix(e.URL, "https://") && !strings.HasPrefix(e.URL, "http://") {
		return Notice{Text: "This is not a web page: " + page, Warn: true}
	}
	if browser == nil {
		return Notice{Text: "Open " + page}
	}
	return All{Notice{Text: "Opening " + page}, Run{Work: func(ctx context.Context) Effect {
		if err := browser(ctx, e.URL); err != nil {
			return Notice{Text: "Couldn't start the browser: " + err.Error() + ". Open " + page, Warn: true}
		}
		return nil
	}}}
}
