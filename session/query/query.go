package query

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"parley/session"
)

// Place is what filters are relative to.
type Place struct {
	Now time.Time // in the user's time zone
	// Dir is what "dir:." means, Home is what "~" does. Both may be empty.
	Dir, Home string
}

// Query is what sessions are looked for by. The zero value is passed by all that are not archived. It is safe for concurrent use.
type Query struct {
	// Terms are the words and phrases, in small letters and in their order. No filter looks at them.
	Terms   []string
	filters []func(*session.Meta) bool
	deleted bool
}

// Empty reports whether nothing is looked for.
func (q Query) Empty() bool { return len(q.Terms) == 0 && len(q.filters) == 0 }

// Filters reports whether there is a filter.
func (q Query) Filters() bool { return len(q.filters) > 0 }

// Deleted reports whether sessions in the bin are looked for.
func (q Query) Deleted() bool { return q.deleted }

// Passes reports whether a session passes every filter. An archived one passes only where something is looked for, a deleted one only
// where deleted ones are.
func (q Query) Passes(m *session.Meta) bool {
	if m.Archived && q.Empty() || !m.Deleted.IsZero() && !q.deleted {
		return false
	}
	for _, f := range q.filters {
		if !f(m) {
			return false
		}
	}
	return true
}

// Parse reads a query. The error joins what is wrong with the values of filters, which the query then lacks; a filter without a
// value yet is left out. What looks like a filter and is none is a word.
func Parse(text string, at Place) (Query, error) {
	var q Query
	var wrong []error
	for _, t := range split(text) {
		filter, known := filters[strings.ToLower(t.key)]
		if t.key == "" || !known {
			if word := strings.ToLower(t.whole()); word != "" {
				q.Terms = append(q.Terms, word)
			}
			continue
		}
		if t.value == "" {
			continue
		}
		f, err := filter(t.value, at)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%s: %w", strings.ToLower(t.key), t.value, err))
			continue
		}
		q.filters = append(q.filters, f)
		q.deleted = q.deleted || strings.EqualFold(t.key, "is") && strings.EqualFold(t.value, isDeleted)
	}
	return q, errors.Join(wrong...)
}

// Line returns the line that [Parse] reads as the arguments of a command: one with a space is a phrase.
func Line(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		key, value, found := strings.Cut(a, ":")
		switch {
		case !strings.ContainsFunc(a, unicode.IsSpace) || strings.ContainsRune(a, '"'):
			quoted[i] = a
		case found && !strings.ContainsFunc(key, unicode.IsSpace):
			quoted[i] = key + `:"` + value + `"`
		default:
			quoted[i] = `"` + a + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// term is a word, a phrase, or what may be a filter.
type term struct{ key, value string }

// whole returns a term as the words that it is.
func (t term) whole() string {
	if t.key == "" {
		return t.value
	}
	return strings.TrimSpace(t.key + ":" + t.value)
}

// split returns the terms of a line. A quote at the beginning of a word or of a value goes on to the next one, or to the end.
func split(text string) (all []term) {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return all
		}
		var t term
		if end := strings.IndexFunc(text, func(r rune) bool { return r == '"' || r == ':' || unicode.IsSpace(r) }); end > 0 && text[end] == ':' {
			t.key, text = text[:end], text[end+1:]
		}
		if rest, quoted := strings.CutPrefix(text, `"`); quoted {
			t.value, text, _ = strings.Cut(rest, `"`)
			t.value = strings.Join(strings.Fields(t.value), " ")
		} else if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
			t.value, text = text[:end], text[end:]
		} else {
			t.value, text = text, ""
		}
		all = append(all, t)
	}
}
