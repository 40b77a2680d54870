package uitest

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

// defaults are settings as they would stand in the file, in the order in which they were written.
type defaults struct {
	core.Settings
	all []string
}

func (*defaults) Path() string { return "/home/me/.config/parley/config.yaml" }

func (k *defaults) Set(key, value string) (string, error) {
	k.all = append(k.all, key+"="+value)
	return "", nil
}

// withSettings adds a file of settings to a login with a few models.
func withSettings(k *defaults) func(*ui.Options) {
	return func(o *ui.Options) { o.Catalog, o.Settings = catalog{}, k }
}

// TestModelsWithAnEffort uses a model with another effort, and makes one the default while a filter is typed.
func TestModelsWithAnEffort(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 12}} {
		file := &defaults{}
		Run(t, Config{Width: size[0], Height: size[1], Settings: opus, Options: withSettings(file)}, func(p *Program) {
			p.Type("/model")
			p.Keys("down", "left")
			p.Golden("models-turned-" + fmt.Sprintf("%dx%d", size[0], size[1]))
			p.Keys("tab")
			if !p.Has("default from now on") {
				p.T.Errorf("tab offers nothing:\n%s", p.Text())
			}
			p.Keys("esc", "enter")
			if s := p.Session.Settings(); s.Model != "claude-sonnet-5" || s.Effort != "medium" || len(file.all) > 0 {
				p.T.Errorf("settings are %+v, written %q", s, file.all)
			}
			p.Type("/model")
			p.Send("gpt")
			p.Keys("right", "ctrl+d")
			p.Settle()
			if s := p.Session.Settings(); s.Model != "gpt-5.5" || strings.Join(file.all, " ") != "model=gpt-5.5 effort="+s.Effort {
				p.T.Errorf("settings are %+v, written %q", s, file.all)
			}
			if size[0] > 40 && !p.Has("New sessions begin with gpt-5.5") {
				p.T.Errorf("nothing is said of what was written:\n%s", p.Text())
			}
		})
	}
}

// TestPlainDefault does the same in lines.
func TestPlainDefault(t *testing.T) {
	file := &defaults{}
	RunLines(t, Config{World: library(), Settings: opus, Options: withSettings(file)}, func(l *Lines) {
		says := func(line, want string, now session.Settings) {
			l.Type(line)
			l.Settle()
			s := l.Session.Settings()
			if said := l.News(); !strings.Contains(said, want) || s.Model != now.Model || s.Effort != now.Effort {
				l.T.Errorf("%s: %s, with %+v", line, said, s)
			}
		}
		says("/model", "From now on: /model NAME EFFORT default", session.Settings{Model: "claude-opus-4.8", Effort: "high"})
		says("/model sonnet-5 low", "No model matches", session.Settings{Model: "claude-opus-4.8", Effort: "high"})
		says("/model sonnet 5 low", "model sonnet 5 (low)", session.Settings{Model: "claude-sonnet-5", Effort: "low"})
		says("/model gpt-5.5 high default", "New sessions begin with gpt-5.5 (high)", session.Settings{Model: "gpt-5.5", Effort: "high"})
		if got := strings.Join(file.all, " "); got != "model=gpt-5.5 effort=high" {
			l.T.Errorf("written %q", got)
		}
	})
}
