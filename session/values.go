package session

import "time"

// Prompt is a message of the user to an agent.
type Prompt struct {
	ID          PromptID     `json:"id,omitempty"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"attachments,omitempty"`
	// Target is the place in which the first prompt of a session of a [RemoteAgent] begins its work; nil: the agent's default.
	Target *RemoteTarget `json:"target,omitempty"`
	// After is the time at which a prompt is sent that waits for it, as the user wanted; zero: in its turn.
	After time.Time `json:"after,omitzero"`
}

// AttachmentKind is the kind of an attachment.
type AttachmentKind string

// The kinds of attachments.
const (
	AttachFile      AttachmentKind = "file"
	AttachDirectory AttachmentKind = "directory"
	AttachSelection AttachmentKind = "selection"
	AttachImage     AttachmentKind = "image"
	AttachPaste     AttachmentKind = "paste" // pasted text too long to show in the composer
	// AttachCommand is the output of a command in the user's own shell: Path is the command line, Text the output and
	// how the command ended.
	AttachCommand AttachmentKind = "command"
)

// Attachment is sent with a prompt.
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

// ToolResult is the result of a tool.
type ToolResult struct {
	// Text is the result as the user sees it.
	Text string `json:"text,omitempty"`
	// Sent is the result as the model saw it, if it differs from Text; otherwise empty.
	Sent string `json:"sent,omitempty"`
	// Summary is a few words for the folded row, such as "214 lines"; may be empty.
	Summary string `json:"summary,omitempty"`
	// Truncated reports whether Text is incomplete; FullPath, if set, is a file with all of it.
	Truncated bool   `json:"truncated,omitempty"`
	FullPath  string `json:"fullPath,omitempty"`
	// ExitCode is the exit status of a command, nil for everything else.
	ExitCode *int `json:"exitCode,omitempty"`
	// Ran is the text that ran in place of the command that the model wrote, empty where that ran itself.
	Ran string `json:"ran,omitempty"`
	// Media are the images and documents of the result, which the model gets after the text. Each is small enough for the
	// journal: at most a few megabytes.
	Media []Media `json:"media,omitempty"`
	// Background reports whether the call continues in the background. Another [ToolEnded] may report its end.
	Background bool `json:"background,omitempty"`
	// Job is the short name of a command in the background, such as "sh1"; empty for everything else.
	Job string `json:"job,omitempty"`
	// Shell is the state that the agent's next command finds; nil: the directory and the environment of the session.
	Shell *ShellState `json:"shell,omitempty"`
}

// ShellState is the state that the commands of an agent have left for its next one.
type ShellState struct {
	// Dir is the directory in which it begins, absolute; empty for the session's.
	Dir string `json:"dir,omitempty"`
	// Environ reports whether variables or functions were changed. They last as long as the conversation.
	Environ bool `json:"environ,omitempty"`
}

// Media is an image or a document that a tool read.
type Media struct {
	MediaType string `json:"mediaType"` // such as "image/png" or "application/pdf"
	Data      []byte `json:"data,omitempty"`
}

// FileEdit is a file that a tool changed, or is about to change.
type FileEdit struct {
	Path    string `json:"path"` // absolute
	Created bool   `json:"created,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	// Patch is the change as unified diff hunks ("@@" lines and below) without file headers; empty for binary files.
	Patch string `json:"patch,omitempty"`
	// Note says in a few words what a patch cannot, such as "mode 644 to 755" or "binary"; may be empty.
	Note string `json:"note,omitempty"`
	// Before is what the file contained, where the agent's own result says so; nil otherwise. It is neither journaled nor
	// kept in a transcript.
	Before *string `json:"-"`
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

// Modes are all permission modes. [ModeBypass] is the last: no key that cycles through them reaches it.
var Modes = []Mode{ModeDefault, ModeAcceptEdits, ModePlan, ModeBypass}

// Loosens reports whether m asks about less than the mode other. An empty mode is [ModeDefault]; an unknown one loosens
// every known one.
func (m Mode) Loosens(other Mode) bool { return m.freedom() > other.freedom() }

// freedom orders the modes by how much they allow without asking.
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

// Model describes a model to the user who chooses one.
type Model struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Vendor        string   `json:"vendor,omitempty"`
	Category      string   `json:"category,omitempty"` // such as "powerful"
	Purpose       string   `json:"purpose,omitempty"`  // what it is for, in words of ours; empty if that is not known
	Default       bool     `json:"default,omitempty"`
	Preview       bool     `json:"preview,omitempty"`
	ContextWindow int64    `json:"contextWindow,omitempty"` // tokens
	MaxPrompt     int64    `json:"maxPrompt,omitempty"`     // tokens
	MaxOutput     int64    `json:"maxOutput,omitempty"`     // tokens
	Efforts       []string `json:"efforts,omitempty"`       // reasoning effort levels, least first
	// AdaptiveThinking reports whether the model decides itself how long to think; MinThinking and MaxThinking bound the
	// thinking budget, in tokens, of models that take one.
	AdaptiveThinking bool  `json:"adaptiveThinking,omitempty"`
	MinThinking      int64 `json:"minThinking,omitempty"`
	MaxThinking      int64 `json:"maxThinking,omitempty"`
	// Structured reports whether the service can hold an answer to a JSON Schema.
	Structured bool `json:"structured,omitempty"`
	// Searches reports whether the service can search the web with the model; other models search through it.
	Searches bool `json:"searches,omitempty"`
	// Vision reports whether the model sees images, PDF whether it reads PDF documents.
	Vision bool `json:"vision,omitempty"`
	PDF    bool `json:"pdf,omitempty"`
	// Price is in credits (hundredths of a dollar) per million tokens; nil if unknown.
	Price *Price `json:"price,omitempty"`
	// LongContext is the price of prompts longer than Price.UpTo, nil if it is the same.
	LongContext *Price `json:"longContext,omitempty"`
	// PriceCategory is a word such as "high". Multiplier is the price on plans billed by request, in premium requests;
	// 0: unknown.
	PriceCategory string  `json:"priceCategory,omitempty"`
	Multiplier    float64 `json:"multiplier,omitempty"`
	// Free reports whether the plan includes the model.
	Free bool `json:"free,omitempty"`
	// Notes are the service's remarks about the model: warnings, a discount.
	Notes []string `json:"notes,omitempty"`
	// Unusable is the reason why the model cannot be used here, empty if it can.
	Unusable string `json:"unusable,omitempty"`
	// Terms are what the user has to agree to once before the model can be used ([TermsAccepter]), empty if there is nothing. The
	// model counts as unusable until then.
	Terms string `json:"terms,omitempty"`
}

// Price is in credits per million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead,omitempty"`
	CacheWrite float64 `json:"cacheWrite,omitempty"`
	UpTo       int64   `json:"upTo,omitempty"` // the longest prompt this price is for, in tokens; 0: any
}

// Account is the signed-in account.
type Account struct {
	Login  string  `json:"login"`
	Plan   string  `json:"plan,omitempty"`
	Source string  `json:"source,omitempty"` // where the token came from, such as "GH_TOKEN"
	Host   string  `json:"host,omitempty"`   // such as "github.com"
	Quotas []Quota `json:"quotas,omitempty"`
}
