package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/ui/compose"
)

// KeyBinding ties a key to an action, as the configuration says it.
type KeyBinding struct {
	// Key is a key as docs/keys.md writes them, such as "ctrl+k", in any case and with the modifiers in any order.
	Key string
	// Action is the name of an action, a slash command such as "/model", or "none".
	Action string
	// Where says where the user wrote it, for complaints, such as "FILE:LINE".
	Where string
}

// unbound is the action of a key that is to do nothing.
const unbound = "none"

// bound is what a key does in the chat.
type bound struct {
	act     action
	command string // of actCommand
	empty   bool   // only while nothing is written
}

// keymap is the key table as the user wants it. It does not change.
type keymap struct {
	acts  map[string]bound
	edits map[string]func(*compose.Composer)
	rows  []binding // the table with the keys as they are
	vim   bool      // vim's keys come before it
	notes []string  // what was taken away by the user's keys, and is missed
}

// CheckKeys says what is wrong with key bindings: every mistake with its place, joined; nil if nothing is.
func CheckKeys(all []KeyBinding) error {
	_, err := newKeymap(all)
	return err
}

// newKeymap makes the table for the user's bindings. Those that are wrong are left out.
func newKeymap(user []KeyBinding) (*keymap, error) {
	km := &keymap{acts: map[string]bound{}, edits: map[string]func(*compose.Composer){}}
	for _, b := range bindings {
		for _, k := range b.keys {
			km.bind(k, b)
		}
	}
	var errs []error
	taken := map[string]KeyBinding{}
	var extra []binding
	for _, u := range user {
		key, b, err := u.resolve()
		if first, twice := taken[key]; err == nil && twice {
			err = fmt.Errorf("%s is bound twice: to %s (%s) and to %s", key, first.Action, first.Where, u.Action)
		}
		if err != nil {
			errs = append(errs, u.wrong(err))
			continue
		}
		taken[key] = u
		delete(km.acts, key)
		delete(km.edits, key)
		if u.Action != unbound {
			km.bind(key, b)
		}
		if b.act == actCommand {
			b.keys = []string{key}
			extra = append(extra, b)
		}
	}
	km.list(taken)
	km.rows = append(km.rows, extra...)
	return km, errors.Join(errs...)
}

// bind makes a key do what a row of the table says.
func (km *keymap) bind(key string, b binding) {
	if b.edit != nil {
		km.edits[key] = b.edit
		return
	}
	km.acts[key] = bound{b.act, b.name, b.empty}
}

// list writes the table with the keys as they are, and notes what has none left.
func (km *keymap) list(taken map[string]KeyBinding) {
	for _, b := range bindings {
		var keys []string
		for _, k := range b.keys {
			if _, gone := taken[k]; !gone {
				keys = append(keys, k)
			}
		}
		for k, u := range taken {
			if u.Action == b.name {
				keys = append(keys, k)
			}
		}
		slices.SortStableFunc(keys[min(len(keys), len(b.keys)):], strings.Compare)
		if len(keys) == 0 && !b.empty {
			for _, k := range b.keys {
				if u := taken[k]; u.Action != unbound {
					km.notes = append(km.notes, fmt.Sprintf("%s: %s was the key of %s, which has none now", filepath.Base(u.Where), k, b.name))
				}
			}
		}
		b.keys = keys
		km.rows = append(km.rows, b)
	}
	slices.Sort(km.notes)
}

// wrong puts the place before a complaint.
func (u KeyBinding) wrong(err error) error {
	if u.Where == "" {
		return err
	}
	return fmt.Errorf("%s: %w", u.Where, err)
}

// resolve returns the key as it comes from the keyboard, and the row of the table it is to have.
func (u KeyBinding) resolve() (string, binding, error) {
	key, err := keyName(u.Key)
	if err != nil {
		return "", binding{}, err
	}
	if key == "ctrl+c" || key == "esc" {
		return key, binding{}, fmt.Errorf("%s stops and leaves, whatever else is wrong, and cannot be bound", key)
	}
	if u.Action == unbound {
		return key, binding{}, nil
	}
	if name, ok := strings.CutPrefix(u.Action, "/"); ok {
		c, known := findCommand(name)
		if !known {
			return key, binding{}, fmt.Errorf("there is no command /%s", name)
		}
		return key, binding{name: c.name, act: actCommand, group: "your own", help: "/" + c.name + ": " + c.help}, nil
	}
	for _, b := range bindings {
		if b.name == u.Action {
			b.empty = false // the user's key does it at any time
			return key, b, nil
		}
	}
	names := make([]string, 0, len(bindings))
	for _, b := range bindings {
		names = append(names, b.name)
	}
	return key, binding{}, fmt.Errorf("there is no action %q; there are %s, a command such as /model, and none", u.Action,
		strings.Join(names, ", "))
}

// keyNames are the keys that have a name of their own.
var keyNames = []string{"enter", "tab", "space", "backspace", "delete", "insert", "esc", "up", "down", "left", "right", "home", "end",
	"pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}

// keyModifiers are in the order in which they come from the keyboard.
var keyModifiers = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

// sameKeys are keys that most terminals cannot tell from another.
var sameKeys = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+@": "ctrl+space"}

// keyName brings the name of a key into the form in which it comes from the keyboard.
func keyName(s string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if name == "" {
		return "", errors.New("no key is named")
	}
	base, mods := name, []string(nil)
	for {
		mod, rest, ok := strings.Cut(base, "+")
		if !ok || rest == "" {
			break
		}
		if !slices.Contains(keyModifiers, mod) {
			return "", fmt.Errorf("%q is no key: %s is none of %s", s, mod, strings.Join(keyModifiers, ", "))
		}
		mods, base = append(mods, mod), rest
	}
	named := slices.Contains(keyNames, base)
	if !named && utf8.RuneCountInString(base) != 1 {
		return "", fmt.Errorf("%q is no key: write it like ctrl+k, alt+enter or f5", s)
	}
	slices.SortFunc(mods, func(a, b string) int { return slices.Index(keyModifiers, a) - slices.Index(keyModifiers, b) })
	mods = slices.Compact(mods)
	if only := strings.Join(mods, "+"); !named && (only == "" || only == "shift") {
		return "", fmt.Errorf("%q is written into the prompt and cannot be bound", s)
	}
	name = strings.Join(append(mods, base), "+")
	if other, same := sameKeys[name]; same {
		return "", fmt.Errorf("most terminals send %s as %s: bind that, or another key", name, other)
	}
	return name, nil
}

// key returns the first key that does something, "" if none does.
func (km *keymap) key(a action) string {
	for _, b := range km.rows {
		if b.act == a && b.edit == nil && len(b.keys) > 0 {
			return b.keys[0]
		}
	}
	return ""
}

// answerKeys are the keys that give a question the keyboard, in words; where there is little room only the first.
func (l *look) answerKeys() string {
	if l.keys == nil {
		return ""
	}
	if l.width >= 60 {
		return strings.Join(l.keys.all(actAnswer), " or ")
	}
	return l.keys.key(actAnswer)
}

// all returns the keys that do something.
func (km *keymap) all(a action) (keys []string) {
	for _, b := range km.rows {
		if b.act == a && b.edit == nil {
			keys = append(keys, b.keys...)
		}
	}
	return keys
}

// hint is the key of an action, to be said behind something else; "" if it has none.
func (km *keymap) hint(a action) string {
	if k := km.key(a); k != "" {
		return " · " + k
	}
	return ""
}

// newline is the key that makes a new line; some work only where the terminal tells them from enter.
func (km *keymap) newline(kitty bool) string {
	for _, b := range km.rows {
		if b.name != "newline" {
			continue
		}
		for _, k := range b.keys {
			if kitty || k != "shift+enter" && k != "alt+enter" {
				return k
			}
		}
		if len(b.keys) > 0 {
			return b.keys[0]
		}
	}
	return ""
}

// help says which key shows the keys.
func (km *keymap) help() string {
	if km.acts["?"].act == actHelp {
		return "? keys"
	}
	return strings.TrimPrefix(km.key(actHelp)+" keys", " ")
}

// fold is the key that opens and folds rows.
func (l *look) fold() string {
	if l.keys == nil {
		return "tab"
	}
	return l.keys.key(actFold)
}

// waysIn says what the keys do that send while a turn runs, "" where there is no room or it does not matter.
func (m *Model) waysIn(w int, t *session.Turn) string {
	if w < 60 || len(m.feed.t.Asks) > 0 || t.Retry != nil {
		return ""
	}
	send, steer := m.keys.key(actSend), m.keys.key(actSteer)
	switch {
	case !m.steers():
		return send + " queues"
	case m.opts.EnterSteers:
		return send + " steers · " + steer + " queues"
	}
	return send + " queues · " + steer + " steers"
}

// does returns what a key does in the chat now.
func (m *Model) does(key string) bound {
	b := m.keys.acts[key]
	if b.empty && !m.composer.Empty() {
		return bound{}
	}
	return b
}
