package question

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
)

// property is a field of an elicitation's schema, within what MCP (revisions 2025-06-18 and 2025-11-25) allows: flat fields
// of text, numbers, yes or no, and one or several of a list.
type property struct {
	Type        any      `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []any    `json:"enum"`
	EnumNames   []string `json:"enumNames"`
	OneOf       []titled `json:"oneOf"`
	AnyOf       []titled `json:"anyOf"`
	Items       items    `json:"items"`
	Default     any      `json:"default"`
	limits

	kind    string // the type, "text" for what is not understood
	unknown string // a type that is not understood, "" for none
	pattern *regexp.Regexp
}

// limits are what a schema demands of an answer. Numbers are floats since schemas write 3.0 as well as 3.
type limits struct {
	Format    string   `json:"format"`
	Pattern   string   `json:"pattern"`
	MinLength *float64 `json:"minLength"`
	MaxLength *float64 `json:"maxLength"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinItems  *float64 `json:"minItems"`
	MaxItems  *float64 `json:"maxItems"`
}

// items are what an array takes.
type items struct {
	Enum  []any    `json:"enum"`
	AnyOf []titled `json:"anyOf"`
	OneOf []titled `json:"oneOf"`
}

// titled is a value with a name.
type titled struct {
	Const any    `json:"const"`
	Title string `json:"title"`
}

// maxPattern bounds the patterns that are checked, in bytes.
const maxPattern = 1000

// readProperty reads the schema of a field. What does not fit is left out.
func readProperty(raw json.RawMessage) *property {
	p := &property{}
	_ = json.Unmarshal(raw, p) // a field that does not fit takes free text
	p.kind = kindOf(p.Type)
	switch {
	case p.kind == "" && (len(p.Enum)+len(p.OneOf)+len(p.AnyOf) > 0 || p.Type == nil):
		p.kind = "string"
	case p.kind == "array" && len(p.Items.Enum)+len(p.Items.AnyOf)+len(p.Items.OneOf) == 0:
		p.kind, p.unknown = "text", "list"
	case !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, p.kind):
		p.kind, p.unknown = "text", p.kind
	}
	if len(p.Pattern) <= maxPattern {
		p.pattern, _ = regexp.Compile(p.Pattern)
	}
	return p
}

// kindOf returns the type of a schema, of several the first that is not null.
func kindOf(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if s, ok := one.(string); ok && s != "null" {
				return s
			}
		}
	}
	return ""
}

// field returns the form field of a property.
func (p *property) field(name string, required bool) Field {
	fd := Field{Key: name, Tab: name, Text: name, Expects: p.expects(required), Warning: p.warning(), Limits: Limits{Required: required}}
	if p.Title != "" {
		fd.Tab, fd.Text = shortText(p.Title), shortText(p.Title)
	}
	if p.Description != "" {
		fd.Text += ": " + shortText(p.Description)
	}
	values := p.choices(&fd)
	if p.kind == "array" {
		fd.Multi, fd.Least, fd.Most = true, whole(p.MinItems), whole(p.MaxItems)
	}
	if len(fd.Options) == 0 {
		fd.Free, fd.Check = true, p.wrong
		if p.Default != nil && p.unknown == "" {
			fd.Own = plain(p.Default)
		}
		return fd
	}
	if more := len(values) - len(fd.Options); more > 0 {
		fd.Free, fd.Check = true, oneOf(values)
		fd.Warning = fmt.Sprintf("%s more values are not listed; type one of them.", human.Number(more))
	}
	for _, v := range asList(p.Default) {
		v := plain(v)
		switch {
		case slices.Contains(fd.Values, v) && !slices.Contains(fd.Chosen, v):
			fd.Chosen = append(fd.Chosen, v)
		case fd.Free && values[v]:
			fd.Own = v
		}
		if !fd.Multi {
			break
		}
	}
	return fd
}

// oneOf returns a check for values of a list that is too long to show.
func oneOf(values map[string]bool) func(string) string {
	return func(words string) string {
		if values[words] {
			return ""
		}
		return "not one of the values of this field"
	}
}

// choices fills in the options, and returns all values.
func (p *property) choices(fd *Field) (all map[string]bool) {
	all = map[string]bool{}
	add := func(value any, label string) {
		v := plain(value)
		if value == nil || all[v] {
			return
		}
		all[v] = true
		if len(fd.Options) >= maxOptions {
			return
		}
		if label == "" {
			label = v
		}
		fd.Options, fd.Values = append(fd.Options, session.QuestionOption{Label: shortText(label)}), append(fd.Values, v)
	}
	list, named := p.Enum, slices.Concat(p.OneOf, p.AnyOf)
	switch {
	case p.kind == "boolean":
		add("true", "yes")
		add("false", "no")
		return all
	case p.unknown != "":
		return all
	case p.kind == "array":
		list, named = p.Items.Enum, slices.Concat(p.Items.AnyOf, p.Items.OneOf)
	}
	for i, v := range list {
		label := ""
		if i < len(p.EnumNames) {
			label = p.EnumNames[i]
		}
		add(v, label)
	}
	for _, t := range named {
		add(t.Const, t.Title)
	}
	return all
}

// warning returns what parley cannot check or show of the field.
func (p *property) warning() string {
	switch {
	case p.unknown != "":
		return "parley doesn't know fields of type " + bytesOf(p.unknown, 40) + ": your answer is sent as text, unchecked."
	case p.Pattern != "" && p.pattern == nil:
		return "The answer must match a pattern that parley can't check: " + bytesOf(p.Pattern, 200)
	}
	return ""
}

// expects returns what an answer must look like.
func (p *property) expects(required bool) string {
	var parts []string
	switch {
	case p.unknown != "":
	case p.kind == "integer":
		parts = append(parts, "a whole number"+bounds(p.Minimum, p.Maximum))
	case p.kind == "number":
		parts = append(parts, "a number"+bounds(p.Minimum, p.Maximum))
	case p.kind == "array":
		if s := itemBounds(whole(p.MinItems), whole(p.MaxItems)); s != "" {
			parts = append(parts, s)
		}
	case p.kind == "string":
		if formats[p.Format] != "" {
			parts = append(parts, formats[p.Format])
		}
		if s := lengthBounds(whole(p.MinLength), whole(p.MaxLength)); s != "" {
			parts = append(parts, s)
		}
		if p.pattern != nil && p.Pattern != "" {
			parts = append(parts, "matches "+bytesOf(p.Pattern, 200))
		}
	}
	if !required {
		parts = append(parts, "optional")
	}
	return strings.Join(parts, ", ")
}

// whole returns a count of a schema, 0 for none.
func whole(n *float64) int {
	if n == nil || !(*n > 0) {
		return 0
	}
	return int(min(*n, 1<<30))
}

// bounds describes a range.
func bounds(least, most *float64) string {
	switch {
	case least != nil && most != nil:
		return " from " + plain(*least) + " to " + plain(*most)
	case least != nil:
		return " from " + plain(*least)
	case most != nil:
		return " up to " + plain(*most)
	}
	return ""
}

// lengthBounds describes how long a text must be, "" for no demand. 0 is no bound.
func lengthBounds(least, most int) string {
	switch {
	case least > 0 && least == most:
		return "exactly " + human.Count(least, "character", "characters")
	case least > 0 && most > 0:
		return fmt.Sprintf("%d to %d characters", least, most)
	case least > 1:
		return fmt.Sprintf("at least %d characters", least)
	case most > 0:
		return "at most " + human.Count(most, "character", "characters")
	}
	return ""
}

// itemBounds describes how many options must be picked, "" for no demand.
func itemBounds(least, most int) string {
	switch {
	case least > 0 && least == most:
		return fmt.Sprintf("pick %d", least)
	case least > 0 && most > 0:
		return fmt.Sprintf("pick %d to %d", least, most)
	case least > 0:
		return fmt.Sprintf("pick at least %d", least)
	case most > 0:
		return fmt.Sprintf("pick at most %d", most)
	}
	return ""
}

// plain returns a value of a schema as the text of an answer.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case nil:
		return ""
	}
	b, _ := json.Marshal(v) // it comes from JSON
	return string(b)
}

// asList returns a default as a list, also where it is a single value.
func asList(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	if v == nil {
		return nil
	}
	return []any{v}
}
