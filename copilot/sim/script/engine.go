package script

import (
	"crypto/sha256"
	"strconv"
	"sync"
	"time"
)

// Answer is the reply to one request.
type Answer struct {
	Rule  string // the name of the rule, empty if none matched
	Steps []Play
	Stop  string // stop_reason
}

// Play is a step of a reply with its templates filled in.
type Play struct {
	Kind  StepKind // think, text, tool, pause, hold, fault or ping
	Text  string   // words, the JSON of a tool's input, or the name of a hold
	Tool  string
	Pause time.Duration
	Fault *Fault
	Pace  Pace
}

// Engine answers requests by a script and counts how often its rules have answered. Safe for concurrent use.
type Engine struct {
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

// NewEngine returns an engine for a script.
func NewEngine(sc *Script) *Engine {
	s := &Engine{}
	s.Set(sc)
	return s
}

// Set replaces the script and forgets the counts.
func (s *Engine) Set(sc *Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.used, s.tried = sc, map[*Rule]int{}, map[try]int{}
}

// choose returns the rule that answers and counts the answer; nil if none matches.
func (s *Engine) choose(st *Situation) (rule *Rule, captures []string, pace Pace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scripts := []*Script{s.script}
	if s.script.Builtin {
		scripts = append(scripts, Default())
	}
	for _, sc := range scripts {
		for i := range sc.Rules {
			r := &sc.Rules[i]
			if captures, ok := r.matches(st); ok && s.use(r, st) {
				return r, captures, sc.Pace
			}
		}
	}
	return nil, nil, s.script.Pace
}

// use counts an answer of r, unless it has answered often enough.
func (s *Engine) use(r *Rule, st *Situation) bool {
	if r.Times > 0 && s.used[r] >= r.Times {
		return false
	}
	if r.Tries > 0 {
		key := try{r, st.Conversation}
		if s.tried[key] >= r.Tries {
			return false
		}
		s.tried[key]++
	}
	s.used[r]++
	return true
}

// Answer returns what the script answers in a situation.
func (s *Engine) Answer(st Situation) Answer {
	rule, captures, pace := s.choose(&st)
	a, steps := Answer{}, unmatched(&st)
	if rule != nil {
		a.Rule, a.Stop, steps = rule.Name, rule.Reply.Stop, rule.Reply.Steps
		pace = pace.over(rule.Reply.Pace)
	}
	a.Steps = (&filling{st: &st, captures: captures, pace: pace}).steps(steps)
	if a.Stop == "" {
		a.Stop = stopReason(a.Steps)
	}
	return a
}

// unmatched is the answer where no rule of the script matches.
func unmatched(st *Situation) []Step {
	return []Step{{Kind: StepText, Text: "I am simulated, and no rule of my script matches turn " + strconv.Itoa(st.Turn) +
		", round " + strconv.Itoa(st.Round) + "."}}
}

// stopReason is the reason that follows from the steps.
func stopReason(steps []Play) string {
	for _, st := range steps {
		if st.Kind == StepTool {
			return "tool_use"
		}
	}
	return "end_turn"
}
