package session

import "encoding/json"

// AskKind is the kind of an ask.
type AskKind string

// The kinds of asks.
const (
	AskPermission  AskKind = "permission"
	AskQuestion    AskKind = "question"
	AskPlan        AskKind = "plan"
	AskElicitation AskKind = "elicitation"
)

// UnattendedReason is the reason that the model reads when an ask is refused because no user can answer it.
const UnattendedReason = "Refused: parley runs unattended and nobody can approve this. Go on without it, or say what would be needed."

// PermissionAsk asks whether a tool may act.
type PermissionAsk struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input,omitempty"`
	// Command is the exact command line, for tools that run one.
	Command string `json:"command,omitempty"`
	// Path is the file or directory touched, for tools that touch one.
	Path string `json:"path,omitempty"`
	// Edit is the exact change, for tools that edit.
	Edit *FileEdit `json:"edit,omitempty"`
	// More are the exact changes to further files, for calls that change several.
	More []FileEdit `json:"more,omitempty"`
	// Reason explains why the user is asked; may be empty.
	Reason string `json:"reason,omitempty"`
	// Caution says in a few words what to think about before, such as "leaves this machine" or "cannot be undone"; may be empty.
	Caution string `json:"caution,omitempty"`
	// Dangerous reports that the call forces, deletes or ends what nothing brings back. No rule is offered for it then.
	Dangerous bool `json:"dangerous,omitempty"`
	// Parts are the parts of Command that were judged one by one, in order and without overlap. Empty: it was not read.
	Parts []CommandPart `json:"parts,omitempty"`
	// Rules are the rules that a lasting answer may add, the offered one first. Empty: the answer holds only once.
	Rules []Rule `json:"rules,omitempty"`
}

// Edits returns the exact changes to all files, nil for a call that edits none.
func (p *PermissionAsk) Edits() []FileEdit {
	if p.Edit == nil {
		return nil
	}
	return append([]FileEdit{*p.Edit}, p.More...)
}

// CommandPart is a part of a command line: one simple command, redirection or assignment, with what the rules say of it.
type CommandPart struct {
	// Start and End bound the part in bytes of the command line.
	Start int `json:"start"`
	End   int `json:"end"`
	// Allowed reports that the part alone would not be asked about.
	Allowed bool `json:"allowed,omitempty"`
	// Why says in a few words which rule allows the part, or why it is asked about.
	Why string `json:"why,omitempty"`
}

// Rule allows a kind of tool call without asking, or several kinds that are granted together.
type Rule struct {
	// Text is the rule in the grammar of rules, such as "command go test *", or several of them, one a line; package permission
	// reads it. It is empty in journals of older versions, which have Tool and Pattern.
	Text string `json:"rule,omitempty"`
	// Tool and Pattern are the rule as older versions wrote it: the name of a tool, and a directory or a command prefix.
	Tool    string `json:"tool,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	// Label describes the rule in words, such as "edits under ./".
	Label string `json:"label"`
	// Names describes the scope of the rule in plain words, to be joined in a sentence: "go vet" and "go test", "any file in this project",
	// "exactly this", a host. Empty in journals of older versions, and for rules of an agent's runtime.
	Names []string `json:"names,omitempty"`
	// Unchanged are the names of the scripts during whose present content the rule holds. What they load is not compared, and the
	// rule ends as soon as the agent changes a file.
	Unchanged []string `json:"unchanged,omitempty"`
	// Scopes are how long the rule may hold, shortest first; see [Rule.Lasts].
	Scopes []Scope `json:"scopes,omitempty"`
	// Destination names the place in which the agent's own runtime keeps the rule, such as "Claude Code, in this session". Empty:
	// parley keeps it, in the scope of the answer.
	Destination string `json:"destination,omitempty"`
}

// Lasts returns how long an answer may let the rule hold, shortest first and never empty: the session alone for a rule that the
// agent's own runtime keeps, every scope for one of an older version.
func (r Rule) Lasts() []Scope {
	switch {
	case r.Destination != "":
		return []Scope{ScopeSession}
	case len(r.Scopes) > 0:
		return r.Scopes
	}
	return []Scope{ScopeSession, ScopeProject, ScopeGlobal}
}

// Is reports whether two offers are the same rules, kept in the same place.
func (r Rule) Is(other Rule) bool {
	return r.Text == other.Text && r.Tool == other.Tool && r.Pattern == other.Pattern && r.Label == other.Label && r.Destination == other.Destination
}

// QuestionAsk is a form of one or more questions.
type QuestionAsk struct {
	Questions []Question `json:"questions"`
}

// Question offers options, of which the user chooses one or, with Multi, several; with Free the answer may be free
// text.
type Question struct {
	Text    string           `json:"text"`
	Header  string           `json:"header,omitempty"`
	Options []QuestionOption `json:"options,omitempty"`
	Multi   bool             `json:"multi,omitempty"`
	Free    bool             `json:"free,omitempty"`
}

// QuestionOption is one choice.
type QuestionOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	// Preview is markdown that shows what the option would mean, such as a sketch or a snippet; may be empty.
	Preview string `json:"preview,omitempty"`
}

// PlanAsk asks the user to approve a plan.
type PlanAsk struct {
	Plan string `json:"plan"` // markdown
	Path string `json:"path,omitempty"`
}

// ElicitationAsk is a request for input made by an MCP server through the agent.
type ElicitationAsk struct {
	Server  string          `json:"server"`
	Message string          `json:"message"`
	URL     string          `json:"url,omitempty"`
	Schema  json.RawMessage `json:"schema,omitempty"`
}

// Settlement is the cause that ended an ask.
type Settlement string

// The ways an ask ends.
const (
	SettledAnswered   Settlement = "answered"
	SettledCancelled  Settlement = "cancelled"  // the turn was interrupted, or the session went away
	SettledUnattended Settlement = "unattended" // no user can answer: refused
)

// Decision is the user's decision in an answer.
type Decision string

// The decisions.
const (
	Allow Decision = "allow"
	Deny  Decision = "deny"
	// Cancel closes the request of an MCP server without a decision. For everything else it means Deny.
	Cancel Decision = "cancel"
)

// Scope is the time for which an allowance holds.
type Scope string

// The scopes of an allowance.
const (
	ScopeOnce    Scope = "once"
	ScopeSession Scope = "session"
	ScopeProject Scope = "project" // every session in the directory
	ScopeGlobal  Scope = "global"  // every session of the user
)

// Answer answers an ask. Permissions and plans use Decision, Scope, Rule and Message; for questions and elicitations
// Allow means answered, and Choices has the answers.
type Answer struct {
	Decision Decision `json:"decision,omitempty"`
	Scope    Scope    `json:"scope,omitempty"`
	// Rule is the rule to remember for a scope beyond once; nil means the ask's first.
	Rule *Rule `json:"rule,omitempty"`
	// Message is the user's message to the agent, with a denial or with an allowance.
	Message string `json:"message,omitempty"`
	// Plan is the plan as the user changed it, with the approval of a plan; empty: as the agent proposed it.
	Plan string `json:"plan,omitempty"`
	// Notes are the user's notes to the answers, by question text.
	Notes map[string]string `json:"notes,omitempty"`
	// Mode is the permission mode after a plan; empty: unchanged.
	Mode Mode `json:"mode,omitempty"`
	// Choices are the answers by question text (questions) or field name (elicitations).
	Choices map[string][]string `json:"choices,omitempty"`
}

// Unanswered is what a model reads of a question that the user closed without an answer.
const Unanswered = "The user closed the question without answering. Go on with your best judgement, or ask in another way."
