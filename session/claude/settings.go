package claude

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"parley/session"
	"parley/session/claude/driver"
)

// applied holds the settings that a process has. It is safe for concurrent use.
type applied struct {
	mu          sync.Mutex
	settings    session.Settings
	denied      []string // rules of the runtime's settings
	settingMode bool     // a change of the mode is on its way
	// unreported are the modes that parley set and the process has not reported yet, oldest first. It reports each, some late.
	unreported []session.Mode
	// replaced are those that it has reported, while a newer one is unreported: it may report them again.
	replaced []session.Mode
	// chosen are the modes that parley set since the end of the newest turn.
	chosen []session.Mode
}

// get returns the settings, and whether a change of the mode is on its way.
func (a *applied) get() (s session.Settings, settingMode bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.settings, a.settingMode
}

// update records a change that the process made or accepted.
func (a *applied) update(change func(s *session.Settings)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.settings)
}

// setMode sets the permission mode of a process, unless it has that mode.
func (a *applied) setMode(ctx context.Context, p runtime, want session.Mode) error {
	a.mu.Lock()
	if a.settings.Mode == want {
		a.mu.Unlock()
		return nil
	}
	a.settingMode = true
	a.chosen = append(a.chosen, want)
	if n := len(a.unreported); n == 0 || a.unreported[n-1] != want {
		a.unreported = append(a.unreported, want)
	}
	a.mu.Unlock()
	err := p.SetMode(ctx, string(want))
	a.mu.Lock()
	a.settingMode = false
	if err == nil {
		a.settings.Mode = want
	} else if i := slices.Index(a.unreported, want); i >= 0 {
		a.unreported = slices.Delete(a.unreported, i, i+1)
	}
	a.mu.Unlock()
	return settingError(p, "set mode "+string(want), err)
}

// late reports whether the process reports a mode that parley set and has replaced since.
func (a *applied) late(reported session.Mode) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.Index(a.unreported, reported)
	a.replaced = append(a.replaced, a.unreported[:i+1]...)
	a.unreported = slices.Delete(a.unreported, 0, i+1)
	if len(a.unreported) == 0 {
		a.replaced = nil
		return false
	}
	return slices.Contains(a.replaced, reported)
}

// wasChosen reports whether parley set the mode since the end of the newest turn.
func (a *applied) wasChosen(mode session.Mode) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Contains(a.chosen, mode)
}

// turnEnded forgets the modes that were chosen before.
func (a *applied) turnEnded() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.chosen = nil
}

// setModel sets the model of a process and returns the model in use, empty if it stays the same. The choice is recorded
// first, because the process may report the model before it answers.
func (a *applied) setModel(ctx context.Context, p runtime, models []session.Model, want string) (model string, err error) {
	a.mu.Lock()
	before := a.settings.Model
	a.settings.Model = want
	a.mu.Unlock()
	model = chooseModel(models, want)
	if before == want || before != "" && session.SpelledModel(models, before) == session.SpelledModel(models, model) {
		return "", nil // 2.1.112 tells the model about a switch, also about one to itself
	}
	if err := p.SetModel(ctx, spelledFor(models, model)); err != nil {
		a.update(func(s *session.Settings) { s.Model = before })
		return "", settingError(p, "use the model "+want, err)
	}
	return model, nil
}

// setEffort sets or clears the effort of a process that had the settings before. An effort that the new model does not
// take is cleared, because the service refuses it.
func (a *applied) setEffort(ctx context.Context, p runtime, models []session.Model, before, want session.Settings) error {
	old := session.EffortFor(models, chooseModel(models, before.Model), before.Effort)
	effort := session.EffortFor(models, chooseModel(models, want.Model), want.Effort)
	used := ""
	if old != effort {
		var err error
		if used, err = p.SetEffort(ctx, effort); err != nil {
			return settingError(p, "set the effort", err)
		}
	}
	a.update(func(s *session.Settings) { s.Effort = want.Effort })
	if used != "" && used != effort {
		return &session.Error{Op: "set the effort", Kind: session.KindUnsupported,
			Err: fmt.Errorf("this version of Claude Code asks for %s instead of %s", used, effort)}
	}
	return nil
}

// setDirs sets the further directories of a process that began with others, unless it has them.
func (a *applied) setDirs(ctx context.Context, p runtime, want session.Dirs, begun []string) error {
	before, _ := a.get()
	if before.Dirs == want {
		return nil
	}
	if err := p.SetPermissions(ctx, driver.Directories, want.Or(begun)); err != nil {
		return settingError(p, "set the directories", err)
	}
	a.update(func(s *session.Settings) { s.Dirs = want })
	return nil
}

// setDenied sets the rules of the runtime's settings that deny, unless the process has them.
func (a *applied) setDenied(ctx context.Context, p runtime, rules []string) error {
	a.mu.Lock()
	same := slices.Equal(a.denied, rules)
	a.mu.Unlock()
	if same {
		return nil
	}
	if err := p.SetPermissions(ctx, driver.Denied, rules); err != nil {
		return settingError(p, "deny by the settings", err)
	}
	a.mu.Lock()
	a.denied = rules
	a.mu.Unlock()
	return nil
}

// settingError returns why a process did not take a setting, nil if the process has ended: the next one starts with it.
func settingError(p runtime, op string, err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-p.Done():
		return nil
	default:
	}
	if errors.Is(err, driver.ErrUnsupported) {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: err}
	}
	return err
}
