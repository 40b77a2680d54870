package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/session"
)

// property is a field of an elicitation's schema, within what MCP (revision 2025-11-25) allows: flat fields of text,
// numbers, yes or no, and one or several of a list.
type property struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []any    `json:"enum"`
	EnumNames   []string `json:"enumNames"`
	OneOf       []titled `json:"oneOf"`
	Items       *struct {
		Enum  []any    `json:"enum"`
		AnyOf []titled `json:"anyOf"`
		OneOf []titled `json:"oneOf"`
	} `json:"items"`
	Format    string   `json:"format"`
	MinLength *int     `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	Default   any      `json:"default"`
}

// titled is a value with a name.
type titled struct {
	Const any    `json:"const"`
	Title string `json:"title"`
}

// elicitationForm returns the form of a JSON schema. Fields whose schema is not understood take free text.
func elicitationForm(e *session.ElicitationAsk) *Form {
	f := &Form{Fields: schemaFields(e.Schema), optional: true}
	if len(f.Fields) == 0 {
		f.Fields = []Field{{Options: []session.QuestionOption{{Label: "accept"}}}}
	}
	f.Enter(0)
	return f
}

// schemaFields reads the properties of an object schema, in the order they are written in.
func schemaFields(schema json.RawMessage) []Field {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	var fields []Field
	dec := json.NewDecoder(bytes.NewReader(s.Properties))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		var raw json.RawMessage
		if err != nil || !ok || dec.Decode(&raw) != nil {
			break
		}
		var p property
		_ = json.Unmarshal(raw, &p) // a field that does not fit takes free text
		fields = append(fields, p.field(name, slices.Contains(s.Required, name)))
	}
	return fields
}

// field returns the form field of a property.
func (p *property) field(name string, required bool) Field {
	fd := Field{Key: name, Tab: name, Text: name, Required: required, Note: p.note(required)}
	if p.Title != "" {
		fd.Tab, fd.Text = p.Title, p.Title
	}
	if p.Description != "" {
		fd.Text += ": " + p.Description
	}
	p.choices(&fd)
	if fd.Free = len(fd.Options) == 0; fd.Free {
		fd.Check = p.wrong
		if p.Default != nil {
			fd.Own = plain(p.Default)
		}
		return fd
	}
	for _, v := range asList(p.Default) {
		if i := slices.Index(fd.Values, plain(v)); i >= 0 {
			fd.Chosen = append(fd.Chosen, fd.Values[i])
		}
	}
	return fd
}

// choices fills in the options.
func (p *property) choices(fd *Field) {
	add := func(value any, label string) {
		v := plain(value)
		if label == "" {
			label = v
		}
		fd.Options, fd.Values = append(fd.Options, session.QuestionOption{Label: label}), append(fd.Values, v)
	}
	list, named := p.Enum, p.OneOf
	if p.Type == "array" && p.Items != nil {
		fd.Multi = true
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
	if p.Type == "boolean" {
		fd.Options, fd.Values = nil, nil
		add("true", "yes")
		add("false", "no")
	}
}

// note returns what an answer must look like.
func (p *property) note(required bool) string {
	var parts []string
	switch {
	case p.Type == "integer":
		parts = append(parts, "a whole number"+bounds(p.Minimum, p.Maximum))
	case p.Type == "number":
		parts = append(parts, "a number"+bounds(p.Minimum, p.Maximum))
	case formats[p.Format] != "":
		parts = append(parts, formats[p.Format])
	}
	switch {
	case p.MinLength != nil && p.MaxLength != nil:
		parts = append(parts, fmt.Sprintf("%d to %d characters", *p.MinLength, *p.MaxLength))
	case p.MinLength != nil && *p.MinLength > 1:
		parts = append(parts, fmt.Sprintf("at least %d characters", *p.MinLength))
	case p.MaxLength != nil:
		parts = append(parts, fmt.Sprintf("at most %d characters", *p.MaxLength))
	}
	if !required {
		parts = append(parts, "optional")
	}
	return strings.Join(parts, ", ")
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

// formats describes the text formats that are checked.
var formats = map[string]string{"email": "an e-mail address", "uri": "an address such as https://example.com",
	"date": "a date such as 2026-01-31", "date-time": "a time such as 2026-01-31T12:00:00Z"}

// wrong returns what is wrong with an answer, "" for nothing.
func (p *property) wrong(words string) string {
	switch n := utf8.RuneCountInString(words); {
	case p.Type == "integer" || p.Type == "number":
		return p.wrongNumber(words)
	case p.MinLength != nil && n < *p.MinLength:
		return fmt.Sprintf("too short: at least %d characters", *p.MinLength)
	case p.MaxLength != nil && n > *p.MaxLength:
		return fmt.Sprintf("too long: at most %d characters", *p.MaxLength)
	}
	var err error
	switch p.Format {
	case "email":
		_, err = mail.ParseAddress(words)
	case "uri":
		var u *url.URL
		if u, err = url.Parse(words); err == nil && u.Scheme == "" {
			err = url.InvalidHostError(words)
		}
	case "date":
		_, err = time.Parse(time.DateOnly, words)
	case "date-time":
		_, err = time.Parse(time.RFC3339, words)
	}
	if err != nil {
		return "not " + formats[p.Format]
	}
	return ""
}

func (p *property) wrongNumber(words string) string {
	n, err := strconv.ParseFloat(words, 64)
	if err == nil && p.Type == "integer" {
		_, err = strconv.ParseInt(words, 10, 64)
	}
	switch {
	case err != nil && p.Type == "integer":
		return "not a whole number"
	case err != nil:
		return "not a number"
	case p.Minimum != nil && n < *p.Minimum, p.Maximum != nil && n > *p.Maximum:
		return "not a number" + bounds(p.Minimum, p.Maximum)
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
	return fmt.Sprint(v)
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
