package uitest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parley/ui"
	"parley/ui/core"
)

// configured are settings in memory.
type configured struct {
	mu  sync.Mutex
	all []core.Setting
	err error
}

func (c *configured) Set(key, value string) (string, error) { return c.Begin(key, value)() }

func (c *configured) Path() string { return "/home/me/.config/parley/config.yaml" }

func (c *configured) All() []core.Setting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]core.Setting(nil), c.all...)
}

func (c *configured) Begin(key, value string) func() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.all {
		if c.all[i].Key == key && c.err == nil {
			c.all[i].Value, c.all[i].Source = value, "file"
		}
	}
	return func() (string, error) { return "", c.err }
}

func (c *configured) value(key string) string {
	for _, s := range c.All() {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

func newConfigured() *configured {
	onOff := []string{"on", "off"}
	return &configured{all: []core.Setting{
		{Key: "agent", Value: "auto", Values: []string{"auto", "builtin", "claude"}, Source: "default"}, {Key: "model", Source: "default"},
		{Key: "effort", Value: "high", Source: "PARLEY_EFFORT"},
		{Key: "permission_mode", Value: "default", Values: []string{"default", "acceptEdits", "plan"}, Source: "file"},
		{Key: "theme", Value: "auto", Source: "default"}, {Key: "screen", Value: "alt", Values: []string{"alt", "inline", "plain"}, Source: "default"},
		{Key: "ui.diff_split", Value: "off", Values: onOff, Source: "default"}, {Key: "ui.keys", Value: "emacs", Values: []string{"emacs", "vim"}, Source: "default"},
		{Key: "ui.mouse", Value: "on", Values: onOff, Source: "default"}, {Key: "ui.notify", Value: "auto", Values: []string{"auto", "off", "bell"}, Source: "file"},
		{Key: "ui.notify_after", Value: "10s", Source: "default"}}}
}

func with(c *configured) func(*ui.Options) { return func(o *ui.Options) { o.Settings = c } }

// The list of settings fits every window, changes values with the arrow keys and by a choice, and shows what cannot be changed.
func TestSettings(t *testing.T) {
	for _, size := range []struct{ w, h int }{{120, 40}, {80, 24}, {40, 12}} {
		c := newConfigured()
		Run(t, Config{Width: size.w, Height: size.h, Options: with(c)}, func(p *Program) {
			p.Type("/config")
			p.Settle()
			p.Golden(fmt.Sprintf("config-%dx%d", size.w, size.h))
			p.Send("mouse")
			p.Settle()
			p.Keys("right")
			p.Settle()
			if got := c.value("ui.mouse"); got != "off" || !p.Has("Mouse: off, saved") {
				t.Errorf("the mouse is %q\n%s", got, p.Text())
			}
			p.Keys("enter")
			p.Settle()
			p.Keys("up", "enter")
			p.Settle()
			if got := c.value("ui.mouse"); got != "on" {
				t.Errorf("the mouse is %q\n%s", got, p.Text())
			}
			c.err = errors.New("config.yaml:3: theme: unknown key. Correct that in the file first")
			p.Keys("right")
			p.Settle()
			if got := c.value("ui.mouse"); got != "on" || !p.Has("Not saved") {
				t.Errorf("a failure: %q\n%s", got, p.Text())
			}
		})
	}
}

// A theme is worn while it is selected, and esc brings the old one back.
func TestThemeList(t *testing.T) {
	for _, size := range []struct{ w, h int }{{120, 40}, {80, 24}, {40, 12}} {
		c := newConfigured()
		Run(t, Config{Width: size.w, Height: size.h, Options: with(c)}, func(p *Program) {
			p.Settle()
			before := p.Dump()
			p.Type("/theme")
			p.Settle()
			p.Keys("down", "down")
			p.Settle()
			p.Golden(fmt.Sprintf("theme-light-%dx%d", size.w, size.h))
			if got := p.Dump(); !strings.Contains(got, "fg=#005faf") {
				t.Errorf("the theme is not worn:\n%s", got)
			}
			p.Keys("esc")
			p.Settle()
			if got := p.Dump(); got != before {
				t.Errorf("esc left another look:\n%s\nbefore:\n%s", got, before)
			}
			p.Type("/theme parley-light")
			p.Settle()
			if got := c.value("theme"); got != "parley-light" || p.Dump() == before {
				t.Errorf("the theme is %q", got)
			}
			p.Type("/theme nosuch")
			p.Settle()
			if got := c.value("theme"); got != "parley-light" || !p.Has("can't be used") {
				t.Errorf("a wrong name: %q\n%s", got, p.Text())
			}
		})
	}
}

// Vim's keys come and go without a new start.
func TestVimSwitches(t *testing.T) {
	c := newConfigured()
	Run(t, Config{Options: with(c)}, func(p *Program) {
		p.Type("/vim")
		p.Settle()
		if c.value("ui.keys") != "vim" || !p.Has("insert ·") {
			t.Errorf("no vim:\n%s", p.Text())
		}
		p.Type("/vim off")
		p.Settle()
		if c.value("ui.keys") != "emacs" || p.Has("insert ·") {
			t.Errorf("vim stays:\n%s", p.Text())
		}
	})
}

// The chat in lines has the same settings.
func TestSettingsInLines(t *testing.T) {
	c := newConfigured()
	RunLines(t, Config{Options: with(c)}, func(l *Lines) {
		for _, step := range []struct{ line, want string }{
			{"/config", "setting 1: Agent, value auto"}, {"/config theme dark", "Theme: dark, saved"}, {"/config mouse", "Choose one"},
			{"/config 2", "Mouse: off, saved"}, {"/config effort low", "Effort is set by PARLEY_EFFORT"}, {"/theme", "parley-light"},
			{"/vim", "Keys: vim, saved"}, {"/settings scren plain", "Did you mean screen?"},
		} {
			l.Type(step.line)
			l.Settle()
			if got := l.News(); !strings.Contains(got, step.want) {
				t.Errorf("%s: no %q in\n%s", step.line, step.want, got)
			}
		}
		if c.value("theme") != "dark" || c.value("ui.mouse") != "off" {
			t.Errorf("theme %q, mouse %q", c.value("theme"), c.value("ui.mouse"))
		}
	})
}
