package inventory

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
)

// Off is what is off in one session, besides what its owners have switched off.
type Off []Ref

// Ref names an item: its kind, its name, its file or folder, and for a plugin of another program how that switches it.
type Ref struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"`
	From string `json:"from"`
	Key  string `json:"key,omitempty"`
}

// OffHere is why an item is off that is switched off for its session.
const OffHere = "switched off for this session"

// Has reports whether an item is off, itself or with its plugin.
func (o Off) Has(kind Kind, name, from string) bool {
	return slices.ContainsFunc(o, func(r Ref) bool {
		return r.Kind == kind && r.Name == name && r.From == from || r.Kind == Plugin && (from == r.From || strings.HasPrefix(from, r.From+string(filepath.Separator)))
	})
}

// Names returns the names of the items of some kinds that are off themselves.
func (o Off) Names(of ...Kind) (names []string) {
	for _, r := range o {
		if slices.Contains(of, r.Kind) {
			names = append(names, r.Name)
		}
	}
	return names
}

// Keys returns how their owners switch the plugins of other programs that are off.
func (o Off) Keys() (keys []string) {
	for _, r := range o {
		if r.Kind == Plugin && r.Key != "" {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// Folders returns the folders of plugins that are not off.
func (o Off) Folders(dirs []string) (out []string) {
	for _, dir := range dirs {
		if !o.Has(Plugin, "", dir) {
			out = append(out, dir)
		}
	}
	return out
}

// Switched returns what is off once an item is switched.
func (o Off) Switched(i Item, on bool) Off {
	at := Ref{i.Kind, i.Name, i.From, ""}
	if i.Kind == Plugin {
		at.Key = i.Key
	}
	out := slices.DeleteFunc(slices.Clone(o), func(r Ref) bool { return r.Kind == at.Kind && r.Name == at.Name && r.From == at.From })
	if !on {
		out = append(out, at)
	}
	return out
}

// Mark marks the items that are off.
func (o Off) Mark(items []Item) {
	for n := range items {
		if i := &items[n]; i.On && o.Has(i.Kind, i.Name, i.From) {
			i.On, i.Why, i.Start = false, OffHere, 0
		}
	}
}

// Here switches items for single sessions.
type Here interface {
	// OffIn returns what is off in a session. It reads a file.
	OffIn(id session.ID) Off
	// SwitchIn switches a plugin, a skill, a command or an MCP server for a session of an agent. It holds for that session only, also when
	// it is resumed. What its agent cannot have switched is an error of kind [session.KindUnsupported].
	SwitchIn(id session.ID, agent string, i Item, on bool) error
}
