package session

import (
	"encoding/json"
	"time"
)

// Prompt is what the user sends.
type Prompt struct {
	ID          PromptID     `json:"id,omitempty"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"attachments,omitempty"`
}

// AttachmentKind says what an attachment is.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachFile      AttachmentKind = "file"
	AttachDirectory AttachmentKind = "directory"
	AttachSelection AttachmentKind = "selection"
	AttachImage     AttachmentKind = "image"
	AttachPaste     AttachmentKind = "paste" // pasted text too long to show in the composer
	// AttachCommand is what a command of the user's own shell wrote: Path is the command line, Text its output and how it
	// ended.
	AttachCommand AttachmentKind = "command"
)

// Attachment goes along with a prompt.
type Attachment struct {
	Kind AttachmentKind `json:"kind"`
	Path string         `json:"path,omitempty"`
	// FirstLine and LastLine bound a selection, 1-based and inclusive; 0 for none.
	FirstLine int    `json:"firstLine,omitempty"`
	LastLine  int    `json:"lastLine,omitempty"`
	Text      string `json:"text,omitempty"`
	MediaType string `json:"mediaType,omitempty"` // of an image
	Data      []byte `json:"data,omitempty"`      // of an image
}

// ToolResult is what a tool gave back.
type ToolResult struct {
	// Text is the result as the user sees it.
	Text string `json:"text,omitempty"`
	// Sent is the result as the model saw it, where that differs from Text; empty otherwise.
	Sent string `json:"sent,omitempty"`
	// Summary is a few words for the folded row, such as "214 lines"; may be empty.
	Summary string `json:"summary,omitempty"`
	// Truncated says that Text is not all there was; FullPath, if set, is a file that holds all of it.
	Truncated bool   `json:"truncated,omitempty"`
	FullPath  string `json:"fullPath,omitempty"`
	// ExitCode is the exit status of a command, nil for everything else.
	ExitCode *int `json:"exitCode,omitempty"`
	// Background says that what was called goes on in the background. Another [ToolEnded] may tell how it ended.
	Background bool `json:"background,omitempty"`
}

// FileEdit is one file changed by a tool, or about to be.
type FileEdit struct {
	Path    string `json:"path"` // absolute
	Created bool   `json:"created,omitempty"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	// Patch is the change as unified diff hunks ("@@" lines and below) without file headers; empty for binary files.
	Patch string `json:"patch,omitempty"`
}

// AskKind says what is asked.
type AskKind string

// The kinds of asks.
const (
	AskPermission  AskKind = "permission"
	AskQuestion    AskKind = "question"
	AskPlan        AskKind = "plan"
	AskElicitation AskKind = "elicitation"
)

// UnattendedReason is what the model reads when an ask is refused because nobody is there to answer it.
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
	// Reason says why it is asked at all; may be empty.
	Reason string `json:"reason,omitempty"`
	// Rules are what "this session" would allow from now on; the first is the one offered. Empty: only once.
	Rules []Rule `json:"rules,omitempty"`
}

// Rule allows a kind of tool call without asking.
type Rule struct {
	// Tool is the tool's name.
	Tool string `json:"tool"`
	// Pattern narrows the rule: a directory for tools that touch files (it and all below), a command prefix for tools that
	// run commands. Empty: all calls of the tool.
	Pattern string `json:"pattern,omitempty"`
	// Label says the rule in words, such as "edits under ./".
	Label string `json:"label"`
}

// QuestionAsk is a form of one or more questions.
type QuestionAsk struct {
	Questions []Question `json:"questions"`
}

// Question offers options, of which one or, if Multi, several may be chosen, and free text if Free.
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
}

// PlanAsk puts a plan before the user.
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

// Settlement says what ended an ask.
type Settlement string

// The ways an ask ends.
const (
	SettledAnswered   Settlement = "answered"
	SettledCancelled  Settlement = "cancelled"  // the turn was interrupted, or the session went away
	SettledUnattended Settlement = "unattended" // nobody is there to answer: refused
)

// Decision is the gist of an answer.
type Decision string

// The decisions.
const (
	Allow Decision = "allow"
	Deny  Decision = "deny"
)

// Scope says how long an allowance holds.
type Scope string

// The scopes of an allowance.
const (
	ScopeOnce    Scope = "once"
	ScopeSession Scope = "session"
)

// Answer answers an ask. For permissions and plans Decision, Scope, Rule and Message count; for questions and
// elicitations Allow means answered, and Choices holds the answers.
type Answer struct {
	Decision Decision `json:"decision,omitempty"`
	Scope    Scope    `json:"scope,omitempty"`
	// Rule is the rule to remember for this session; nil means the ask's first.
	Rule *Rule `json:"rule,omitempty"`
	// Message is what the user tells the agent with a denial, or with a plan.
	Message string `json:"message,omitempty"`
	// Mode is the permission mode to go on in after a plan; empty: unchanged.
	Mode Mode `json:"mode,omitempty"`
	// Choices are the answers by question text (questions) or field name (elicitations).
	Choices map[string][]string `json:"choices,omitempty"`
}

// Mode is a permission mode.
type Mode string

// The permission modes.
const (
	ModeDefault     Mode = "default"           // ask before edits and commands
	ModeAcceptEdits Mode = "acceptEdits"       // edits below the session's directories run, commands ask
	ModePlan        Mode = "plan"              // nothing is changed
	ModeBypass      Mode = "bypassPermissions" // nothing is asked
)

// Modes are all permission modes. [ModeBypass] is the last one: no key that walks through them reaches it.
var Modes = []Mode{ModeDefault, ModeAcceptEdits, ModePlan, ModeBypass}

// Loosens reports whether m asks about less than the mode other. An empty mode is [ModeDefault]; an unknown one loosens
// every known one.
func (m Mode) Loosens(other Mode) bool { return m.freedom() > other.freedom() }

// freedom orders the modes by what may happen without asking.
func (m Mode) freedom() int {
	switch m {
	case ModePlan:
		return 0
	case ModeDefault, "":
		return 1
	case ModeAcceptEdits:
		return 2
	case ModeBypass:
		return 3
	}
	return 4
}

// Settings are what the user chose for a session. They survive crashes, restarts and rebuilds.
type Settings struct {
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"` // empty: the model's own default
	Mode   Mode   `json:"mode,omitempty"`
}

// Usage counts tokens.
type Usage struct {
	Input      int64 `json:"input,omitempty"` // neither read from nor written to the cache
	Output     int64 `json:"output,omitempty"`
	CacheRead  int64 `json:"cacheRead,omitempty"`
	CacheWrite int64 `json:"cacheWrite,omitempty"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// Quota is the state of one allowance of the account.
type Quota struct {
	Name        string    `json:"name"`           // such as "premium_interactions"
	Unit        string    `json:"unit,omitempty"` // what is counted, in the plural, such as "requests"; empty if unknown
	Entitlement float64   `json:"entitlement,omitempty"`
	Remaining   float64   `json:"remaining,omitempty"`
	Percent     float64   `json:"percent,omitempty"` // remaining, 0 to 100; may be negative
	Unlimited   bool      `json:"unlimited,omitempty"`
	Overage     bool      `json:"overage,omitempty"` // going on beyond the entitlement is permitted
	ResetsAt    time.Time `json:"resetsAt,omitzero"`
}

// Todo is one entry of the agent's task list.
type Todo struct {
	Text   string     `json:"text"`
	Active string     `json:"active,omitempty"` // the text while in progress
	State  TodoStatus `json:"state"`
}

// TodoStatus is the state of a task.
type TodoStatus string

// The states of a task.
const (
	TodoPending TodoStatus = "pending"
	TodoActive  TodoStatus = "in_progress"
	TodoDone    TodoStatus = "completed"
)

// Model is what the user may know of a model before choosing it.
type Model struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Vendor        string   `json:"vendor,omitempty"`
	Category      string   `json:"category,omitempty"` // such as "powerful"
	Default       bool     `json:"default,omitempty"`
	Preview       bool     `json:"preview,omitempty"`
	ContextWindow int64    `json:"contextWindow,omitempty"` // tokens
	MaxPrompt     int64    `json:"maxPrompt,omitempty"`     // tokens
	MaxOutput     int64    `json:"maxOutput,omitempty"`     // tokens
	Efforts       []string `json:"efforts,omitempty"`       // reasoning effort levels, least first
	// AdaptiveThinking says the model decides itself how long to think; MinThinking and MaxThinking bound a thinking
	// budget in tokens for models that take one.
	AdaptiveThinking bool  `json:"adaptiveThinking,omitempty"`
	MinThinking      int64 `json:"minThinking,omitempty"`
	MaxThinking      int64 `json:"maxThinking,omitempty"`
	Vision           bool  `json:"vision,omitempty"`
	// Price is in credits (hundredths of a dollar) per million tokens; nil if unknown.
	Price *Price `json:"price,omitempty"`
	// LongContext is the price of prompts longer than Price.UpTo, nil if it is no other.
	LongContext *Price `json:"longContext,omitempty"`
	// PriceCategory is such as "high". Multiplier is the price of plans billed by request, in premium requests; 0: unknown.
	PriceCategory string  `json:"priceCategory,omitempty"`
	Multiplier    float64 `json:"multiplier,omitempty"`
	// Free reports that the plan includes the model.
	Free bool `json:"free,omitempty"`
	// Notes are what the service wants known about the model: warnings, a discount.
	Notes []string `json:"notes,omitempty"`
	// Usable is empty if the model can be used here, else the reason why not.
	Unusable string `json:"unusable,omitempty"`
}

// Price is in credits per million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead,omitempty"`
	CacheWrite float64 `json:"cacheWrite,omitempty"`
	UpTo       int64   `json:"upTo,omitempty"` // the longest prompt this price is for, in tokens; 0: any
}

// Account is who is signed in.
type Account struct {
	Login  string  `json:"login"`
	Plan   string  `json:"plan,omitempty"`
	Source string  `json:"source,omitempty"` // where the token came from, such as "GH_TOKEN"
	Host   string  `json:"host,omitempty"`   // such as "github.com"
	Quotas []Quota `json:"quotas,omitempty"`
}
