package clienttools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// Options are the services behind the tools. A tool without its service is not offered.
type Options struct {
	// Off names tools that are not offered; [AllOff] means every one.
	Off []string
	// Search finds earlier sessions of a directory, newest first, that have all words. It ends with ctx.
	Search func(ctx context.Context, q Search) ([]Found, error)
	// Notify shows a notification on the user's desktop.
	Notify func(ctx context.Context, title, text string) error
	// Diff returns what a session in a directory changed in files, as a unified diff of those that are named, or of all.
	Diff func(ctx context.Context, id session.ID, dir string, files []string) (string, error)
	// Open opens a file in the user's editor, at a line unless it is 0. With OpenWaits it takes the terminal and returns once the user
	// has left the editor.
	Open      func(ctx context.Context, path string, line int) error
	OpenWaits bool
	// Show opens it in the editor of the terminal that shows a session, in place of Open. left says that the user has left that editor; else
	// it has a window of its own.
	Show func(ctx context.Context, id session.ID, path string, line int) (left bool, err error)
	// Lookup returns the tool that asks language servers, false where none is installed for a session's files.
	Lookup func(o session.OpenOptions) (session.ClientTool, bool)
}

// Kit has the tools of all conversations of this process. It is safe for concurrent use.
type Kit struct {
	o     Options
	tools []session.ClientTool
}

// AllOff switches every tool off.
const AllOff = "all"

// names are the names of the tools that there can be.
var names = []string{Ask.Name, searchName, notifyName, diffName, editorName, lookupName}

const lookupName = "code_lookup"

// CheckOff reports a name that no tool has, with those that there are.
func CheckOff(off []string) error {
	for _, name := range off {
		if name != AllOff && !slices.Contains(names, name) {
			return fmt.Errorf("there is no tool %q: take %s or %s", name, strings.Join(names, ", "), AllOff)
		}
	}
	return nil
}

// New returns the tools whose services there are.
func New(o Options) *Kit {
	k := &Kit{o: o, tools: []session.ClientTool{Ask}}
	if o.Notify != nil {
		k.tools = append(k.tools, notifier(o.Notify))
	}
	return k
}

// For returns the tools for a conversation of an agent: without those that are off, and those in whose place the agent has its own.
func (k *Kit) For(a session.Agent, o session.OpenOptions) []session.ClientTool {
	tools := slices.Clone(k.tools)
	if k.o.Search != nil {
		tools = append(tools, searcher(k.o.Search, o))
	}
	if k.o.Diff != nil {
		tools = append(tools, differ(k.o.Diff, o))
	}
	if k.o.Open != nil {
		tools = append(tools, opener(k.o.Open, k.o.OpenWaits, o))
	}
	if k.o.Show != nil {
		tools = append(tools, shower(k.o.Show, o))
	}
	owner, _ := a.(session.ToolOwner)
	without := func(name string) bool {
		return slices.Contains(k.o.Off, AllOff) || slices.Contains(k.o.Off, name) || owner != nil && owner.OwnsTool(name)
	}
	if k.o.Lookup != nil && !without(lookupName) { // it looks at the session's files
		if t, ok := k.o.Lookup(o); ok {
			tools = append(tools, t)
		}
	}
	return slices.DeleteFunc(tools, func(t session.ClientTool) bool { return without(t.Name) })
}
