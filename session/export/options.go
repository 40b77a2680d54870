package export

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
)

// Formats are the formats of an export, by the end of a file's name.
var Formats = []string{"md", "html", "json"}

// Options control what an export contains.
type Options struct {
	// Format is one of [Formats].
	Format string
	// Reasoning includes the reasoning, Output the results of calls.
	Reasoning, Output bool
	// Secrets leaves what looks like a secret readable.
	Secrets bool
}

// NewOptions returns what an export in a format contains unless something else is asked for. JSON has the reasoning.
func NewOptions(format string) Options {
	return Options{Format: format, Reasoning: format == "json", Output: true}
}

// Parse reads what a user wrote behind /export: the name of a file, whose end decides the format, then options as those of
// `parley sessions export`.
func Parse(args string) (name string, o Options, err error) {
	name, rest, found := strings.Cut(" "+args, " --")
	name = strings.TrimSpace(name)
	o = NewOptions("md")
	if ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")); ext == "htm" {
		o = NewOptions("html")
	} else if slices.Contains(Formats, ext) {
		o = NewOptions(ext)
	}
	if !found {
		return name, o, nil
	}
	for _, word := range strings.Fields("--" + rest) {
		flag, value, _ := strings.Cut(word, "=")
		field := map[string]*bool{"--reasoning": &o.Reasoning, "--tool-output": &o.Output, "--secrets": &o.Secrets}[flag]
		if field == nil || value != "" && value != "true" && value != "false" {
			return "", o, fmt.Errorf("%s is unknown; use --reasoning, --tool-output=false or --secrets", word)
		}
		*field = value != "false"
	}
	return name, o, nil
}

// Pieces yields a session in a format, piece by piece. Only JSON reads the events, and only the other formats the transcript.
// An error ends it.
func Pieces(m session.Meta, t *session.Transcript, events []session.Event, o Options) iter.Seq2[string, error] {
	if o.Format == "json" {
		return asJSON(m, events, o)
	}
	pieces := MarkdownPieces(m, t, o)
	if o.Format == "html" {
		pieces = htmlPieces(m, t, o)
	}
	return func(yield func(string, error) bool) {
		for piece := range pieces {
			if !yield(piece, nil) {
				return
			}
		}
	}
}
