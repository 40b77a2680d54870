package keymap

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/ui/textarea"
)

// UserBinding ties a key to an action, as the configuration says it.
type UserBinding struct {
	// Key is a key as docs/keys.md writes them, such as "ctrl+k", in any case and with the modifiers in any order.
	Key string
	// Action is the name of an action, a slash command such as "/model", or "none".
	Action string
	// Where says where the user wrote it, for complaints, such as "FILE:LINE".
	Where string
}

// unbound is the action of a key that is to do nothing.
const unbound = "none"

// Bound is what a key does in the chat.
type Bound struct {
	Act     Action
	Command string // of RunCommand, the number of a Tab, else the name of the row
	Empty   bool   // only while nothing is written
}

// keymap is the key table as the user wants it. It does not change.
type Map struct {
	Acts  map[string]Bound
	Edits map[string]func(*textarea.Composer)
	Rows  []binding // the table with the keys as they are
	Vim   bool      // vim's keys come before it
	Notes []string  // what was taken away by the user's keys, and is missed
}

// Check returns what is wrong with key bindings: every mistake with its place, joined; nil if nothing is.
func Check(all []UserBinding) error {
	_, err := New(all)
	return err
}

// New makes the table for the user's bindings. Those that are wrong are left out.
func New(user []UserBinding) (*Map, error) {
	km := &Map{Acts: map[string]Bound{}, Edits: map[string]func(*textarea.Composer){}}
	for _, b := range bindings {
		for _, k := range b.Keys {
			km.bind(k, b)
		}
	}
	var errs []error
	taken := map[string]UserBinding{}
	var extra []binding
	for _, u := range user {
		if now, old := oldNames[u.Action]; old {
			u.Action = now
		}
		key, b, err := u.resolve()
		if first, twice := taken[key]; err == nil && twice {
			err = fmt.Errorf("%s is bound twice: to %s (%s) and to %s", key, first.Action, first.Where, u.Action)
		}
		if err != nil {
			errs = append(errs, u.wrong(err))
			continue
		}
		taken[key] = u
		delete(km.Acts, key)
		delete(km.Edits, key)
		if u.Action != unbound {
			km.bind(key, b)
		}
		if b.Act == RunCommand && b.Group == yourOwn {
			b.Keys = []string{key}
			extra = append(extra, b)
		}
	}
	km.list(taken)
	km.Rows = append(km.Rows, extra...)
	return km, errors.Join(errs...)
}

// bind makes a key do what a row of the table says.
func (km *Map) bind(key string, b binding) {
	if b.edit != nil {
		km.Edits[key] = b.edit
		return
	}
	command := b.Name
	if b.Act == RunCommand {
		command = strings.TrimSuffix(strings.TrimPrefix(b.Name, "/"), emptyRow)
	}
	if b.Act == Tab {
		command = key[len(key)-1:]
	}
	km.Acts[key] = Bound{b.Act, command, b.Empty}
}

// list writes the table with the keys as they are, and notes what has none left.
func (km *Map) list(taken map[string]UserBinding) {
	for _, b := range bindings {
		var keys []string
		for _, k := range b.Keys {
			if _, gone := taken[k]; !gone {
				keys = append(keys, k)
			}
		}
		for k, u := range taken {
			if u.Action == b.Name {
				keys = append(keys, k)
			}
		}
		slices.SortStableFunc(keys[min(len(keys), len(b.Keys)):], strings.Compare)
		if len(keys) == 0 && !b.Empty {
			for _, k := range b.Keys {
				if u := taken[k]; u.Action != unbound {
					km.Notes = append(km.Notes, fmt.Sprintf("%s: %s was the key of %s, which has none now", filepath.Base(u.Where), k, b.Name))
				}
			}
		}
		b.Keys = keys
		km.Rows = append(km.Rows, b)
	}
	slices.Sort(km.Notes)
}

// wrong puts the place before a complaint.
func (u UserBinding) wrong(err error) error {
	if u.Where == "" {
		return err
	}
	return fmt.Errorf("%s: %w", u.Where, err)
}

// resolve returns the key as it comes from the keyboard, and the row of the table it is to have.
func (u UserBinding) resolve() (string, binding, error) {
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
	for _, b := range bindings {
		if b.Name == u.Action {
			b.Empty = false // the user's key does it at any time
			return key, b, nil
		}
	}
	if name, ok := strings.CutPrefix(u.Action, "/"); ok {
		c, known := findCommand(name)
		if !known {
			return key, binding{}, fmt.Errorf("there is no command /%s", name)
		}
		return key, binding{Name: u.Action, Act: RunCommand, Group: yourOwn, Help: "/" + c.Name + ": " + c.Help}, nil
	}
	names := make([]string, 0, len(bindings))
	for _, b := range bindings {
		names = append(names, b.Name)
	}
	return key, binding{}, fmt.Errorf("there is no action %q; there are %s, a command such as /model, and none", u.Action,
		strings.Join(names, ", "))
}

// yourOwn is the group of keys that the user gave to commands.
const yourOwn = "your own"

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
			return "", fmt.Errorf("%q is not a key: unknown modifier %s (use %s)", s, mod, strings.Join(keyModifiers, ", "))
		}
		mods, base = append(mods, mod), rest
	}
	named := slices.Contains(keyNames, base)
	if !named && utf8.RuneCountInString(base) != 1 {
		return "", fmt.Errorf("%q is not a key: write it like ctrl+k, alt+enter or f5", s)
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

// Key returns the first key that does something, "" if none does.
func (km *Map) Key(a Action) string {
	for _, b := range km.Rows {
		if b.Act == a && b.edit == nil && len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

// KeyOf returns the first key that runs a command, "" if none does.
func (km *Map) KeyOf(command string) string {
	for _, b := range km.Rows {
		if b.Name == "/"+command && len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

// All returns the keys that do something.
func (km *Map) All(a Action) (keys []string) {
	for _, b := range km.Rows {
		if b.Act == a && b.edit == nil {
			keys = append(keys, b.Keys...)
		}
	}
	return keys
}

// Hint is the key of an action, to be said behind something else; "" if it has none.
func (km *Map) Hint(a Action) string {
	if k := km.Key(a); k != "" {
		return " · " + k
	}
	return ""
}

// Newline is the key that makes a new line; some work only where the terminal tells them from enter.
func (km *Map) Newline(kitty bool) string {
	for _, b := range km.Rows {
		if b.Name != "newline" {
			continue
		}
		for _, k := range b.Keys {
			if kitty || k != "shift+enter" && k != "alt+enter" {
				return k
			}
		}
		if len(b.Keys) > 0 {
			return b.Keys[0]
		}
	}
	return ""
}

// Help says which key shows the keys.
func (km *Map) Help() string {
	if km.Acts["?"].Command == "help" {
		return "? keys"
	}
	return strings.TrimPrefix(km.KeyOf("help")+" keys", " ")
}

// Bound reports whether a key does something in the chat.
func (km *Map) Bound(key string) bool {
	return km.Acts[key].Act != None || km.Edits[key] != nil
}
