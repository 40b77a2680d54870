package copilottest

import (
	"crypto/sha256"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Script says what the simulated model answers: the first rule that matches a request answers it. A Script does not
// change once made and may be shared by servers. The file format is described in script.md.
type Script struct {
	Name  string
	Pace  Pace
	Rules []Rule
	// Builtin: where no rule matches, the rules of [DefaultScript] are tried.
	Builtin bool
}

// Rule is one rule of a script.
type Rule struct {
	Name string // of the file, or "rule at line N"
	Line int
	// When lists alternatives: one must hold. Empty: the rule always matches.
	When []When
	// Times is how often the rule may answer, Tries how often it may answer the very same conversation, so that a
	// repeated attempt gets another answer. 0: without limit.
	Times, Tries int
	Reply        Reply
}

// When is what must hold for a rule to match. What is left out holds.
type When struct {
	Prompt *Pattern // the newest words of the user
	System *Pattern // the system prompt
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

// StepKind is what a step does.
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

// matches reports whether all conditions hold and returns the captures of the prompt pattern.
func (w *When) matches(b *Body, st *situation) ([]string, bool) {
	captures := w.Prompt.match(st.prompt)
	failed := false
	for _, r := range st.results {
		failed = failed || r.isError
	}
	ok := captures != nil && w.System.match(st.system) != nil && w.Model.match(b.Model) != nil &&
		w.Turn.holds(st.turn) && w.Round.holds(st.round) &&
		boolHolds(w.HasResult, len(st.results) > 0) && boolHolds(w.Failed, failed) &&
		boolHolds(w.Tools, len(b.Tools) > 0) && boolHolds(w.Format, len(b.Format) > 0) && w.resultsMatch(st)
	for _, name := range w.Offers {
		ok = ok && b.offers(name)
	}
	return captures, ok
}

// resultsMatch reports whether one result satisfies the conditions on tool and text.
func (w *When) resultsMatch(st *situation) bool {
	if w.Result == nil && w.Tool == nil {
		return true
	}
	for _, r := range st.results {
		if w.Result.match(r.text) != nil && w.Tool.match(r.tool) != nil {
			return true
		}
	}
	return false
}

// matches reports whether one of the alternatives holds and returns the captures of its prompt pattern.
func (r *Rule) matches(b *Body, st *situation) ([]string, bool) {
	if len(r.When) == 0 {
		return []string{st.prompt}, true
	}
	for i := range r.When {
		if captures, ok := r.When[i].matches(b, st); ok {
			return captures, true
		}
	}
	return nil, false
}

// scriptState is the script in use and how often its rules have answered.
type scriptState struct {
	mu     sync.Mutex
	script *Script
	used   map[*Rule]int
	tried  map[try]int
}

// try is an attempt at one conversation.
type try struct {
	rule         *Rule
	conversation [sha256.Size]byte
}

func newScriptState(sc *Script) *scriptState {
	s := &scriptState{}
	s.set(sc)
	return s
}

func (s *scriptState) set(sc *Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.used, s.tried = sc, map[*Rule]int{}, map[try]int{}
}

// choose finds the rule that answers and uses it once. Nil if none matches.
func (s *scriptState) choose(b *Body, st *situation) (rule *Rule, captures []string, pace Pace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scripts := []*Script{s.script}
	if s.script.Builtin {
		scripts = append(scripts, DefaultScript())
	}
	for _, sc := range scripts {
		for i := range sc.Rules {
			r := &sc.Rules[i]
			if captures, ok := r.matches(b, st); ok && s.use(r, b) {
				return r, captures, sc.Pace
			}
		}
	}
	return nil, nil, s.script.Pace
}

// use counts an answer of r, unless it has answered often enough.
func (s *scriptState) use(r *Rule, b *Body) bool {
	if r.Times > 0 && s.used[r] >= r.Times {
		return false
	}
	if r.Tries > 0 {
		key := try{r, sha256.Sum256(b.Raw["messages"])}
		if s.tried[key] >= r.Tries {
			return false
		}
		s.tried[key]++
	}
	s.used[r]++
	return true
}
