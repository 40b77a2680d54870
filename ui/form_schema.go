package ui

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

// property is a field of an elicitation's schema, as far as MCP (revision 2025-11-25) lets servers describe one: flat
// fields of text, numbers, yes or no, and one or several of a list.
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

// elicitationForm makes questions of the fields of a JSON schema. What the schema does not say plainly is asked for in
// words.
func elicitationForm(e *session.ElicitationAsk) *form {
	f := &form{fields: schemaFields(e.Schema), optional: true}
	if len(f.fields) == 0 {
		f.fields = []field{{options: []session.QuestionOption{{Label: "accept"}}}}
	}
	f.enter(0)
	return f
}

// schemaFields reads the properties of an object schema, in the order they are written in.
func schemaFields(schema json.RawMessage) []field {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	var fields []field
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
		_ = json.Unmarshal(raw, &p) // what does not fit is asked for in words
		fields = append(fields, p.field(name, slices.Contains(s.Required, name)))
	}
	return fields
}

// field makes a question of a property.
func (p *property) field(name string, required bool) field {
	fd := field{key: name, tab: name, text: name, required: required, note: p.note(required)}
	if p.Title != "" {
		fd.tab, fd.text = p.Title, p.Title
	}
	if p.Description != "" {
		fd.text += ": " + p.Description
	}
	p.choices(&fd)
	if fd.free = len(fd.options) == 0; fd.free {
		fd.check = p.wrong
		if p.Default != nil {
			fd.own = plain(p.Default)
		}
		return fd
	}
	for _, v := range asList(p.Default) {
		if i := slices.Index(fd.values, plain(v)); i >= 0 {
			fd.chosen = append(fd.chosen, fd.values[i])
		}
	}
	return fd
}

// choices fills in what there is to choose from.
func (p *property) choices(fd *field) {
	add := func(value any, label string) {
		v := plain(value)
		if label == "" {
			label = v
		}
		fd.options, fd.values = append(fd.options, session.QuestionOption{Label: label}), append(fd.values, v)
	}
	list, named := p.Enum, p.OneOf
	if p.Type == "array" && p.Items != nil {
		fd.multi = true
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
		fd.options, fd.values = nil, nil
		add("true", "yes")
		add("false", "no")
	}
}

// note says what an answer must be like.
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

// bounds says a range in words.
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

// formats are the formats of text that can be checked, in words.
var formats = map[string]string{"email": "an e-mail address", "uri": "an address such as https://example.com",
	"date": "a date such as 2026-01-31", "date-time": "a time such as 2026-01-31T12:00:00Z"}

// wrong says what is wrong with an answer, "" for nothing.
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

// plain writes a value of a schema as the answer that means it.
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

// asList returns a default as a list, whether it is one or a single value.
func asList(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	if v == nil {
		return nil
	}
	return []any{v}
}
