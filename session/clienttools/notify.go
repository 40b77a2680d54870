package clienttools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"parley/session"
)

const notifyName = "notify"

// The bounds of notifications: of their text in characters, of their number, and of the time that the desktop's program may take.
const (
	maxNotice   = 300
	noticePause = 10 * time.Second
	noticeTime  = 5 * time.Second
)

// notifier returns the tool that notifies the user. It needs no permission, so all conversations share one pause.
func notifier(notify func(ctx context.Context, title, text string) error) session.ClientTool {
	var mu sync.Mutex
	var last time.Time
	return session.ClientTool{
		Name: notifyName,
		Description: "Shows a notification on the user's desktop. Use it only when the user asked to be notified, or when long work has " +
			"come to a point at which they are needed.",
		Schema: []byte(`{"type":"object","properties":{` +
			`"message":{"type":"string","description":"One short sentence"}},` +
			`"required":["message"],"additionalProperties":false}`),
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			var in struct {
				Message string `json:"message"`
			}
			if err := decode(c.Input, &in); err != nil {
				return session.ToolResult{}, err
			}
			text := plain(in.Message)
			if text == "" {
				return session.ToolResult{}, errors.New("message is empty: write one short sentence")
			}
			mu.Lock()
			early := time.Since(last) < noticePause
			if !early {
				last = time.Now()
			}
			mu.Unlock()
			if early {
				return session.ToolResult{}, errors.New("the user was notified a moment ago: wait before the next notification")
			}
			ctx, end := context.WithTimeout(ctx, noticeTime)
			defer end()
			if err := notify(ctx, "parley", text); err != nil {
				return session.ToolResult{}, fmt.Errorf("notify the user: %w", err)
			}
			return session.ToolResult{Text: "The user was notified."}, nil
		},
	}
}

// plain returns a text as one line without control characters, not too long.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxNotice {
		return string(runes[:maxNotice]) + "…"
	}
	return string(runes)
}
