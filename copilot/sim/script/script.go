package script

import (
	"regexp"
	"strings"
	"time"
)

// Script says what the simulated model answers: the first rule that matches a request answers it. A Script does not
// change once made and may be shared by servers. The file format is described in script.md.
type Script struct {
	Name  string
	Pace  Pace
	Rules []Rule
	// Builtin: where no rule matches, the rules of [Default] are tried.
	Builtin bool
}

// Rule is one rule of a script.
type Rule struct {
	Name string // of the file, or "rule at line N"
	Line int
	// When lists alternatives: one must hold. Empty: the rule always matches.
	When []When
	// Times bounds the answers of the rule, Tries those to the very same conversation, so that a
	// repeated attempt gets another answer. 0: without limit.
	Times, Tries int
	Reply        Reply
}

// When lists the conditions for a rule to match. What is left out holds.
type When struct {
	Prompt *Pattern // the newest words of the user
	System *Pattern // the system prompt
	Note   *Pattern // notes in the newest message
	Model  *Pattern
	Turn   *Range   // prompts so far, from 1
	Round  *Range   // answers since the newest prompt, from 0
	Result *Pattern // some tool result at the end of the conversation
	// HasResult: whether the conversation ends with tool results. Failed: whether one of them is an error.
	HasResult, Failed *bool
	Tool              *Pattern // name of a tool that one of those results answers
	Offers            []string // names of tools that the request must offer
	Tools             *bool    // whether any tool is offered
	Format            *bool    // whether the answer must follow a JSON schema (output_config.format)
}

// Reply is an answer of the model.
type Reply struct {
	Steps []Step
	Pace  *Pace
	Stop  string // stop_reason; empty: "tool_use" after a tool call, else "end_turn"
}

// StepKind is the type of a step.
type StepKind string

// The kinds of steps.
const (
	StepThink  StepKind = "think"  // reasoning, if the request asks for it
	StepText   StepKind = "text"   // words; successive text steps become one block
	StepTool   StepKind = "tool"   // a tool call; several in a row are parallel calls
	StepPause  StepKind = "pause"  // silence
	StepHold   StepKind = "hold"   // silence until Release
	StepFault  StepKind = "fault"  // something goes wrong here
	StepFiller StepKind = "filler" // generated markdown of a given length
	StepSchema StepKind = "schema" // JSON that satisfies the schema of the request
	StepPing   StepKind = "ping"   // a ping event
)

// Step is one step of a reply. Text, Tool and the strings within Input are templates.
type Step struct {
	Kind  StepKind
	Line  int
	Text  string // of think, text; name of hold; ENDMARK id of filler
	Tool  string
	Input any // JSON-like: map[string]any, []any, string, int, float64, bool, nil
	Pause time.Duration
	Fault *Fault
	// Tokens and Rate are those of a filler, as templates of numbers. Rate is in deltas per second, 0 for no limit.
	Tokens, Rate string
	Pace         *Pace
}

// Pattern matches text: a regular expression, or a substring without regard to case.
type Pattern struct {
	text string
	re   *regexp.Regexp
}

// newPattern reads the text form: a substring, or a regular expression between slashes, with i after it to disregard
// case.
func newPattern(text string) (*Pattern, error) {
	body, isRegexp := strings.CutPrefix(text, "/")
	body, plain := strings.CutSuffix(body, "/")
	body, folded := strings.CutSuffix(body, "/i")
	if !isRegexp || !plain && !folded {
		return &Pattern{text: text}, nil
	}
	if folded {
		body = "(?i)" + body
	}
	re, err := regexp.Compile(body)
	if err != nil {
		return nil, err
	}
	return &Pattern{re: re}, nil
}

// match returns the captures (the whole match first), nil if the text does not match.
func (p *Pattern) match(text string) []string {
	if p == nil {
		return []string{text}
	}
	if p.re != nil {
		return p.re.FindStringSubmatch(text)
	}
	if strings.Contains(strings.ToLower(text), strings.ToLower(p.text)) {
		return []string{p.text}
	}
	return nil
}

// Range is a closed range of counts.
type Range struct{ Min, Max int }

func (r *Range) holds(n int) bool { return r == nil || n >= r.Min && n <= r.Max }

func boolHolds(want *bool, is bool) bool { return want == nil || *want == is }
