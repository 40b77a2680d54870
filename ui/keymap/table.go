package keymap

import (
	"fmt"
	"strings"

	"parley/ui/style"
	"parley/ui/textarea"
)

// Action is something a key does. The table below is the only place that ties keys to actions; the help screen is made
// from it.
type Action uint8

// The actions of the chat; the table says what each does.
const (
	None Action = iota
	Send
	Interrupt
	Stop
	Leave
	Suspend
	Editor
	Redraw
	Mode
	Fold
	FoldUp
	FoldDown
	PageUp
	PageDown
	Top
	Bottom
	Steer
	Tasks
	Open
	Answer
	Image
	Fork
	Search
	RunCommand
	Find
	CopyAnswer
	CopyCode
	Select
	TurnUp
	TurnDown
	Fresh
	FoldAll
	Times
	Split
	Mouse
	Background
	Tab
)

// binding is one row of the key table: something that keys do.
type binding struct {
	// Name is what the configuration calls it.
	Name string
	Keys []string
	// Act is what the chat does; edit is what the field does instead, for the rows of the composer.
	Act  Action
	edit func(c *textarea.Composer)
	// Group and help are the heading and the words of the help screen.
	Group, Help string
	// Empty means that the keys do this only while nothing is written; otherwise they are the composer's.
	Empty bool
}

func move(m textarea.Motion) func(*textarea.Composer) {
	return func(c *textarea.Composer) { c.Move(m) }
}

func erase(m textarea.Motion) func(*textarea.Composer) {
	return func(c *textarea.Composer) { c.Delete(m) }
}

func kill(m textarea.Motion) func(*textarea.Composer) {
	return func(c *textarea.Composer) { c.Kill(m) }
}

func changeCase(rewrite func(string) string) func(*textarea.Composer) {
	return func(c *textarea.Composer) { c.ChangeCase(rewrite) }
}

// bindings are the keys of the chat screen, those of commands at the end of their groups. Lists and questions show their own keys
// where they work.
var bindings = withCommands(chatBindings)

// withCommands returns rows with those of the commands.
func withCommands(rows []binding) (all []binding) {
	for i, b := range rows {
		all = append(all, b)
		if i+1 < len(rows) && rows[i+1].Group == b.Group {
			continue
		}
		for _, c := range Commands {
			if c.group == b.Group {
				all = append(all, c.rows()...)
			}
		}
	}
	return all
}

// oldNames are the names that rows had before; a configuration may still use them.
var oldNames = map[string]string{"jobs": "/background", "background": "to-background", "browse": "/browse", "changes": "/changes",
	"palette": "/palette", "palette-empty": "/palette" + emptyRow, "help": "/help", "help-empty": "/help" + emptyRow}

// chatBindings are the rows of the table without the commands.
var chatBindings = []binding{
	{Name: "send", Keys: []string{"enter"}, Act: Send, Group: "the prompt", Help: "send; queue while the agent works"},
	{Name: "steer", Keys: []string{"ctrl+s", "ctrl+enter"}, Act: Steer, Group: "the prompt", Help: "send into the running turn, if the agent can take it"},
	{Name: "newline", Keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, edit: (*textarea.Composer).Newline, Group: "the prompt", Help: "new line"},
	{Name: "editor", Keys: []string{"ctrl+g"}, Act: Editor, Group: "the prompt", Help: "write in your editor"},
	{Name: "search", Keys: []string{"ctrl+r"}, Act: Search, Group: "the prompt", Help: "search your past prompts"},
	{Name: "image", Keys: []string{"ctrl+v"}, Act: Image, Group: "the prompt", Help: "paste an image; you can also drag an image file in"},
	{Name: "unfold", Keys: []string{"ctrl+o"}, edit: func(c *textarea.Composer) { c.Unfold() }, Group: "the prompt", Help: "expand a folded paste"},

	{Name: "up", Keys: []string{"up", "ctrl+p"}, edit: (*textarea.Composer).Up, Group: "editing", Help: "up a row; at the top, the previous prompt. On an empty line, take back a queued prompt"},
	{Name: "down", Keys: []string{"down", "ctrl+n"}, edit: (*textarea.Composer).Down, Group: "editing", Help: "down a row; at the end, the next prompt"},
	{Name: "left", Keys: []string{"left", "ctrl+b"}, edit: move(textarea.CharLeft), Group: "editing", Help: "left a character"},
	{Name: "right", Keys: []string{"right"}, edit: move(textarea.CharRight), Group: "editing", Help: "right a character"},
	{Name: "word-left", Keys: []string{"alt+b", "ctrl+left", "alt+left"}, edit: move(textarea.WordLeft), Group: "editing", Help: "left a word"},
	{Name: "word-right", Keys: []string{"alt+f", "ctrl+right", "alt+right"}, edit: move(textarea.WordRight), Group: "editing", Help: "right a word"},
	{Name: "line-start", Keys: []string{"ctrl+a", "home"}, edit: move(textarea.LineStart), Group: "editing", Help: "to the start of the line"},
	{Name: "line-end", Keys: []string{"ctrl+e", "end"}, edit: move(textarea.LineEnd), Group: "editing", Help: "to the end of the line"},
	{Name: "text-start", Keys: []string{"alt+<"}, edit: move(textarea.TextStart), Group: "editing", Help: "to the start of the prompt"},
	{Name: "text-end", Keys: []string{"alt+>"}, edit: move(textarea.TextEnd), Group: "editing", Help: "to the end of the prompt"},
	{Name: "erase-left", Keys: []string{"backspace", "ctrl+h"}, edit: erase(textarea.CharLeft), Group: "editing", Help: "delete the character to the left"},
	{Name: "erase-right", Keys: []string{"delete", "ctrl+d"}, edit: erase(textarea.CharRight), Group: "editing", Help: "delete the character to the right"},
	{Name: "cut-word-left", Keys: []string{"ctrl+w", "alt+backspace"}, edit: kill(textarea.WordLeft), Group: "editing", Help: "cut the word to the left"},
	{Name: "cut-word-right", Keys: []string{"alt+d"}, edit: kill(textarea.WordRight), Group: "editing", Help: "cut the word to the right"},
	{Name: "cut-to-start", Keys: []string{"ctrl+u"}, edit: kill(textarea.LineStart), Group: "editing", Help: "cut to the start of the line"},
	{Name: "cut-to-end", Keys: []string{"ctrl+k"}, edit: kill(textarea.LineEnd), Group: "editing", Help: "cut to the end of the line"},
	{Name: "put", Keys: []string{"ctrl+y"}, edit: (*textarea.Composer).Yank, Group: "editing", Help: "paste the last cut"},
	{Name: "put-older", Keys: []string{"alt+y"}, edit: (*textarea.Composer).YankPop, Group: "editing", Help: "replace it with the cut before"},
	{Name: "undo", Keys: []string{"ctrl+_", "ctrl+/"}, edit: func(c *textarea.Composer) { c.Undo() }, Group: "editing", Help: "undo"},
	{Name: "redo", Keys: []string{"alt+_", "alt+/"}, edit: func(c *textarea.Composer) { c.Redo() }, Group: "editing", Help: "redo"},
	{Name: "upper-word", Keys: []string{"alt+u"}, edit: changeCase(textarea.Upper), Group: "editing", Help: "uppercase the word"},
	{Name: "lower-word", Keys: []string{"alt+l"}, edit: changeCase(textarea.Lower), Group: "editing", Help: "lowercase the word"},
	{Name: "title-word", Keys: []string{"alt+c"}, edit: changeCase(textarea.Title), Group: "editing", Help: "capitalize the word"},
	{Name: "transpose", Keys: []string{"alt+t"}, edit: (*textarea.Composer).Transpose, Group: "editing", Help: "swap the characters around the cursor"},

	{Name: "interrupt", Keys: []string{"esc"}, Act: Interrupt, Group: "the agent", Help: "interrupt; twice: clear the prompt, or rewind"},
	{Name: "mode", Keys: []string{"shift+tab"}, Act: Mode, Group: "the agent", Help: "next permission mode"},
	{Name: "tasks", Keys: []string{"ctrl+t"}, Act: Tasks, Group: "the agent", Help: "expand or fold the task list"},
	{Name: "to-background", Keys: []string{"ctrl+b"}, Act: Background, Empty: true, Group: "the agent", Help: "send what runs to the background, on an empty line"},
	{Name: "fork", Keys: []string{"alt+r"}, Act: Fork, Group: "the agent", Help: "fork this session from a turn"},
	{Name: "answer", Keys: []string{"f2", "alt+q"}, Act: Answer, Group: "the agent", Help: "answer the question, or go back to writing"},

	{Name: "fold", Keys: []string{"tab"}, Act: Fold, Group: "reading", Help: "expand or fold the marked row"},
	{Name: "open", Keys: []string{"ctrl+x"}, Act: Open, Group: "reading", Help: "open the marked subagent; esc to go back"},
	{Name: "mark-up", Keys: []string{"ctrl+up"}, Act: FoldUp, Group: "reading", Help: "mark the previous row"},
	{Name: "mark-down", Keys: []string{"ctrl+down"}, Act: FoldDown, Group: "reading", Help: "mark the next row"},
	{Name: "page-up", Keys: []string{"pgup"}, Act: PageUp, Group: "reading", Help: "scroll up"},
	{Name: "page-down", Keys: []string{"pgdown"}, Act: PageDown, Group: "reading", Help: "scroll down"},
	{Name: "top", Keys: []string{"ctrl+home"}, Act: Top, Group: "reading", Help: "to the start; home on an empty line"},
	{Name: "bottom", Keys: []string{"ctrl+end"}, Act: Bottom, Group: "reading", Help: "to the end, and follow it; end on an empty line"},
	{Name: "turn-up", Keys: []string{"alt+up"}, Act: TurnUp, Group: "reading", Help: "to the previous prompt"},
	{Name: "turn-down", Keys: []string{"alt+down"}, Act: TurnDown, Group: "reading", Help: "to the next prompt"},
	{Name: "new", Keys: []string{"alt+end"}, Act: Fresh, Group: "reading", Help: "to what is new"},
	{Name: "fold-all", Keys: []string{"alt+a"}, Act: FoldAll, Group: "reading", Help: "expand or fold everything"},
	{Name: "times", Keys: []string{"alt+i"}, Act: Times, Group: "reading", Help: "show or hide times and durations"},
	{Name: "diff-split", Keys: []string{"alt+v"}, Act: Split, Group: "reading", Help: "changes side by side or unified, from 140 columns"},
	{Name: "find", Keys: []string{"ctrl+f"}, Act: Find, Group: "reading", Help: "find in the conversation, folded rows included"},

	{Name: "copy-answer", Keys: []string{"alt+w"}, Act: CopyAnswer, Group: "copying", Help: "copy the last answer as markdown"},
	{Name: "copy-code", Keys: []string{"alt+k"}, Act: CopyCode, Group: "copying", Help: "copy a code block"},
	{Name: "select", Keys: []string{"alt+s"}, Act: Select, Group: "copying", Help: "select with the keyboard (vim keys)"},
	{Name: "mouse", Keys: []string{"alt+m"}, Act: Mouse, Group: "copying", Help: "give the mouse to the terminal, or take it back"},

	{Name: "redraw", Keys: []string{"ctrl+l"}, Act: Redraw, Group: "parley", Help: "redraw the screen"},
	{Name: "suspend", Keys: []string{"ctrl+z"}, Act: Suspend, Group: "parley", Help: "suspend"},
	{Name: "stop", Keys: []string{"ctrl+c"}, Act: Stop, Group: "parley", Help: "clear or interrupt; press twice to quit"},
	{Name: "leave", Keys: []string{"ctrl+d"}, Act: Leave, Empty: true, Group: "parley", Help: "quit, on an empty line"},
	{Name: "tab", Keys: []string{"alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"}, Act: Tab, Group: "parley", Help: "show the session of that number beside this one"},
}

// Everyday names the rows that people use every day, for the help screen.
var Everyday = []string{"send", "newline", "interrupt", "stop", "answer", "mode", "fold", "search", "find", "/palette-empty"}

// Written is what means something at the beginning of a prompt, or as all of it, for the help screen.
var Written = []struct{ Text, Help string }{
	{"/", "commands; type // to send a slash"},
	{"@", "files and directories; @path:10-20 is lines of a file"},
	{"!", "run a shell command and attach its output; type !! to send an exclamation mark"},
	{strings.Join(LeavingWords, " "), "on its own: quit"},
	{"down, enter", "before anything was said: resume a session, or take a suggestion"},
}

// VimRows are the keys of vim's normal mode that are about more than what is written, for the help screen.
var VimRows = []struct{ Text, Help string }{
	{"/", "find in the conversation"},
	{"n N", "previous and next match"},
	{"ctrl+u ctrl+d", "half a page up and down"},
	{"G", "to the end, on an empty line"},
	{":", "find a command or key"},
	{"?", "this help, on an empty line"},
}

// Markdown returns the key table as markdown, for the documentation.
func Markdown() string {
	var b strings.Builder
	group := ""
	for _, k := range bindings {
		if k.Group != group {
			group = k.Group
			fmt.Fprintf(&b, "\n### %s\n\n| key | what it does | name |\n| --- | --- | --- |\n", style.Capital(group))
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", strings.Join(k.Keys, "` `"), k.Help, k.Name)
	}
	b.WriteString("\n### At the start of a word\n\n| written | what it does |\n| --- | --- |\n")
	for _, w := range Written {
		fmt.Fprintf(&b, "| `%s` | %s |\n", w.Text, w.Help)
	}
	b.WriteString("\n### In vim's normal mode\n\n| key | what it does |\n| --- | --- |\n")
	for _, k := range VimRows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(k.Text, " ", "` `"), k.Help)
	}
	b.WriteString("\n### Commands\n\n| command | what it does |\n| --- | --- |\n")
	for _, c := range Commands {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Usage(), c.Help)
	}
	return strings.TrimPrefix(b.String(), "\n")
}
