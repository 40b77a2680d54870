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
}

// Kit has the tools of all conversations of this process. It is safe for concurrent use.
type Kit struct {
	o     Options
	tools []session.ClientTool
}

// AllOff switches every tool off.
const AllOff = "all"

// names are the names of the tools that there can be.
var names = []string{Ask.Name, searchName, notifyName}

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
	owner, _ := a.(session.ToolOwner)
	return slices.DeleteFunc(tools, func(t session.ClientTool) bool {
		return slices.Contains(k.o.Off, AllOff) || slices.Contains(k.o.Off, t.Name) || owner != nil && owner.OwnsTool(t.Name)
	})
}
