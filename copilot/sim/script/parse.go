package script

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Parse reads a script in the format of script.md. An error names the file (as name) and the line; several
// errors are joined.
func Parse(r io.Reader, name string) (*Script, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err) // yaml's own errors have the line
	}
	p := &parser{name: name}
	sc := &Script{Name: name}
	if len(doc.Content) == 0 {
		p.fail(&yaml.Node{Line: 1}, "the script is empty; it needs rules")
	} else {
		p.script(doc.Content[0], sc)
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return sc, nil
}

// parser collects errors, so that an author sees all of them at once.
type parser struct {
	name string
	errs []error
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s", p.name, n.Line, fmt.Sprintf(format, args...)))
}

// fields calls the handler of each key of a mapping and refuses unknown and repeated ones.
func (p *parser) fields(n *yaml.Node, what string, handlers map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, "%s must be a mapping", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		h, ok := handlers[key.Value]
		switch {
		case !ok:
			known := make([]string, 0, len(handlers))
			for k := range handlers {
				known = append(known, k)
			}
			slices.Sort(known)
			p.fail(key, "unknown key %q in %s; known: %s", key.Value, what, strings.Join(known, ", "))
		case seen[key.Value]:
			p.fail(key, "key %q stands twice in %s", key.Value, what)
		default:
			h(resolved(value))
		}
		seen[key.Value] = true
	}
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (p *parser) script(n *yaml.Node, sc *Script) {
	p.fields(n, "the script", map[string]func(*yaml.Node){
		"pace":    func(v *yaml.Node) { p.pace(v, &sc.Pace) },
		"builtin": p.bool(&sc.Builtin),
		"rules": func(v *yaml.Node) {
			if v.Kind != yaml.SequenceNode {
				p.fail(v, "rules must be a list")
				return
			}
			for _, item := range v.Content {
				sc.Rules = append(sc.Rules, p.rule(resolved(item)))
			}
		},
	})
	if len(sc.Rules) == 0 && !sc.Builtin && len(p.errs) == 0 {
		p.fail(n, "the script has no rules")
	}
}

// stopReasons are those the Messages API knows.
var stopReasons = []string{"end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "pause_turn",
	"model_context_window_exceeded"}

func (p *parser) rule(n *yaml.Node) Rule {
	r := Rule{Line: n.Line, Name: fmt.Sprintf("rule at line %d", n.Line)}
	replied := false
	p.fields(n, "a rule", map[string]func(*yaml.Node){
		"name":  p.string(&r.Name),
		"when":  func(v *yaml.Node) { r.When = p.alternatives(v) },
		"times": p.count(&r.Times),
		"tries": p.count(&r.Tries),
		"stop": func(v *yaml.Node) {
			p.string(&r.Reply.Stop)(v)
			if !slices.Contains(stopReasons, v.Value) {
				p.fail(v, "unknown stop reason %q; known: %s", v.Value, strings.Join(stopReasons, ", "))
			}
		},
		"pace": func(v *yaml.Node) {
			r.Reply.Pace = &Pace{}
			p.pace(v, r.Reply.Pace)
		},
		"reply": func(v *yaml.Node) {
			replied = true
			r.Reply.Steps = p.steps(v)
		},
	})
	if !replied && n.Kind == yaml.MappingNode {
		p.fail(n, "a rule needs a reply")
	}
	return r
}

// alternatives reads one set of conditions, or a list of them.
func (p *parser) alternatives(n *yaml.Node) []When {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	out := make([]When, len(items))
	for i, item := range items {
		p.when(resolved(item), &out[i])
	}
	return out
}

func (p *parser) when(n *yaml.Node, w *When) {
	pattern := func(into **Pattern) func(*yaml.Node) { return func(v *yaml.Node) { *into = p.pattern(v) } }
	optional := func(into **bool) func(*yaml.Node) {
		return func(v *yaml.Node) {
			*into = new(bool)
			p.bool(*into)(v)
		}
	}
	span := func(into **Range) func(*yaml.Node) { return func(v *yaml.Node) { *into = p.span(v) } }
	p.fields(n, "when", map[string]func(*yaml.Node){
		"prompt": pattern(&w.Prompt), "system": pattern(&w.System), "note": pattern(&w.Note), "model": pattern(&w.Model), "tool": pattern(&w.Tool),
		"turn": span(&w.Turn), "round": span(&w.Round),
		"failed": optional(&w.Failed), "tools": optional(&w.Tools), "format": optional(&w.Format),
		"result": func(v *yaml.Node) {
			if v.Tag == "!!bool" {
				optional(&w.HasResult)(v)
				return
			}
			w.Result = p.pattern(v)
		},
		"offers": func(v *yaml.Node) {
			if v.Kind == yaml.ScalarNode {
				w.Offers = []string{v.Value}
			} else if v.Decode(&w.Offers) != nil {
				p.fail(v, "offers must be a tool name or a list of them")
			}
		},
	})
}

func (p *parser) steps(n *yaml.Node) []Step {
	switch n.Kind {
	case yaml.ScalarNode:
		p.template(n)
		return []Step{{Kind: StepText, Line: n.Line, Text: n.Value}}
	case yaml.SequenceNode:
		var out []Step
		for i, item := range n.Content {
			st := p.step(resolved(item))
			if i > 0 && st.Fault != nil && st.Fault.Kind == FaultStatus {
				p.fail(item, "a status fault must be the first step of a reply")
			}
			out = append(out, st)
		}
		return out
	}
	p.fail(n, "reply must be a text or a list of steps")
	return nil
}

// step reads one step: the key that names its kind, and what belongs to it.
func (p *parser) step(n *yaml.Node) Step {
	st := Step{Line: n.Line}
	if n.Kind == yaml.ScalarNode && n.Value == string(StepPing) {
		st.Kind = StepPing
		return st
	}
	kind := func(k StepKind, read func(*yaml.Node)) func(*yaml.Node) {
		return func(v *yaml.Node) {
			if st.Kind != "" {
				p.fail(n, "a step is one thing: it has both %s and %s", st.Kind, k)
			}
			st.Kind = k
			read(v)
		}
	}
	input := (*yaml.Node)(nil)
	p.fields(n, "a step", map[string]func(*yaml.Node){
		"think":  kind(StepThink, p.templated(&st.Text)),
		"text":   kind(StepText, p.templated(&st.Text)),
		"tool":   kind(StepTool, p.templated(&st.Tool)),
		"pause":  kind(StepPause, p.duration(&st.Pause)),
		"hold":   kind(StepHold, p.string(&st.Text)),
		"fault":  kind(StepFault, func(v *yaml.Node) { st.Fault = p.fault(v) }),
		"filler": kind(StepFiller, func(v *yaml.Node) { p.filler(v, &st) }),
		"schema": kind(StepSchema, func(*yaml.Node) {}),
		"input":  func(v *yaml.Node) { input = v },
		"pace": func(v *yaml.Node) {
			st.Pace = &Pace{}
			p.pace(v, st.Pace)
		},
	})
	switch {
	case st.Kind == "" && n.Kind == yaml.MappingNode:
		p.fail(n, "a step needs one of think, text, tool, pause, hold, fault, filler, schema")
	case input != nil && st.Kind != StepTool:
		p.fail(input, "only a tool step has input")
	case input != nil:
		st.Input = p.input(input)
	}
	return st
}

// input reads the input of a tool call, whose strings are templates.
func (p *parser) input(n *yaml.Node) any {
	var v map[string]any
	if err := n.Decode(&v); err != nil {
		p.fail(n, "input must be a mapping with text keys")
		return nil
	}
	p.templatesIn(n)
	return v
}

func (p *parser) templatesIn(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		p.template(n)
	}
	for _, c := range n.Content {
		p.templatesIn(c)
	}
}

func (p *parser) filler(n *yaml.Node, st *Step) {
	p.fields(n, "filler", map[string]func(*yaml.Node){
		"tokens": p.templated(&st.Tokens), "rate": p.templated(&st.Rate), "mark": p.templated(&st.Text),
	})
}

func (p *parser) pace(n *yaml.Node, into *Pace) {
	p.fields(n, "pace", map[string]func(*yaml.Node){
		"chars": p.count(&into.Chars),
		"rate": func(v *yaml.Node) {
			if v.Decode(&into.Rate) != nil || into.Rate < 0 {
				p.fail(v, "rate must be a number of deltas per second, 0 for no limit")
			}
		},
	})
}

// fault reads a fault within a reply.
func (p *parser) fault(n *yaml.Node) *Fault {
	f := &Fault{}
	kind, shape := "", ""
	p.fields(n, "fault", map[string]func(*yaml.Node){
		"kind": p.string(&kind), "shape": p.string(&shape), "status": p.count(&f.Status), "code": p.string(&f.Code),
		"message": p.string(&f.Message), "body": p.string(&f.Body), "retry_after": p.string(&f.RetryAfter),
		"for": p.duration(&f.For), "content_type": p.string(&f.ContentType),
		"header": func(v *yaml.Node) {
			if v.Decode(&f.Header) != nil {
				p.fail(v, "header must map names to texts")
			}
		},
	})
	f.Kind, f.Shape = FaultKind(kind), Shape(shape)
	if err := f.Validate(); err != nil {
		p.fail(n, "%v", err)
	}
	return f
}

// pattern reads a substring, or a regular expression between slashes. The ending /i makes it disregard case.
func (p *parser) pattern(n *yaml.Node) *Pattern {
	text := ""
	p.string(&text)(n)
	pat, err := newPattern(text)
	if err != nil {
		p.fail(n, "%v", err)
	}
	return pat
}

// span reads a count, or a lower bound written >=N.
func (p *parser) span(n *yaml.Node) *Range {
	text, atLeast := strings.CutPrefix(n.Value, ">=")
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < 0 || n.Kind != yaml.ScalarNode {
		p.fail(n, "%q is neither a count nor a bound such as \">=2\"", n.Value)
		return nil
	}
	if atLeast {
		return &Range{Min: v, Max: 1 << 30}
	}
	return &Range{Min: v, Max: v}
}

func (p *parser) string(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode {
			p.fail(n, "a text is expected here")
			return
		}
		*into = n.Value
	}
}

func (p *parser) templated(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		p.string(into)(n)
		p.template(n)
	}
}

// template refuses placeholders that nothing will fill.
func (p *parser) template(n *yaml.Node) {
	for _, m := range placeholder.FindAllStringSubmatch(n.Value, -1) {
		if !knownPlaceholder(m[1]) {
			p.fail(n, "unknown placeholder %s; known: {{%s}} and {{0}} to {{9}}", m[0], strings.Join(placeholderNames, "}}, {{"))
		}
	}
}

func (p *parser) bool(into *bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Decode(into) != nil {
			p.fail(n, "%q is neither true nor false", n.Value)
		}
	}
}

func (p *parser) count(into *int) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Decode(into) != nil || *into < 0 {
			p.fail(n, "%q is not a count", n.Value)
		}
	}
}

func (p *parser) duration(into *time.Duration) func(*yaml.Node) {
	return func(n *yaml.Node) {
		d, err := time.ParseDuration(n.Value)
		if err != nil || d < 0 {
			p.fail(n, "%q is not a duration such as 500ms or 2s", n.Value)
		}
		*into = d
	}
}
