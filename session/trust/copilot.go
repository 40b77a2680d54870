package trust

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
)

// Runtime is a runtime whose files a [Store] lists.
type Runtime int

// The runtimes.
const (
	ClaudeCode Runtime = iota // the default
	Copilot
)

// copilot lists what the Copilot runtime 1.0.85 to 1.0.102 loads from one directory below base: the user has to know all of
// it, because the runtime runs hooks and servers without asking once it may load them.
func (l *list) copilot(ctx context.Context, r *reader, in func(name string) string, inside bool) {
	for _, name := range []string{".mcp.json", ".github/mcp.json"} {
		l.file(ctx, r, kindServer, in(name), l.mcp)
	}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md", ".github/copilot-instructions.md"} {
		l.file(ctx, r, kindInstructions, in(name), l.instructions)
	}
	if !inside {
		return
	}
	for _, name := range []string{".claude/settings.json", ".claude/settings.local.json"} {
		l.file(ctx, r, kindSettings, in(name), l.settings)
	}
	for _, name := range []string{".github/copilot/settings.json", ".github/copilot/settings.local.json"} {
		l.file(ctx, r, kindSettings, in(name), l.copilotSettings)
	}
	for _, name := range []string{".lsp.json", ".github/lsp.json"} {
		l.file(ctx, r, kindServer, in(name), l.languageServers)
	}
	l.jsonFolder(ctx, r, in(".github/hooks"))
	l.extensions(ctx, r, in(".github/extensions"))
	for _, f := range []struct{ kind, dir string }{
		{kindInstructions, ".github/instructions"}, {kindAgent, ".github/agents"}, {kindAgent, ".claude/agents"},
		{kindSkill, ".github/skills"}, {kindSkill, ".claude/skills"}, {kindSkill, ".agents/skills"},
		{kindCommand, ".claude/commands"}, {kindCommand, ".github/prompts"},
	} {
		l.folder(ctx, r, f.kind, in(f.dir))
	}
}

// copilotSettings lists a settings file of the Copilot runtime: its hooks in the runtime's own form, and everything else as
// for Claude Code, whose names it shares.
func (l *list) copilotSettings(path string, data []byte) {
	if len(bytes.TrimSpace(data)) == 0 {
		return
	}
	o, err := parse(data)
	if err != nil {
		l.unreadable(kindSettings, path, "cannot be read as JSON: "+err.Error(), string(data))
		return
	}
	if raw, ok := o["hooks"]; ok {
		l.copilotHooks(path, raw)
		delete(o, "hooks")
	}
	delete(o, "version")
	rest, err := json.Marshal(o)
	if err != nil || len(o) == 0 {
		return
	}
	l.settings(path, rest)
}

// copilotHooks lists {EVENT: [{type, bash, powershell, command, url, ...}]}, and groups of hooks as Claude Code has them.
func (l *list) copilotHooks(path string, raw json.RawMessage) {
	events, ok := asObject(raw)
	if !ok {
		l.odd(kindHook, path, "hooks", raw)
		return
	}
	events.each(func(event string, raw json.RawMessage) {
		hooks, ok := asList(raw)
		if !ok {
			l.odd(kindHook, path, event, raw)
			return
		}
		for _, raw := range hooks {
			o, ok := asObject(raw)
			if _, group := o["hooks"]; ok && group {
				l.hooks(path, json.RawMessage(`{`+string(text(event))+`:[`+string(raw)+`]}`), "")
				continue
			}
			if ok {
				l.copilotHook(path, event, o)
			} else {
				l.odd(kindHook, path, event, raw)
			}
		}
	})
}

// copilotHook lists one hook with what this system runs of it.
func (l *list) copilotHook(path, event string, o object) {
	keys := []string{"bash", "command", "exec", "powershell"}
	if runtime.GOOS == "windows" {
		keys = []string{"powershell", "command", "exec", "bash"}
	}
	for _, key := range keys {
		if line, ok := asString(o[key]); ok && line != "" {
			o["command"] = text(line)
			break
		}
	}
	if dir, ok := asString(o["cwd"]); ok && dir != "" {
		event += " in " + dir
	}
	if env, ok := asObject(o["env"]); ok && len(env) > 0 {
		var vars []string
		env.each(func(k string, raw json.RawMessage) { vars = append(vars, k+"="+shownValue(k, raw)) })
		event += " with " + strings.Join(vars, " ")
	}
	data, _ := encoded(o)
	l.hook(path, event, data)
}

// languageServers lists {"lspServers": {NAME: {command, args}}}.
func (l *list) languageServers(path string, data []byte) {
	o, err := parse(data)
	if err != nil {
		if len(bytes.TrimSpace(data)) > 0 {
			l.unreadable(kindServer, path, "cannot be read as JSON: "+err.Error(), string(data))
		}
		return
	}
	servers, ok := asObject(o["lspServers"])
	if !ok {
		if raw, has := o["lspServers"]; has {
			l.odd(kindServer, path, "lspServers", raw)
		}
		return
	}
	servers.each(func(name string, raw json.RawMessage) {
		server, ok := asObject(raw)
		if !ok {
			l.odd(kindServer, path, name, raw)
			return
		}
		l.add(kindServer, "language server "+name, path, commandLine(server), compact(raw))
	})
}

// jsonFolder lists the files of hooks in a folder.
func (l *list) jsonFolder(ctx context.Context, r *reader, dir string) {
	names, odd, more := r.files(dir, ".json")
	for _, name := range names {
		l.file(ctx, r, kindHook, name, l.copilotSettings)
	}
	for _, name := range slices.Sorted(maps.Keys(odd)) {
		l.unreadable(kindHook, r.abs(name), path.Base(name)+" "+odd[name].why, odd[name].mark)
	}
	if more {
		l.add(kindHook, "more files than parley looks at", r.abs(dir), "")
	}
}

// extensions lists the programs of extensions, which run within the runtime.
func (l *list) extensions(ctx context.Context, r *reader, dir string) {
	for _, suffix := range []string{".mjs", ".js", ".cjs", ".ts"} {
		names, odd, more := r.files(dir, suffix)
		for _, name := range names {
			l.file(ctx, r, kindPlugin, name, func(at string, data []byte) {
				l.add(kindPlugin, "the extension "+strings.TrimPrefix(name, dir+"/"), at, "", string(data))
			})
		}
		for _, name := range slices.Sorted(maps.Keys(odd)) {
			l.unreadable(kindPlugin, r.abs(name), path.Base(name)+" "+odd[name].why, odd[name].mark)
		}
		if more {
			l.add(kindPlugin, "more files than parley looks at", r.abs(dir), "")
		}
	}
}
