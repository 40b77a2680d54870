package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
)

// maxHooks bounds the hooks of one file.
const maxHooks = 200

// file is a file that describes hooks, with its content.
type file struct {
	path, root string
	scope      Scope
	copilot    bool
	plugin     *Plugin
	data       []byte
	why        string // why it cannot be read, or its hooks do not count
	blocked    bool   // why is about its hooks, which are listed
}

// parsed is what a file says.
type parsed struct {
	hooks  []Hook
	faults []string
	// off switches the hooks of this scope and of those below off, onlyManaged those of all others.
	off, onlyManaged bool
}

// entry is a JSON object with keys that are compared exactly: those of a struct would be found in any case.
type entry map[string]json.RawMessage

func asEntry(raw json.RawMessage) (entry, bool) {
	var e entry
	err := json.Unmarshal(raw, &e)
	return e, err == nil && e != nil
}

// value reads a key, and reports false for a value of another type.
func value[T any](e entry, key string) (v T, ok bool) {
	raw, has := e[key]
	if !has || string(raw) == "null" {
		return v, true
	}
	err := json.Unmarshal(raw, &v)
	return v, err == nil
}

// parse reads the hooks of a file: {"hooks": {EVENT: [{"matcher": …, "hooks": [HOOK]}]}}, or a list of hooks for each event, as the
// Copilot runtime has it.
func parse(f file) (p parsed) {
	fault := func(format string, args ...any) {
		p.faults = append(p.faults, f.path+": "+fmt.Sprintf(format, args...))
	}
	if f.why != "" && !f.blocked {
		fault("%s", f.why)
		return p
	}
	data := bytes.TrimPrefix(f.data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return p
	}
	top, ok := asEntry(data)
	if !ok {
		fault("it cannot be read as JSON")
		return p
	}
	if f.scope != OfPlugin {
		p.off, _ = value[bool](top, "disableAllHooks")
	}
	p.onlyManaged, _ = value[bool](top, "allowManagedHooksOnly")
	p.onlyManaged = p.onlyManaged && f.scope == Managed
	if top["hooks"] == nil {
		return p
	}
	events, ok := asEntry(top["hooks"])
	if !ok {
		fault("hooks is not an object")
		return p
	}
	for _, name := range keysOf(events) {
		var groups []json.RawMessage
		if json.Unmarshal(events[name], &groups) != nil {
			fault("%s is not a list", cut(name, 80))
			continue
		}
		for _, g := range groups {
			if len(p.hooks) >= maxHooks {
				fault("it has more than %d hooks; the rest is left out", maxHooks)
				return p
			}
			p.group(f, name, g, fault)
		}
	}
	return p
}

// group reads an element of an event's list.
func (p *parsed) group(f file, name string, raw json.RawMessage, fault func(string, ...any)) {
	g, ok := asEntry(raw)
	if !ok {
		fault("%s has an entry that is not an object", cut(name, 80))
		return
	}
	event, known := eventNames[name]
	if !known {
		event = cut(name, 80)
	}
	matcher, isText := value[string](g, "matcher")
	base := Hook{Event: event, Matcher: matcher, Scope: f.scope, From: f.path, Root: f.root, Plugin: f.plugin}
	base.Copilot = f.copilot && known && event != name
	switch {
	case f.blocked:
		base.Why = f.why
	case !known:
		base.Why = "parley knows no such event"
	case !fires(event):
		base.Why = "parley's own agent has no such event"
	case !isText:
		base.Why = "its matcher is not a text"
	default:
		base.Why = wrongMatcher(matcher, base.Copilot)
	}
	list := []json.RawMessage{raw}
	if g["hooks"] != nil {
		if list, ok = value[[]json.RawMessage](g, "hooks"); !ok {
			fault("the hooks of %s are not a list", event)
			return
		}
	}
	for _, raw := range list {
		if len(p.hooks) >= maxHooks {
			return
		}
		e, ok := asEntry(raw)
		if !ok {
			fault("%s has a hook that is not an object", event)
			continue
		}
		h := base
		if why := h.fill(e, f.copilot); why != "" && h.Why == "" {
			h.Why = why
		}
		p.hooks = append(p.hooks, h)
	}
}

// fill takes the fields of a hook, and returns why it cannot run.
func (h *Hook) fill(e entry, copilot bool) string {
	kind, ok := value[string](e, "type")
	h.Kind = Kind(kind)
	if kind == "" {
		h.Kind = Command
	}
	wrong := ""
	text := func(keys ...string) (found string) {
		for _, key := range keys {
			s, is := value[string](e, key)
			if !is {
				wrong = key + " is not a text"
			} else if found == "" {
				found = s
			}
		}
		return found
	}
	flag := func(key string) bool {
		b, is := value[bool](e, key)
		if !is {
			wrong = key + " is not true or false"
		}
		return b
	}
	h.Command = text("command")
	if copilot {
		if h.Command = text("bash", "command", "exec"); runtime.GOOS == "windows" {
			h.Command = text("powershell", "command", "exec")
		}
		h.Dir = text("cwd")
	}
	h.Shell, h.URL, h.Text, h.Model = text("shell"), text("url"), text("prompt"), text("model")
	h.If, h.OnFailure = text("if"), text("onFailure")
	h.Once, h.Async, h.GoesOn = flag("once"), flag("async") || flag("asyncRewake"), flag("continueOnBlock")
	var are [4]bool
	h.Args, are[0] = value[[]string](e, "args")
	h.Env, are[1] = value[map[string]string](e, "env")
	h.Headers, are[2] = value[map[string]string](e, "headers")
	h.Allowed, are[3] = value[[]string](e, "allowedEnvVars")
	seconds, isNumber := value[float64](e, "timeout")
	if raw := e["timeoutSec"]; raw != nil {
		seconds, isNumber = value[float64](e, "timeoutSec")
	}
	h.Timeout = time.Duration(math.Min(math.Max(seconds, 0), maxTime.Seconds()) * float64(time.Second))
	switch {
	case !ok:
		return "its type is not a text"
	case wrong != "":
		return wrong
	case slices.Contains(are[:], false):
		return "args, env, headers or allowedEnvVars are not texts"
	case !isNumber || seconds < 0:
		return "its timeout is not a number of seconds"
	}
	return h.problem()
}

// problem returns why a hook cannot run, empty if it can.
func (h *Hook) problem() string {
	switch h.Kind {
	case Command:
		if strings.TrimSpace(h.Command) == "" {
			return "it has no command for this system"
		}
		if h.Shell == "powershell" && runtime.GOOS != "windows" {
			return "it needs PowerShell"
		}
	case HTTP:
		if !strings.HasPrefix(h.URL, "https://") && !strings.HasPrefix(h.URL, "http://") {
			return "its url is not one of http or https"
		}
	case Prompt:
		if strings.TrimSpace(h.Text) == "" {
			return "it has no prompt"
		}
	default:
		return "parley runs no hooks of the type " + cut(string(h.Kind), 40)
	}
	return ""
}
