package question

import (
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/human"
)

// formats describes the text formats that are checked.
var formats = map[string]string{"email": "an e-mail address", "uri": "an address such as https://example.com",
	"date": "a date such as 2026-01-31", "date-time": "a time such as 2026-01-31T12:00:00Z"}

// maxMatched bounds the texts that are held against a pattern, in bytes: a match costs text times pattern.
const maxMatched = 64 << 10

// wrong returns what is wrong with an answer, "" for nothing.
func (p *property) wrong(words string) string {
	switch p.kind {
	case "integer", "number":
		return p.wrongNumber(words)
	case "string":
		return p.wrongText(words)
	}
	return ""
}

// wrongText returns what is wrong with a text: its length, its format, its pattern.
func (p *property) wrongText(words string) string {
	least, most, n := whole(p.MinLength), whole(p.MaxLength), utf8.RuneCountInString(words)
	switch {
	case n < least:
		return "too short: at least " + human.Count(least, "character", "characters")
	case p.MaxLength != nil && n > most:
		return "too long: at most " + human.Count(most, "character", "characters")
	case !wellFormed(p.Format, words):
		return "not " + formats[p.Format]
	case p.Pattern != "" && p.pattern != nil && len(words) <= maxMatched && !p.pattern.MatchString(words):
		return "does not match " + bytesOf(p.Pattern, 200)
	}
	return ""
}

// wellFormed reports whether a text has a format. Every text has one that is not known.
func wellFormed(format, words string) bool {
	var err error
	switch format {
	case "email":
		a, err := mail.ParseAddress(words)
		return err == nil && a.Address == words
	case "uri":
		u, err := url.Parse(words)
		return err == nil && u.Scheme != "" && u.Host+u.Opaque+u.Path != "" && !strings.ContainsAny(words, " \t")
	case "date":
		_, err = time.Parse(time.DateOnly, words)
	case "date-time":
		_, err = time.Parse(time.RFC3339, words)
	}
	return err == nil
}

// wrongNumber returns what is wrong with a number.
func (p *property) wrongNumber(words string) string {
	n, err := strconv.ParseFloat(words, 64)
	if err == nil && (n != n || n-n != 0) {
		err = strconv.ErrRange
	}
	if err == nil && p.kind == "integer" {
		_, err = strconv.ParseInt(words, 10, 64)
	}
	switch {
	case err != nil && p.kind == "integer":
		return "not a whole number"
	case err != nil:
		return "not a number"
	case p.Minimum != nil && n < *p.Minimum, p.Maximum != nil && n > *p.Maximum:
		return "not a number" + bounds(p.Minimum, p.Maximum)
	}
	return ""
}
