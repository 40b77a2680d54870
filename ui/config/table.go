package config

import (
	"slices"
	"strings"

	"parley/internal/nearest"
	"parley/ui/core"
)

// entry is a setting that people change.
type entry struct {
	key, name, about string
	now              bool     // it can be applied to what is shown
	usual            []string // what to choose from where any text is allowed
	group            string
}

// The groups of settings.
const (
	groupNew   = "New sessions"
	groupLook  = "Look"
	groupKeys  = "Keys and mouse"
	groupNews  = "News"
	fileRow    = "file"
	bindingRow = "ui.bindings"
)

// entries are the settings that the list shows, in its order.
var entries = []entry{
	{key: "agent", name: "Agent", about: "who answers", group: groupNew},
	{key: "model", name: "Model", about: "default: what the agent chooses", group: groupNew},
	{key: "effort", name: "Effort", about: "how much the model thinks", usual: []string{"low", "medium", "high"}, group: groupNew},
	{key: "permission_mode", name: "Permission mode", about: "what may happen without asking", group: groupNew},
	{key: "ui.session_titles", name: "Session titles", about: "give each session a short title after its first answer", group: groupNew},
	{key: "theme", name: "Theme", about: "enter or /theme tries them out", now: true, usual: themeNames(), group: groupLook},
	{key: "screen", name: "Screen", about: "the whole window, inline in the scrollback, or plain lines", group: groupLook},
	{key: "ui.colors", name: "Colors", about: "how many colors the terminal has", group: groupLook},
	{key: "ui.motion", name: "Motion", about: "reduced stops spinners and blinking", group: groupLook},
	{key: "ui.diff_split", name: "Side by side", about: "show changes side by side in wide windows", now: true, group: groupLook},
	{key: "ui.group_tools", name: "Group reads", about: "show several reads or searches as one row", group: groupLook},
	{key: "ui.status_line", name: "Status line", about: "run the status line command of Claude Code's settings", group: groupLook},
	{key: "ui.keys", name: "Keys", about: "the composer's keys: emacs, or vim with its modes", now: true, group: groupKeys},
	{key: "ui.enter_steers", name: "Enter steers", about: "while the agent works, enter sends into the turn", group: groupKeys},
	{key: bindingRow, name: "Key bindings", about: "your own keys; /help lists all", group: groupKeys},
	{key: "ui.mouse", name: "Mouse", about: "the wheel scrolls, a click folds, a drag selects", now: true, group: groupKeys},
	{key: "ui.copy_on_select", name: "Copy on select", about: "copy when the mouse button is released", group: groupKeys},
	{key: "editor", name: "Editor", about: "what ctrl+g opens; default: VISUAL, EDITOR, vi", group: groupKeys},
	{key: "ui.notify", name: "Notifications", about: "of questions and ends of long turns", now: true, group: groupNews},
	{key: "ui.notify_after", name: "Notify after", about: "how long such a turn runs at least", now: true, usual: []string{"0s", "10s", "30s", "1m", "5m"}, group: groupNews},
	{key: "ui.title", name: "Window title", about: "show topic and state in the window's title", now: true, group: groupNews},
	{key: "ui.progress", name: "Progress", about: "show progress in the taskbar or tab", now: true, group: groupNews},
}

// sentence describes the setting, and says when a change takes effect if that is not at once.
func (e *entry) sentence() string {
	text := strings.ToUpper(e.about[:1]) + e.about[1:]
	if !e.now {
		text += ". Changes take effect when parley starts next"
	}
	return text
}

// find returns what is known of a setting by its key, also without "ui.", or by its name; false if the user has none like it.
func find(all []core.Setting, word string) (core.Setting, entry, bool) {
	word = strings.ToLower(word)
	for _, s := range all {
		i := slices.IndexFunc(entries, func(e entry) bool { return e.key == s.Key })
		e := entry{key: s.Key, name: s.Key}
		if i >= 0 {
			e = entries[i]
		}
		if s.Key == word || strings.TrimPrefix(s.Key, "ui.") == word || strings.ReplaceAll(strings.ToLower(e.name), " ", "_") == word {
			return s, e, true
		}
	}
	return core.Setting{}, entry{}, false
}

// near returns the key that a word probably means, "" for none.
func near(all []core.Setting, word string) string {
	var names []string
	for _, s := range all {
		names = append(names, strings.TrimPrefix(s.Key, "ui."))
	}
	return nearest.Of(word, names)
}

// choices returns what a setting can be, nil where any text is allowed and nothing is usual.
func (e *entry) choices(s core.Setting) []string {
	if s.Values != nil {
		return s.Values
	}
	all := slices.Clone(e.usual)
	if len(all) > 0 && !slices.Contains(all, s.Value) {
		all = append(all, s.Value)
	}
	return all
}
