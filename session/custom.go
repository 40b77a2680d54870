package session

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/internal/lazyregexp"
)

// CustomAgent is an agent that a file describes: a prompt, the tools it may use, a model. Conversations are held as one, and
// agents start them as children by their name.
type CustomAgent struct {
	// Name identifies the agent among those of a directory: letters, digits, "-", "_", "." and ":", at most 64 bytes.
	// FileNamed means that it is that of the file, whose head has none that could be used.
	Name      string `json:"name"`
	FileNamed bool   `json:"fileNamed,omitempty"`
	// Title is the name for people, empty if it is the same. About says when to use the agent; it may be empty.
	Title string `json:"title,omitempty"`
	About string `json:"about,omitempty"`
	// Prompt is the text that the agent gets beside the task.
	Prompt string `json:"prompt,omitempty"`
	// Tools are the tools that it may use, as its file names them: nil for all, empty for none. Denied are those of them
	// that it may not use.
	Tools  []string `json:"tools"`
	Denied []string `json:"denied,omitempty"`
	// Model is the model that it asks for, as its file names it; empty for the session's. Others are to be used in its place
	// where it cannot be used, the best first. Effort is the reasoning effort.
	Model  string   `json:"model,omitempty"`
	Others []string `json:"others,omitempty"`
	Effort string   `json:"effort,omitempty"`
	// Servers is a JSON object with its MCP servers by their names, nil for none.
	Servers json.RawMessage `json:"servers,omitempty"`
	// Skills name the skills that it begins with.
	Skills []string `json:"skills,omitempty"`
	// Hidden reports that only the user chooses it: no agent starts it. Unlisted reports that only agents start it.
	Hidden   bool `json:"hidden,omitempty"`
	Unlisted bool `json:"unlisted,omitempty"`
	// Path is the absolute path of its file.
	Path string `json:"path"`
	// Origin is the kind of place in which its file was found.
	Origin CustomOrigin `json:"origin"`
}

// Label returns the name for people.
func (a CustomAgent) Label() string {
	if a.Title != "" {
		return a.Title
	}
	return a.Name
}

// CustomOrigin is the kind of place in which the file of a custom agent was found.
type CustomOrigin string

// The origins of custom agents. A name in several of them means the agent of the first.
const (
	CustomGiven      CustomOrigin = "file"       // the user named the file
	CustomUser       CustomOrigin = "user"       // a folder of the user
	CustomRepository CustomOrigin = "repository" // the repository has it, which the user trusts
	CustomPlugin     CustomOrigin = "plugin"     // an installed plugin
)

// CustomPrompt is a prompt that a file contains, which the user sends by a slash and its name.
type CustomPrompt struct {
	Name string `json:"name"`
	// About and Arguments describe it, such as "[file]". Both may be empty.
	About     string `json:"about,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	// Text is the text that is sent, with its places for arguments; see [CustomPrompt.Filled].
	Text   string       `json:"text"`
	Path   string       `json:"path"`
	Origin CustomOrigin `json:"origin"`
}

// places matches the places for arguments in a prompt: those of Claude Code's commands and of VS Code's prompt files.
var places = lazyregexp.New(`\$ARGUMENTS\b|\$\{input:[^}\n]*\}`)

// Filled returns the text with the arguments in its places. Without a place they follow the text.
func (p CustomPrompt) Filled(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	if !places.MatchString(p.Text) {
		return strings.TrimSpace(p.Text + "\n\n" + arguments)
	}
	return strings.TrimSpace(places.ReplaceAllLiteralString(p.Text, arguments))
}

// CustomProblem is a fault of a file that describes a custom agent or a prompt.
type CustomProblem struct {
	// Path is absolute; Line counts from 1, and is 0 for the file as a whole.
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	// What says what is wrong and what to write instead.
	What string `json:"what"`
	// Origin is the kind of place in which the file was found.
	Origin CustomOrigin `json:"origin,omitempty"`
	// Unused reports that the file is not used for this reason; otherwise only a part of it is ignored. Over is the file that has its
	// name, if that is the reason.
	Unused bool   `json:"unused,omitempty"`
	Over   string `json:"overriddenBy,omitempty"`
}

// Customs are the custom agents and prompts of a directory.
type Customs struct {
	// Agents and Prompts are ordered by origin, then by name, and each name occurs once.
	Agents  []CustomAgent  `json:"agents"`
	Prompts []CustomPrompt `json:"prompts,omitempty"`
	// Commands are slash commands that the agent understands as the user types them: its skills.
	Commands []SlashCommand `json:"-"`
	// Problems are the faults of their files, in the order of the files.
	Problems []CustomProblem `json:"problems,omitempty"`
	// Untrusted counts the agents and prompts of the repository that are left out because the user does not trust it.
	Untrusted int `json:"untrusted,omitempty"`
}

// Named returns the agent of a name, in any case; nil if there is none.
func (c Customs) Named(name string) *CustomAgent {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		if i := slices.IndexFunc(c.Agents, func(a CustomAgent) bool { return same(a.Name, name) }); i >= 0 {
			return &c.Agents[i]
		}
	}
	return nil
}

// CustomFinder finds custom agents and prompts. Implementations are safe for concurrent use.
type CustomFinder interface {
	// Customs returns the custom agents and prompts for sessions in dir. Those of a repository are among them only if the
	// user trusts it. It reads the files again.
	Customs(ctx context.Context, dir string) Customs
	// Chosen returns the agent that [Settings.Custom] names for a session in dir, nil for an empty one. Errors are of kind
	// [KindNotFound], or of [KindInvalid] with the file and the line.
	Chosen(ctx context.Context, dir, custom string) (*CustomAgent, error)
}

// CustomsLister is an agent whose conversations can be held as a custom agent ([Settings.Custom]).
type CustomsLister interface {
	// Customs returns what the agent offers in a directory; see [CustomFinder].
	Customs(ctx context.Context, dir string) Customs
}

// CustomName returns the name of a chosen custom agent for people: the name itself, or that of its file.
func CustomName(custom string) string {
	if !filepath.IsAbs(custom) {
		return custom
	}
	name := filepath.Base(custom)
	for _, ending := range []string{".agent.md", ".chatmode.md", ".md"} {
		if short, ok := strings.CutSuffix(name, ending); ok && short != "" {
			return short
		}
	}
	return name
}

// Text returns the problem with its file and line, as compilers write them.
func (p CustomProblem) Text() string {
	if p.Line == 0 {
		return p.Path + ": " + p.What
	}
	return p.Path + ":" + strconv.Itoa(p.Line) + ": " + p.What
}
