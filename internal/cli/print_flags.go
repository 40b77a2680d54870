package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/session"
	"parley/session/permission"
)

// printFlags are the flags that need -p.
type printFlags struct {
	output, input string
	allow, deny   []string
	schema        string
	limits        limitFlags
	// given is the first of these flags on the command line.
	given string
}

// limitFlags are the limits of a run.
type limitFlags struct {
	turns   int
	tokens  int64
	credits float64
	time    time.Duration
}

// add adds the flags.
func (p *printFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&p.output, "output-format", headless.Text, "`FORMAT` output format: text, json or stream-json")
	flags.StringVar(&p.input, "input-format", headless.Text, "`FORMAT` input format: text, or stream-json to let a program drive the run")
	flags.StringArrayVar(&p.allow, "allow", nil, "run what `RULE` matches without asking (repeatable)")
	flags.StringArrayVar(&p.deny, "deny", nil, "refuse what `RULE` matches (repeatable)")
	flags.StringVar(&p.schema, "json-schema", "", "`FILE` JSON Schema of the answer: a file, or the JSON itself")
	p.limits.add(flags)
}

// add adds the flags of limits.
func (l *limitFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&l.turns, "max-turns", 0, "end the run after `N` requests to the model")
	flags.Int64Var(&l.tokens, "max-tokens", 0, "end the run after `N` tokens, input and output together")
	flags.Float64Var(&l.credits, "max-credits", 0, "end the run after `N` credits; in the chat, stop a session that has cost so many")
	flags.DurationVar(&l.time, "max-time", 0, "end the run after `TIME`, such as 5m")
}

// printFlagNames are the flags that need -p.
var printFlagNames = []string{"output-format", "input-format", "allow", "deny", "json-schema", "max-turns", "max-tokens", "max-time"}

// note records which flags were given.
func (p *printFlags) note(flags *pflag.FlagSet) {
	for _, name := range printFlagNames {
		if f := flags.Lookup(name); f != nil && f.Changed {
			p.given = name
			break
		}
	}
	if out := flags.Lookup("output-format"); p.driven() && out != nil && !out.Changed {
		p.output = headless.Stream
	}
}

// driven reports whether a program drives the run through standard input.
func (p printFlags) driven() bool { return p.input == headless.Stream }

// check refuses values that make no sense.
func (p printFlags) check(print bool) error {
	switch {
	case !slices.Contains(headless.Formats, p.output):
		return command.Usagef("--output-format: %q is not one of %s", p.output, strings.Join(headless.Formats, ", "))
	case p.input != headless.Text && !p.driven():
		return command.Usagef("--input-format: %q is not one of %s, %s", p.input, headless.Text, headless.Stream)
	case p.given != "" && !print:
		return command.Usagef("--%s needs -p", p.given)
	case p.driven() && p.output != headless.Stream:
		return command.Usagef("--input-format stream-json needs --output-format stream-json")
	case p.driven() && p.schema != "":
		return command.Usagef("--json-schema is for one answer; it does not go with --input-format stream-json")
	}
	return nil
}

// printing holds the flags of -p.
type printing struct {
	limits session.Limits
	schema *headless.Schema
	text   bool // the output is text
}

// read reads the flags, and makes the rules hold for the run.
func (p printFlags) read(a *app) (printing, error) {
	limits, err := p.limits.read()
	if err != nil {
		return printing{}, err
	}
	if a.given, err = readRules(p.allow, p.deny); err != nil {
		return printing{}, err
	}
	for _, r := range a.given {
		if why := r.Void(); why != "" {
			a.complain(fmt.Sprintf("--%s %q: %s", r.Ruling, r.String(), why))
		}
	}
	o := printing{limits: limits, text: p.output == headless.Text}
	if p.schema != "" {
		o.schema, err = readSchema(p.schema)
	}
	return o, err
}

// read returns the limits.
func (l limitFlags) read() (session.Limits, error) {
	if l.turns < 0 || l.tokens < 0 || l.credits < 0 || l.time < 0 || math.IsNaN(l.credits) || l.credits > math.MaxInt64/1e9 {
		return session.Limits{}, command.Usagef("--max-turns, --max-tokens, --max-credits and --max-time must be positive")
	}
	return session.Limits{Rounds: l.turns, Tokens: l.tokens, NanoAIU: int64(l.credits * 1e9), Time: l.time}, nil
}

// readRules reads the rules of flags. The error names the flag and its position.
func readRules(allow, deny []string) (all []permission.Rule, err error) {
	read := func(flag string, ruling permission.Ruling, texts []string) error {
		for i, text := range texts {
			r, err := permission.ParseRule(text)
			if err != nil {
				return command.UsageError{Err: fmt.Errorf("--%s, rule %d: %w", flag, i+1, err), Next: "docs/permissions.md describes rules."}
			}
			r.Ruling, r.Number, r.Origin = ruling, i+1, permission.FromFlag
			all = append(all, r)
		}
		return nil
	}
	if err := read("deny", permission.Deny, deny); err != nil {
		return nil, err
	}
	return all, read("allow", permission.Allow, allow)
}

// readSchema reads a schema from a file, or from the flag itself if that is JSON.
func readSchema(value string) (*headless.Schema, error) {
	text := []byte(value)
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		f, err := os.Open(value) // maybe a pipe
		if err != nil {
			return nil, command.Usagef("--json-schema: %w", err)
		}
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, headless.MaxSchema+1)); err != nil {
			return nil, command.Usagef("--json-schema: %w", err)
		}
	}
	s, err := headless.ParseSchema(text)
	if err != nil {
		return nil, command.Usagef("--json-schema: %w", err)
	}
	return s, nil
}
