package copilot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/protocol"
	"parley/session/extensions/inventory"
)

// clientName is the name of parley for the runtime.
const clientName = "parley"

// launch is how a session is opened in the runtime.
type launch struct {
	Params  params
	trusted bool
	models  []session.Model // of the login, nil if unknown
	fixed   []byte          // the parameters that only a newly opened session takes
	extends string          // what stands for the files that the runtime reads, and for its environment
}

// same reports whether a session that is open with l needs not be opened again for other.
func (l launch) same(other launch) bool {
	return bytes.Equal(l.fixed, other.fixed) && l.extends == other.extends
}

// params are the parameters of session.create and session.resume.
type params struct {
	SessionID       string           `json:"sessionId"`
	ClientName      string           `json:"clientName"`
	Model           string           `json:"model,omitempty"`
	ReasoningEffort string           `json:"reasoningEffort,omitempty"`
	Dir             string           `json:"workingDirectory"`
	Dirs            []string         `json:"additionalDirectories,omitempty"`
	Tools           []protocol.Tool  `json:"tools,omitempty"`
	Provider        *provider        `json:"provider,omitempty"`
	CustomAgents    []protocol.Agent `json:"customAgents,omitempty"`
	Agent           string           `json:"agent,omitempty"`
	EnvValueMode    string           `json:"envValueMode"`

	Streaming           bool `json:"streaming"`
	ChildrenStream      bool `json:"includeSubAgentStreamingEvents"`
	RequestPermission   bool `json:"requestPermission"`
	RequestUserInput    bool `json:"requestUserInput"`
	RequestElicitation  bool `json:"requestElicitation"`
	RequestExitPlanMode bool `json:"requestExitPlanMode"`
	RequestAutoMode     bool `json:"requestAutoModeSwitch"`
	Hooks               bool `json:"hooks"`
	// Telemetry, which the runtime sends unless it is false, stays off.
	Telemetry bool `json:"enableSessionTelemetry"`

	// Trusted are the switches of what a directory brings into a session.
	trustParams
}

// provider sends the model requests of a session to its endpoint.
type provider struct {
	Type      string `json:"type"`
	BaseURL   string `json:"baseUrl"`
	Bearer    string `json:"bearerToken"`
	MaxPrompt int64  `json:"maxPromptTokens,omitempty"`
	MaxOutput int64  `json:"maxOutputTokens,omitempty"`
}

// launch returns how to open a conversation's session with the given settings.
func (a *Agent) launch(ctx context.Context, c *conversation, s session.Settings) (launch, error) {
	models, err := a.o.Models(ctx)
	if err != nil {
		models = nil // the first request reports the problem
	}
	l := launch{models: models, trusted: a.o.Trusted(c.o.Dir)}
	if a.o.Extends != nil {
		l.extends = a.o.Extends(ctx, c.o.Dir)
	}
	l.extends += a.o.Terminals.Mark(c.o.Session)
	tools := c.toolList()
	agents, chosen, err := a.agents(ctx, c.o.Dir, s.Custom, models, tools)
	if err != nil {
		return launch{}, err
	}
	l.Params = params{
		SessionID: string(c.o.Session), ClientName: clientName, Dir: c.o.Dir, Dirs: slices.Clone(s.Dirs.Or(c.o.Dirs)), EnvValueMode: "direct",
		Tools: tools, CustomAgents: dispatch.WithDefinitions(agents, tools), Agent: chosen,
		Streaming: true, ChildrenStream: true, RequestPermission: true, RequestUserInput: true, RequestElicitation: true,
		RequestExitPlanMode: true, RequestAutoMode: true, Hooks: true, trustParams: a.trustOf(ctx, c.o.Dir, l.trusted),
	}
	if a.o.Off != nil {
		off := a.o.Off(c.o.Session)
		l.Params.PluginDirs, l.Params.SkillsOff = off.Folders(l.Params.PluginDirs), off.Names(inventory.Skill, inventory.Command)
	}
	if a.o.Token == nil {
		l.Params.Provider = &provider{Type: "anthropic", BaseURL: c.o.Endpoint.BaseURL, Bearer: c.o.Endpoint.Bearer}
	}
	if l.fixed, err = json.Marshal(l.Params); err != nil {
		return launch{}, err
	}
	wanted := s.Model
	for _, g := range agents {
		if g.Name == chosen && chosen != "" {
			wanted = cmp.Or(wanted, g.Model)
		}
	}
	model := chooseModel(models, wanted)
	l.Params.Model, l.Params.ReasoningEffort = model, session.EffortFor(models, model, s.Effort)
	if m := session.ListedModel(models, model); m != nil && l.Params.Provider != nil {
		l.Params.Provider.MaxPrompt, l.Params.Provider.MaxOutput = cmp.Or(m.MaxPrompt, m.ContextWindow), m.MaxOutput
	}
	return l, nil
}

// chooseModel returns the user's choice, else the login's default, empty if that is unknown: the runtime then chooses.
func chooseModel(models []session.Model, wanted string) string {
	if wanted != "" {
		return session.SpelledModel(models, wanted)
	}
	for _, m := range models {
		if m.Default && m.Unusable == "" {
			return m.ID
		}
	}
	return ""
}

// plainName matches ids without a meaning in paths.
var plainName = lazyregexp.New(`^[A-Za-z0-9-]+$`)

// stored reports whether the runtime has events of the session. A stored one is resumed.
func (a *Agent) stored(id session.ID) bool {
	if a.home == "" || !plainName.MatchString(string(id)) {
		return false
	}
	info, err := os.Stat(filepath.Join(a.home, "session-state", string(id), "events.jsonl"))
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// isTokenCountWarning reports whether a warning is about a runtime that can only estimate the tokens of a model that it reaches
// through an endpoint. The service's own counts replace the estimates.
func isTokenCountWarning(text string) bool { return strings.Contains(text, "token count multiplier") }
