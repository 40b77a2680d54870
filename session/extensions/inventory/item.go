package inventory

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Kind is what an item is.
type Kind string

// The kinds, in the order of the list.
const (
	Instructions Kind = "instructions"
	Agent        Kind = "agent"
	Skill        Kind = "skill"
	Command      Kind = "command"
	Hook         Kind = "hook"
	Server       Kind = "mcp"
	Plugin       Kind = "plugin"
)

// Kinds are all kinds in their order.
var Kinds = []Kind{Instructions, Agent, Skill, Command, Hook, Server, Plugin}

// Scope is whose an item is.
type Scope string

// The scopes. What is managed is an administrator's: nobody else changes it.
const (
	Managed  Scope = "managed"
	User     Scope = "user"
	Project  Scope = "project"
	OfPlugin Scope = "plugin"
)

// Item is one extension. Its texts come from files.
type Item struct {
	Kind  Kind   `json:"kind"`
	Name  string `json:"name"`
	About string `json:"about,omitempty"`
	// Scope says whose it is, From is its file or folder, absolute.
	Scope Scope  `json:"scope"`
	From  string `json:"from"`
	// On reports whether it is used; Why says why not. Over is the file of the one that holds in its place, if that is why.
	On   bool   `json:"on"`
	Why  string `json:"why,omitempty"`
	Over string `json:"overriddenBy,omitempty"`
	// Notes are what is wrong with one that is used all the same.
	Notes []string `json:"notes,omitempty"`
	// Runs is what it starts on this machine or whom it calls, empty for what is only read.
	Runs string `json:"runs,omitempty"`
	// Agents names the custom agents whose server it is, empty for one of all.
	Agents string `json:"agents,omitempty"`
	// Typed means that the user may type it as a command.
	Typed bool `json:"typed,omitempty"`
	// Switch is the settings file in which its owner switches it by Key, empty if that is known elsewhere.
	Switch string `json:"-"`
	Key    string `json:"-"`
	// Start estimates what each session begins with because of it, Used what its use adds, in tokens.
	Start int `json:"startTokens"`
	Used  int `json:"usedTokens,omitempty"`
}

// ID returns the words by which the item is named: its kind and name.
func (i Item) ID() string { return string(i.Kind) + ":" + i.Name }

// Keeper finds items, and changes them where their owners keep them. Its methods wait for files, and for git where they fetch something.
type Keeper interface {
	Here
	Find(ctx context.Context, agent, dir string) Found
	// Reads returns which files an agent reads, the zero value for one that nothing of this machine extends. It reads none itself.
	Reads(agent string) Reads
	// Follow returns a function that waits for changes of what Find returns for a directory. Its first call returns true at once, and
	// each further one once something has changed since; it returns false once ctx or the program ends. One goroutine at a time uses it.
	Follow(dir string) (next func(ctx context.Context) bool)
	// Switch switches an item on or off for a scope, [User] or [Project], and returns the file that says so. One that cannot be switched
	// there is an error of kind [session.KindUnsupported].
	Switch(ctx context.Context, dir string, i Item, scope Scope, on bool) (file string, err error)
	// Install installs a plugin, switched off, and returns its name. Update fetches one again and reports whether it has changed; Remove
	// removes one with what it keeps.
	Install(ctx context.Context, source string) (name string, err error)
	Update(ctx context.Context, i Item) (changed bool, err error)
	Remove(ctx context.Context, i Item) error
}

// Fixed reports whether an administrator decides about the item.
func (i Item) Fixed() bool { return i.Scope == Managed }

// bytesPerToken is about how long the text of a token is.
const bytesPerToken = 4

// tokens estimates the tokens of a text of so many bytes.
func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// Named returns the items that words name: "kind:name", or a name alone, in any case. One that is used comes first.
func Named(all []Item, words string) []Item {
	var out []Item
	for _, i := range all {
		if strings.EqualFold(i.ID(), words) || strings.EqualFold(i.Name, words) || i.Key != "" && strings.EqualFold(i.Key, words) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b Item) int {
		return cmp.Compare(map[bool]int{true: 0, false: 1}[a.On], map[bool]int{true: 0, false: 1}[b.On])
	})
	return out
}
