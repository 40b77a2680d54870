package ui

import (
	"fmt"
	"strings"

	"parley/ui/compose"
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
	actAnswer
	actPalette
	actImage
	actFork
	actSearch
	actCommand
	actFind
	actCopyAnswer
	actCopyCode
	actSelect
	actTurnUp
	actTurnDown
	actFresh
	actFoldAll
	actTimes
	actMouse
)

// binding is one row of the key table: something that keys do.
type binding struct {
	// name is what the configuration calls it.
	name string
	keys []string
	// act is what the chat does; edit is what the field does instead, for the rows of the composer.
	act  action
	edit func(c *compose.Composer)
	// group and help are the heading and the words of the help screen.
	group, help string
	// empty says that the keys do this only while nothing is written; otherwise they are the composer's.
	empty bool
}

// bindings are the keys of the chat screen. Pickers and prompts show their own keys where they work.
var bindings = []binding{
	{name: "send", keys: []string{"enter"}, act: actSend, group: "the prompt", help: "send; while the agent works, queue"},
	{name: "steer", keys: []string{"ctrl+s", "ctrl+enter"}, act: actSteer, group: "the prompt", help: "send into the running turn, where the agent can take it"},
	{name: "newline", keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, edit: (*compose.Composer).Newline, group: "the prompt", help: "new line"},
	{name: "editor", keys: []string{"ctrl+g"}, act: actEditor, group: "the prompt", help: "write in your editor"},
	{name: "search", keys: []string{"ctrl+r"}, act: actSearch, group: "the prompt", help: "search the prompts of all sessions"},
	{name: "image", keys: []string{"ctrl+v"}, act: actImage, group: "the prompt", help: "put the image on the clipboard in; a dropped image file goes in by itself"},
	{name: "unfold", keys: []string{"ctrl+o"}, edit: func(c *compose.Composer) { c.Unfold() }, group: "the prompt", help: "open a folded paste"},

	{name: "up", keys: []string{"up", "ctrl+p"}, edit: (*compose.Composer).Up, group: "moving and changing", help: "a row up; at the top the prompt before. When nothing is written, up takes a queued prompt back"},
	{name: "down", keys: []string{"down", "ctrl+n"}, edit: (*compose.Composer).Down, group: "moving and changing", help: "a row down; at the end the prompt after"},
	{name: "left", keys: []string{"left", "ctrl+b"}, edit: (*compose.Composer).Left, group: "moving and changing", help: "a character to the left"},
	{name: "right", keys: []string{"right"}, edit: (*compose.Composer).Right, group: "moving and changing", help: "a character to the right"},
	{name: "word-left", keys: []string{"alt+b", "ctrl+left", "alt+left"}, edit: (*compose.Composer).WordLeft, group: "moving and changing", help: "a word to the left"},
	{name: "word-right", keys: []string{"alt+f", "ctrl+right", "alt+right"}, edit: (*compose.Composer).WordRight, group: "moving and changing", help: "a word to the right"},
	{name: "line-start", keys: []string{"ctrl+a", "home"}, edit: (*compose.Composer).Home, group: "moving and changing", help: "to the start of the line"},
	{name: "line-end", keys: []string{"ctrl+e", "end"}, edit: (*compose.Composer).End, group: "moving and changing", help: "to the end of the line"},
	{name: "text-start", keys: []string{"alt+<"}, edit: (*compose.Composer).Start, group: "moving and changing", help: "to the start of what is written"},
	{name: "text-end", keys: []string{"alt+>"}, edit: (*compose.Composer).Finish, group: "moving and changing", help: "to the end of what is written"},
	{name: "erase-left", keys: []string{"backspace", "ctrl+h"}, edit: (*compose.Composer).Backspace, group: "moving and changing", help: "remove the character to the left"},
	{name: "erase-right", keys: []string{"delete", "ctrl+d"}, edit: (*compose.Composer).DeleteForward, group: "moving and changing", help: "remove the character to the right"},
	{name: "cut-word-left", keys: []string{"ctrl+w", "alt+backspace"}, edit: (*compose.Composer).KillWordBack, group: "moving and changing", help: "cut the word to the left"},
	{name: "cut-word-right", keys: []string{"alt+d"}, edit: (*compose.Composer).KillWordForward, group: "moving and changing", help: "cut the word to the right"},
	{name: "cut-to-start", keys: []string{"ctrl+u"}, edit: (*compose.Composer).KillToStart, group: "moving and changing", help: "cut to the start of the line"},
	{name: "cut-to-end", keys: []string{"ctrl+k"}, edit: (*compose.Composer).KillLine, group: "moving and changing", help: "cut to the end of the line"},
	{name: "put", keys: []string{"ctrl+y"}, edit: (*compose.Composer).Yank, group: "moving and changing", help: "put in what was cut last"},
	{name: "put-older", keys: []string{"alt+y"}, edit: (*compose.Composer).YankPop, group: "moving and changing", help: "put in what was cut before that instead"},
	{name: "undo", keys: []string{"ctrl+_", "ctrl+/"}, edit: func(c *compose.Composer) { c.Undo() }, group: "moving and changing", help: "undo"},
	{name: "redo", keys: []string{"alt+_", "alt+/"}, edit: func(c *compose.Composer) { c.Redo() }, group: "moving and changing", help: "redo"},
	{name: "upper-word", keys: []string{"alt+u"}, edit: (*compose.Composer).UpperWord, group: "moving and changing", help: "the word in capitals"},
	{name: "lower-word", keys: []string{"alt+l"}, edit: (*compose.Composer).LowerWord, group: "moving and changing", help: "the word in small letters"},
	{name: "title-word", keys: []string{"alt+c"}, edit: (*compose.Composer).TitleWord, group: "moving and changing", help: "the word with a capital"},
	{name: "transpose", keys: []string{"alt+t"}, edit: (*compose.Composer).Transpose, group: "moving and changing", help: "exchange the characters around the cursor"},

	{name: "interrupt", keys: []string{"esc"}, act: actInterrupt, group: "the agent", help: "interrupt; twice clears what you wrote"},
	{name: "mode", keys: []string{"shift+tab"}, act: actMode, group: "the agent", help: "next permission mode"},
	{name: "tasks", keys: []string{"ctrl+t"}, act: actTasks, group: "the agent", help: "open or fold the task list"},
	{name: "fork", keys: []string{"alt+r"}, act: actFork, group: "the agent", help: "go on in a copy of this session, from the turn at the top of the screen or another"},
	{name: "answer", keys: []string{"f2", "alt+q"}, act: actAnswer, group: "the agent", help: "give the question the keyboard, or take it back"},

	{name: "fold", keys: []string{"tab"}, act: actFold, group: "reading", help: "open or fold the marked row"},
	{name: "open", keys: []string{"ctrl+x"}, act: actOpen, group: "reading", help: "open the marked agent on the whole screen; esc goes back"},
	{name: "mark-up", keys: []string{"ctrl+up"}, act: actFoldUp, group: "reading", help: "mark the row before"},
	{name: "mark-down", keys: []string{"ctrl+down"}, act: actFoldDown, group: "reading", help: "mark the row after"},
	{name: "page-up", keys: []string{"pgup"}, act: actPageUp, group: "reading", help: "scroll up"},
	{name: "page-down", keys: []string{"pgdown"}, act: actPageDown, group: "reading", help: "scroll down"},
	{name: "top", keys: []string{"ctrl+home"}, act: actTop, group: "reading", help: "to the beginning; home when nothing is written"},
	{name: "bottom", keys: []string{"ctrl+end"}, act: actBottom, group: "reading", help: "to the end, and follow it; end when nothing is written"},
	{name: "turn-up", keys: []string{"alt+up"}, act: actTurnUp, group: "reading", help: "to the prompt before"},
	{name: "turn-down", keys: []string{"alt+down"}, act: actTurnDown, group: "reading", help: "to the next prompt"},
	{name: "new", keys: []string{"alt+end"}, act: actFresh, group: "reading", help: "to what came since you left the end"},
	{name: "fold-all", keys: []string{"alt+a"}, act: actFoldAll, group: "reading", help: "open or fold everything"},
	{name: "times", keys: []string{"alt+i"}, act: actTimes, group: "reading", help: "show or hide when things were and how long they took"},
	{name: "find", keys: []string{"ctrl+f"}, act: actFind, group: "reading", help: "find in the conversation, in what is folded too"},

	{name: "copy-answer", keys: []string{"alt+w"}, act: actCopyAnswer, group: "copying", help: "copy the last answer on the screen as markdown"},
	{name: "copy-code", keys: []string{"alt+k"}, act: actCopyCode, group: "copying", help: "copy its code block, or pick one of several"},
	{name: "select", keys: []string{"alt+s"}, act: actSelect, group: "copying", help: "select by keyboard, with the keys of vim"},
	{name: "mouse", keys: []string{"alt+m"}, act: actMouse, group: "copying", help: "leave the mouse to the terminal, or take it back"},

	{name: "palette", keys: []string{"alt+x", "ctrl+shift+p"}, act: actPalette, group: "parley", help: "find a command or a key by its name"},
	{name: "palette-empty", keys: []string{"ctrl+k"}, act: actPalette, empty: true, group: "parley", help: "the same, when nothing is written"},
	{name: "help", keys: []string{"f1"}, act: actHelp, group: "parley", help: "this help"},
	{name: "help-empty", keys: []string{"?"}, act: actHelp, empty: true, group: "parley", help: "the same, when nothing is written"},
	{name: "redraw", keys: []string{"ctrl+l"}, act: actRedraw, group: "parley", help: "draw the screen anew"},
	{name: "suspend", keys: []string{"ctrl+z"}, act: actSuspend, group: "parley", help: "suspend"},
	{name: "stop", keys: []string{"ctrl+c"}, act: actCtrlC, group: "parley", help: "clear or interrupt; twice leaves"},
	{name: "leave", keys: []string{"ctrl+d"}, act: actLeave, empty: true, group: "parley", help: "leave, when nothing is written"},
}

// written is what means something at the beginning of a prompt, or as all of it, for the help screen.
var written = []struct{ text, help string }{
	{"/", "commands; // sends a slash"},
	{"@", "files and directories; @path:10-20 is lines of a file"},
	{"!", "a command for your own shell; what it writes goes along with the next prompt. !! sends an exclamation mark"},
	{strings.Join(leavingWords, " "), "alone: leave"},
}

// vimRows are the keys of vim's normal mode that are about more than what is written, for the help screen.
var vimRows = []struct{ text, help string }{
	{"/", "find in the conversation"},
	{"n N", "to the match before and after, of what was looked for last"},
	{"ctrl+u ctrl+d", "half a page up and down"},
	{"G", "to the end, when nothing is written"},
	{":", "find a command or a key by its name"},
	{"?", "this help, when nothing is written"},
}

// AsksMarkdown is the rule of who has the keyboard while a question is open, for the documentation.
func AsksMarkdown() string {
	km, _ := newKeymap(nil)
	chords := "`" + strings.Join(km.all(actAnswer), "` or `") + "`"
	return fmt.Sprintf(`The question stands above the prompt, with the safe answer selected. What you type is text unless the question has the
keyboard, and then the screen shows a %s before the selected answer. It has the keyboard

- when you gave it: %s gives it, and takes it back;
- with nothing written, after it was on the terminal for %d ms without any key.

While anything is written, nothing but %s gives the keyboard away. A letter selects its answer and takes effect after %d ms
or with %s, unless any other printable key comes first: then all of it was typing, goes to the prompt whole, and nothing is
answered. Digits and arrows only select; %s answers. A click on an answer counts after the same %d ms.
`, "`❯`", chords, askSettle.Milliseconds(), chords, askConfirm.Milliseconds(), "`enter`", "`enter`", askSettle.Milliseconds())
}

// KeysMarkdown is the key table as markdown, for the documentation.
func KeysMarkdown() string {
	var b strings.Builder
	group := ""
	for _, k := range bindings {
		if k.group != group {
			group = k.group
			fmt.Fprintf(&b, "\n### %s\n\n| key | what it does | name |\n| --- | --- | --- |\n", capital(group))
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", strings.Join(k.keys, "` `"), k.help, k.name)
	}
	b.WriteString("\n### At the beginning of a word\n\n| written | what it does |\n| --- | --- |\n")
	for _, w := range written {
		fmt.Fprintf(&b, "| `%s` | %s |\n", w.text, w.help)
	}
	b.WriteString("\n### In the normal mode of vim's keys\n\n| key | what it does |\n| --- | --- |\n")
	for _, k := range vimRows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(k.text, " ", "` `"), k.help)
	}
	b.WriteString("\n### Commands\n\n| command | what it does |\n| --- | --- |\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.usage(), c.help)
	}
	return strings.TrimPrefix(b.String(), "\n")
}
