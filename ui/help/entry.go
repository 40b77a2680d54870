package help

import (
	"slices"
	"strings"

	"parley/ui/keymap"
	"parley/ui/style"
)

// entry is one command or key with its description, under a heading.
type entry struct {
	group, left, right string
	// name is what its brief words are listed by, one is the first of its keys or the command without arguments.
	name, one string
}

// writtenGroup is the heading of what is written at the start of a word.
const writtenGroup = "at the start of a word"

// basic reports whether a group is for the first day. The descriptions of others step back.
func basic(group string) bool { return group == everyday || group == writtenGroup }

// brief returns the description where there is little room.
func (e entry) brief() string { return keymap.Brief(e.name, e.right) }

// entries returns what matches the filter: the keys of every day, the commands, the other keys, those of editing last.
func (m *Model) entries() []entry {
	var all []entry
	key := func(group string, keys []string, name, help string) entry {
		return entry{group: group, left: strings.Join(keys, " "), right: help, name: name, one: keys[0]}
	}
	written := func(group, text, help string) {
		all = append(all, entry{group: group, left: text, right: help, name: text, one: text})
	}
	for _, name := range keymap.Everyday {
		for _, b := range m.keys.Rows {
			if b.Name == name && len(b.Keys) > 0 {
				all = append(all, key(everyday, b.Keys, b.Name, b.Help))
			}
		}
	}
	for _, w := range keymap.Written {
		written(writtenGroup, w.Text, w.Help)
	}
	all = append(all, m.commands()...)
	if m.keys.Vim {
		for _, k := range keymap.VimRows {
			written("in vim's normal mode", k.Text, k.Help)
		}
	}
	var editing []entry
	for _, b := range m.keys.Rows {
		switch {
		case len(b.Keys) == 0, slices.Contains(keymap.Everyday, b.Name):
		case b.Group == "editing":
			editing = append(editing, key(b.Group, b.Keys, b.Name, b.Help))
		default:
			all = append(all, key(b.Group, b.Keys, b.Name, b.Help))
		}
	}
	all = append(all, editing...)
	words := strings.Fields(strings.ToLower(m.filter.String()))
	return slices.DeleteFunc(all, func(e entry) bool {
		text := strings.ToLower(e.group + " " + e.left + " " + e.right)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

// everyday is the heading of the keys that people use every day.
const everyday = "every day"

// commandGroup is the heading of the commands.
const commandGroup = "commands"

// agentGroup is the heading of the commands that the agent adds.
const agentGroup = "the agent's commands"

// commands returns the commands of parley, then what the agent adds.
func (m *Model) commands() (all []entry) {
	for _, c := range keymap.Commands {
		all = append(all, entry{group: commandGroup, left: c.Usage(), right: c.Help, name: "/" + c.Name, one: "/" + c.Name})
	}
	for _, c := range m.agent {
		if slices.ContainsFunc(keymap.Commands, func(ours keymap.Slash) bool { return ours.Name == c.Name }) {
			continue
		}
		text := style.VisibleLine
		name := text("/" + c.Name)
		all = append(all, entry{group: agentGroup, left: strings.TrimSpace(name + " " + text(c.Arguments)), right: text(c.About), name: name, one: name})
	}
	return all
}
