package claude

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/mapper"
)

// launch says how the runtime of a conversation is started now. id is the conversation's id in the runtime's own files,
// which differs from ours after the user has cleared the conversation in it. The models that the login can use are returned
// too, none if they are not known.
func (a *Agent) launch(ctx context.Context, o session.OpenOptions, id session.ID, s session.Settings) (driver.Launch, []session.Model, error) {
	program, err := a.o.Runtime(ctx)
	if err != nil {
		return driver.Launch{}, nil, err
	}
	if a.o.TempDir != "" {
		if err := os.MkdirAll(a.o.TempDir, 0o700); err != nil {
			return driver.Launch{}, nil, &session.Error{Op: opOpen, Kind: session.KindDisk, Err: err}
		}
	}
	models, err := a.o.Models(ctx)
	if err != nil {
		models = nil // the first request will say what is wrong, if anything is
	}
	model := chooseModel(models, s.Model)
	trusted, managed := a.o.Trusted(o.Dir), a.o.Managed()
	var servers json.RawMessage
	if !trusted && !managed {
		servers = a.o.OwnServers(o.Dir)
	}
	return driver.Launch{
		Program: program.Argv, Version: program.Version,
		Dir: o.Dir, Dirs: slices.Clone(o.Dirs),
		Session: string(id), Resume: a.stored(id),
		Model: spelledFor(models, model), Effort: effortFor(models, model, s.Effort), Mode: string(cmp.Or(s.Mode, session.ModeDefault)),
		AllowBypass: true, Root: os.Geteuid() == 0, Trusted: trusted, Managed: managed, Servers: servers,
		BaseURL: o.Endpoint.BaseURL, Bearer: o.Endpoint.Bearer,
		ConfigDir: a.o.ConfigDir, TempDir: a.o.TempDir, Environ: a.o.Environ, PassEnv: a.o.PassEnv, HookEvents: true,
		SmallModel: mapper.RuntimeModel(smallModel(models, model)),
		Disallowed: []string{"WebSearch"}, // a tool of Anthropic's servers, which Copilot does not have
	}, models, nil
}

// chooseModel returns the model to use: what the user chose, else the login's default if that is a Claude model, else the
// newest Claude of the middle size, else any Claude. It is empty if nothing is known.
func chooseModel(models []session.Model, wanted string) string {
	if wanted != "" {
		return wanted
	}
	best := ""
	for _, m := range models {
		switch {
		case !strings.HasPrefix(m.ID, "claude-") || m.Unusable != "":
		case m.Default:
			return m.ID
		case rank(m.ID) > rank(best) || rank(m.ID) == rank(best) && m.ID > best:
			best = m.ID
		}
	}
	return best
}

// rank prefers the middle size: able, and neither the dearest nor the smallest.
func rank(model string) int {
	switch {
	case model == "":
		return 0
	case strings.Contains(model, "sonnet"):
		return 3
	case strings.Contains(model, "haiku"):
		return 1
	}
	return 2
}

// smallModel is for titles and other small jobs of the runtime: the newest small Claude of the login, else the model of
// the conversation.
func smallModel(models []session.Model, model string) string {
	best := ""
	for _, m := range models {
		if strings.HasPrefix(m.ID, "claude-") && strings.Contains(m.ID, "haiku") && m.Unusable == "" && m.ID > best {
			best = m.ID
		}
	}
	return cmp.Or(best, model)
}

// catalogModel spells a model that the runtime names as the login's list does.
func catalogModel(models []session.Model, id string) string {
	for _, m := range models {
		if mapper.SameModel(m.ID, id) {
			return m.ID
		}
	}
	return id
}

// effortFor leaves an effort out that the model does not take: the service refuses it.
func effortFor(models []session.Model, model, effort string) string {
	for _, m := range models {
		if mapper.SameModel(m.ID, model) && !slices.Contains(m.Efforts, effort) {
			return ""
		}
	}
	return effort
}
