package script

import (
	"encoding/json"
	"strings"
)

// filling fills in the templates of a reply.
type filling struct {
	st       *Situation
	captures []string
	pace     Pace
}

// steps fills in the steps. Reasoning is left out where the request does not ask for it, as the service does.
func (f *filling) steps(steps []Step) []Play {
	var out []Play
	for _, st := range steps {
		p := Play{Kind: st.Kind, Pause: st.Pause, Fault: st.Fault, Pace: f.pace.over(st.Pace)}
		switch st.Kind {
		case StepThink:
			if !f.st.Thinks {
				continue
			}
			p.Text = f.text(st.Text)
		case StepText:
			p.Text = f.text(st.Text)
		case StepHold:
			p.Text = st.Text
		case StepTool:
			p.Tool = f.text(st.Tool)
			p.Text = "{}"
			if st.Input != nil {
				p.Text = asJSON(f.value(st.Input))
			}
		case StepFiller:
			p.Kind, p.Text = StepText, filler(f.number(st.Tokens, 100), f.text(st.Text))
			p.Pace = Pace{Chars: defaultChars, Rate: float64(f.number(st.Rate, 0))}
		case StepSchema:
			p.Kind, p.Text = StepText, asJSON(f.example(f.st.Format))
		}
		out = append(out, p)
	}
	return out
}

// value fills in the strings within a tool's input.
func (f *filling) value(v any) any {
	switch v := v.(type) {
	case string:
		return f.text(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = f.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = f.value(v[k])
		}
		return out
	}
	return v
}

// example makes a value that satisfies the JSON schema of a structured answer, in a simple way: texts say what the
// user said, numbers are 1, lists are empty.
func (f *filling) example(format json.RawMessage) any {
	var outer struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(format, &outer) != nil {
		return map[string]any{}
	}
	return f.exampleOf(outer.Schema, 0)
}

func (f *filling) exampleOf(schema json.RawMessage, depth int) any {
	var s struct {
		Type       string                     `json:"type"`
		Enum       []any                      `json:"enum"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || depth > 20 {
		return map[string]any{}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		return shorten(strings.Join(strings.Fields(f.st.Prompt), " "), 60)
	case s.Type == "number", s.Type == "integer":
		return 1
	case s.Type == "boolean":
		return true
	case s.Type == "array":
		return []any{}
	}
	out := map[string]any{}
	for name, sub := range s.Properties {
		out[name] = f.exampleOf(sub, depth+1)
	}
	return out
}

// asJSON encodes a value of JSON's kinds.
func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("script: " + err.Error()) // only values of YAML and of schemas come here
	}
	return string(b)
}
