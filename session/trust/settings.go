package trust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object with case-sensitive names. Go's structs accept any case, so that a second "HOOKS" could hide
// the "hooks" that the runtime reads.
type object map[string]json.RawMessage

// parse parses a JSON object as the runtime does: strictly, except for a byte order mark.
func parse(data []byte) (object, error) {
	var o object
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &o); err != nil {
		return nil, err
	}
	return o, nil
}

func asObject(raw json.RawMessage) (object, bool) {
	var o object
	err := json.Unmarshal(raw, &o)
	return o, err == nil && o != nil
}

func asList(raw json.RawMessage) ([]json.RawMessage, bool) {
	var l []json.RawMessage
	err := json.Unmarshal(raw, &l)
	return l, err == nil
}

func asString(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// each calls do for the members of an object, ordered by name.
func (o object) each(do func(name string, raw json.RawMessage)) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		do(name, o[name])
	}
}

// harmless are settings that only forbid something, or that are notes for editors.
var harmless = map[string]bool{"$schema": true, "$comment": true}

// settings lists the content of a settings file of the runtime, versions 2.1.112 to 2.1.197.
func (l *list) settings(path string, data []byte) {
	if len(bytes.TrimSpace(data)) == 0 {
		return
	}
	o, err := parse(data)
	if err != nil {
		l.unreadable(kindSettings, path, "cannot be read as JSON: "+err.Error(), string(data))
		return
	}
	var others []string
	var values []string
	o.each(func(key string, raw json.RawMessage) {
		switch key {
		case "hooks":
			l.hooks(path, raw, "")
		case "env":
			l.environment(path, raw)
		case "permissions":
			l.permissions(path, raw)
		case "enabledPlugins":
			l.plugins(path, raw)
		case "extraKnownMarketplaces":
			l.marketplaces(path, raw)
		case "mcpServers":
			l.servers(path, raw)
		default:
			if command, ok := commandOf(key, raw); ok {
				l.add(kindSettings, key, path, command, string(raw))
			} else if !harmless[key] {
				others = append(others, key)
				values = append(values, key+"="+compact(raw))
			}
		}
	})
	if len(others) > 0 {
		l.add(kindSettings, "also sets "+strings.Join(others, ", "), path, "", values...)
	}
}

// commandOf returns the command line in a setting that has one: a status line, or a helper that prints keys, tokens or
// headers.
func commandOf(key string, raw json.RawMessage) (string, bool) {
	if o, ok := asObject(raw); ok {
		return asString(o["command"])
	}
	for _, end := range []string{"Helper", "Refresh", "Export", "Command"} {
		if s, ok := asString(raw); ok && strings.HasSuffix(key, end) {
			return s, s != ""
		}
	}
	return "", false
}

// hooks lists every hook of {EVENT: [{matcher, hooks: [{type, command, ...}]}]}. of names their owner, "" for the
// settings themselves.
func (l *list) hooks(path string, raw json.RawMessage, of string) {
	events, ok := asObject(raw)
	if !ok {
		l.odd(kindHook, path, "hooks", raw)
		return
	}
	events.each(func(event string, raw json.RawMessage) {
		groups, ok := asList(raw)
		if !ok {
			l.odd(kindHook, path, event, raw)
			return
		}
		for _, g := range groups {
			group, ok := asObject(g)
			if !ok {
				l.odd(kindHook, path, event, g)
				continue
			}
			name := event
			if matcher, _ := asString(group["matcher"]); matcher != "" {
				name += " " + matcher
			}
			if of != "" {
				name += " of " + of
			}
			hooks, ok := asList(group["hooks"])
			if !ok {
				l.odd(kindHook, path, name, g)
			}
			for _, h := range hooks {
				l.hook(path, name, h)
			}
		}
	})
}

func (l *list) hook(path, name string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindHook, path, name, raw)
		return
	}
	kind, _ := asString(o["type"])
	runs := commandLine(o)
	if url, ok := asString(o["url"]); ok {
		name += ", sends to " + url
	}
	if prompt, ok := asString(o["prompt"]); ok {
		name += ", asks a model: " + prompt
	}
	if kind != "" && kind != "command" {
		name += " (" + kind + ")"
	}
	l.add(kindHook, name, path, runs, compact(raw))
}

// commandLine joins a command and its arguments as a user would type them.
func commandLine(o object) string {
	command, _ := asString(o["command"])
	args, _ := asList(o["args"])
	if len(args) == 0 {
		return command
	}
	words := []string{quote(command)}
	for _, raw := range args {
		word, ok := asString(raw)
		if !ok {
			word = compact(raw)
		}
		words = append(words, quote(word))
	}
	return strings.Join(words, " ")
}

// quote quotes a word that a shell would split or interpret. The result is for reading, not for running.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// environment lists the variables that would be set, with the values of those that do not look like secrets.
func (l *list) environment(path string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindSettings, path, "env", raw)
		return
	}
	o.each(func(name string, raw json.RawMessage) {
		l.add(kindSettings, "env "+name+"="+shownValue(name, raw), path, "", compact(raw))
	})
}

// shownValue hides values whose names suggest a secret, but shows whether two of them differ.
func shownValue(name string, raw json.RawMessage) string {
	value, ok := asString(raw)
	if !ok {
		value = compact(raw)
	}
	upper := strings.ToUpper(name)
	for _, word := range []string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH"} {
		if strings.Contains(upper, word) && value != "" {
			return "*** (sha256 " + digest(value) + ")"
		}
	}
	return value
}

// permissions lists what is allowed without asking. Denials and asks take nothing from the user and are left out.
func (l *list) permissions(path string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindSettings, path, "permissions", raw)
		return
	}
	var others, values []string
	o.each(func(key string, raw json.RawMessage) {
		switch key {
		case "allow":
			l.texts(path, key, "allows ", raw)
		case "additionalDirectories":
			l.texts(path, key, "opens the directory ", raw)
		case "defaultMode":
			mode, _ := asString(raw)
			l.add(kindSettings, "starts in the permission mode "+mode, path, "", compact(raw))
		case "deny", "ask":
		default:
			others, values = append(others, key), append(values, compact(raw))
		}
	})
	if len(others) > 0 {
		l.add(kindSettings, "also sets permissions "+strings.Join(others, ", "), path, "", values...)
	}
}

func (l *list) texts(path, key, prefix string, raw json.RawMessage) {
	texts, ok := asList(raw)
	if !ok {
		l.odd(kindSettings, path, key, raw)
		return
	}
	for _, raw := range texts {
		if text, ok := asString(raw); ok {
			l.add(kindSettings, prefix+text, path, "")
		} else {
			l.odd(kindSettings, path, key, raw)
		}
	}
}

// plugins lists {"NAME@MARKETPLACE": true, ...}; false removes a plugin.
func (l *list) plugins(path string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindPlugin, path, "enabledPlugins", raw)
		return
	}
	o.each(func(name string, raw json.RawMessage) {
		if s := compact(raw); s != "false" && s != "null" {
			l.add(kindPlugin, name, path, "", s)
		}
	})
}

func (l *list) marketplaces(path string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindPlugin, path, "extraKnownMarketplaces", raw)
		return
	}
	o.each(func(name string, raw json.RawMessage) {
		from := compact(raw)
		if m, ok := asObject(raw); ok && m["source"] != nil {
			from = compact(m["source"])
		}
		l.add(kindPlugin, "the marketplace "+name+" from "+from, path, "", compact(raw))
	})
}

// mcp lists the servers of an .mcp.json file.
func (l *list) mcp(path string, data []byte) {
	if len(bytes.TrimSpace(data)) == 0 {
		return
	}
	o, err := parse(data)
	if err != nil {
		l.unreadable(kindServer, path, "cannot be read as JSON: "+err.Error(), string(data))
		return
	}
	if raw, ok := o["mcpServers"]; ok {
		l.servers(path, raw)
	}
}

// servers lists {NAME: {command, args, env} or {type, url, headers}}.
func (l *list) servers(path string, raw json.RawMessage) {
	o, ok := asObject(raw)
	if !ok {
		l.odd(kindServer, path, "mcpServers", raw)
		return
	}
	o.each(func(name string, raw json.RawMessage) {
		server, ok := asObject(raw)
		if !ok {
			l.odd(kindServer, path, name, raw)
			return
		}
		if url, ok := asString(server["url"]); ok {
			name += " at " + url
		}
		if env, ok := asObject(server["env"]); ok && len(env) > 0 {
			var vars []string
			env.each(func(k string, raw json.RawMessage) { vars = append(vars, k+"="+shownValue(k, raw)) })
			name += " with " + strings.Join(vars, " ")
		}
		runs := commandLine(server)
		if helper, ok := asString(server["headersHelper"]); ok && runs == "" {
			runs = helper
		}
		l.add(kindServer, name, path, runs, compact(raw))
	})
}

// odd adds an item for a value of an unexpected shape, which a later runtime may understand.
func (l *list) odd(kind, path, name string, raw json.RawMessage) {
	l.add(kind, fmt.Sprintf("%s, which parley does not understand", name), path, "", compact(raw))
}

// compact returns a value without insignificant white space.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}
