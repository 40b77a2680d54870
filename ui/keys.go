package ui

import (
	"fmt"
	"strings"
)

// action is something a key does. The table below is the only place that ties keys to actions; the help screen is made
// from it.
type action uint8

const (
	actNone action = iota
	actSend
	actInterrupt
	actCtrlC
	actLeave
	actSuspend
	actEditor
	actRedraw
	actMode
	actHelp
	actFold
	actFoldUp
	actFoldDown
	actPageUp
	actPageDown
	actTop
	actBottom
	actSteer
	actTasks
	actOpen
	actTrust
)

// binding is one row of the key table.
type binding struct {
	keys []string
	act  action
	// group and help are the heading and the words of the help screen; without help the row is not shown there.
	group, help string
	// composer says that the key is handled by the composer itself; the row is there for the help screen only.
	composer bool
}

// bindings are the keys of the chat screen. Pickers and prompts show their own keys where they work.
var bindings = []binding{
	{keys: []string{"enter"}, act: actSend, group: "writing", help: "send; while the agent works, queue"},
	{keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, group: "writing", help: "new line", composer: true},
	{keys: []string{"up", "down"}, group: "writing", help: "earlier and later prompts; up takes a queued one back", composer: true},
	{keys: []string{"ctrl+g"}, act: actEditor, group: "writing", help: "write in your editor"},
	{keys: []string{"ctrl+w", "ctrl+u", "ctrl+k", "ctrl+y"}, group: "writing", help: "cut the word, to the start, to the end; paste it", composer: true},
	{keys: []string{"ctrl+_", "alt+_"}, group: "writing", help: "undo, redo", composer: true},
	{keys: []string{"ctrl+o"}, group: "writing", help: "open a folded paste", composer: true},
	{keys: []string{"/"}, group: "writing", help: "commands; // sends a slash", composer: true},

	{keys: []string{"esc"}, act: actInterrupt, group: "the agent", help: "interrupt; twice clears what you wrote"},
	{keys: []string{"ctrl+s", "ctrl+enter"}, act: actSteer, group: "the agent", help: "send into the running turn, where the agent can take it"},
	{keys: []string{"shift+tab"}, act: actMode, group: "the agent", help: "next permission mode"},
	{keys: []string{"ctrl+t"}, act: actTasks, group: "the agent", help: "open or fold the task list"},
	{keys: []string{"f2"}, act: actTrust, group: "the agent", help: "decide about what the directory brings along"},

	{keys: []string{"tab"}, act: actFold, group: "reading", help: "open or fold the marked row"},
	{keys: []string{"ctrl+x"}, act: actOpen, group: "reading", help: "open the marked agent on the whole screen; esc goes back"},
	{keys: []string{"ctrl+up"}, act: actFoldUp, group: "reading", help: "mark the row before"},
	{keys: []string{"ctrl+down"}, act: actFoldDown, group: "reading", help: "mark the row after"},
	{keys: []string{"pgup"}, act: actPageUp, group: "reading", help: "scroll up"},
	{keys: []string{"pgdown"}, act: actPageDown, group: "reading", help: "scroll down"},
	{keys: []string{"ctrl+home"}, act: actTop, group: "reading", help: "to the beginning; home when nothing is written"},
	{keys: []string{"ctrl+end"}, act: actBottom, group: "reading", help: "to the end, and follow it; end when nothing is written"},

	{keys: []string{"?", "f1"}, act: actHelp, group: "parley", help: "this help; ? when nothing is written"},
	{keys: []string{"ctrl+l"}, act: actRedraw, group: "parley", help: "draw the screen anew"},
	{keys: []string{"ctrl+z"}, act: actSuspend, group: "parley", help: "suspend"},
	{keys: []string{"ctrl+c"}, act: actCtrlC, group: "parley", help: "clear or interrupt; twice leaves"},
	{keys: []string{"ctrl+d"}, act: actLeave, group: "parley", help: "leave, when nothing is written"},
}

// chatKeys finds the action of a key.
var chatKeys = func() map[string]action {
	m := make(map[string]action)
	for _, b := range bindings {
		if b.composer {
			continue
		}
		for _, k := range b.keys {
			m[k] = b.act
		}
	}
	return m
}()

// KeysMarkdown is the key table as markdown, for the documentation.
func KeysMarkdown() string {
	var b strings.Builder
	group := ""
	for _, k := range bindings {
		if k.help == "" {
			continue
		}
		if k.group != group {
			group = k.group
			fmt.Fprintf(&b, "\n### %s\n\n| key | what it does |\n| --- | --- |\n", capital(group))
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.Join(k.keys, "` `"), k.help)
	}
	b.WriteString("\n### Commands\n\n| command | what it does |\n| --- | --- |\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.usage(), c.help)
	}
	return strings.TrimPrefix(b.String(), "\n")
}
