package repair

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
)

// Mode selects a repair where no single one is right for every client.
type Mode string

// The modes.
const (
	// Refuse answers the client with an error that explains the problem.
	Refuse Mode = "refuse"
	// Fold makes a system message part of the user's turn.
	Fold Mode = "fold"
	// Note replaces an image by a text that says why the model does not see it.
	Note Mode = "note"
)

// Options configures a [Repairer]. The zero value runs every rule.
type Options struct {
	// Off names the rules that do not run; see [Names].
	Off []string
	// SystemRole is [Fold] or [Refuse]; empty: Fold. After the refusal with this text, Claude Code 2.1.329 sends the
	// request again without such messages, and no more of them later; 2.1.197 gives up.
	SystemRole Mode
	// ImageURL is [Note] or [Refuse]; empty: Note.
	ImageURL Mode
	// Betas are families of betas to let through besides those known to the service, such as "context-1m".
	Betas []string
	// Foreign reports whether no Claude model made a signature of a thinking block, given without its quotes. Such
	// blocks are dropped. Nil: all count as Claude's.
	Foreign func(signature []byte) bool
	// Log gets a debug line for every rule that changed something, with places and never content. Nil: none.
	Log *slog.Logger
}

// Fired is a rule that changed something.
type Fired struct {
	Rule  string
	Count int    // number of changes, 1 or more
	At    string // place of the first, such as "messages.3.content.0"
}

// Result is the result of a repair.
type Result struct {
	Betas string  // the value of the Anthropic-Beta header, "" for none
	Fired []Fired // in the order of [Names]
}

// Refusal is the error for a request that cannot be repaired honestly. Its text is the message for the client, in an
// invalid_request_error with status 400.
type Refusal struct{ Rule, Message string }

// Error returns the message for the client.
func (r *Refusal) Error() string { return r.Message }

// rule is one repair. One that needs the model does not run for an unknown one.
type rule struct {
	name  string
	model bool
	run   func(*work)
}

// rules are all rules in the order in which they run. Later rules see the changes of earlier ones.
var rules = []rule{
	{"message-fields", false, dropMessageFields},
	{"system-role", false, foldSystemRole},
	{"betas", false, filterBetas},
	{"server-tools", false, dropServerTools},
	{"duplicate-tools", false, dropDuplicateTools},
	{"tool-count", false, dropTools},
	{"tool-fields", false, dropToolFields},
	{"tool-schemas", false, mendToolSchemas},
	{"tool-ids", false, mendToolIDs},
	{"tool-inputs", false, mendToolInputs},
	{"search-blocks", false, plainSearches},
	{"image-urls", false, noteImageURLs},
	{"unsigned-thinking", false, dropUnsigned},
	{"blank-text", false, dropBlankText},
	{"empty-system", false, dropEmptySystem},
	{"output-format", false, moveOutputFormat},
	{"max-tokens", true, lowerMaxTokens},
	{"thinking", true, mendThinking},
	{"thinking-fields", false, mendThinkingFields},
	{"forced-tool", false, dropForcedThinking},
	{"sampling", false, dropSampling},
	{"effort", true, mendEffort},
	{"context-management", false, dropContextEdits},
	{"cache-thinking", false, dropThinkingMarks},
	{"cache-deferred", false, dropDeferredMarks},
	{"cache-fields", false, dropCacheFields},
	{"cache-count", false, dropExtraMarks},
	{"auto-cache", false, placeAutoCache},
	{"unknown-fields", false, dropUnknownFields},
	{"prefill-space", true, trimPrefill},
	{"trailing-assistant", true, answerTrailing},
}

// Names returns the names of all rules, in the order in which they run. The caller may change the slice.
func Names() []string {
	out := make([]string, len(rules))
	for i, r := range rules {
		out[i] = r.name
	}
	return out
}

// Repairer makes requests acceptable to the service. It is safe for concurrent use.
type Repairer struct {
	o      Options
	off    []bool // by rule
	counts []atomic.Uint64
	known  []string // families of betas
}

// New returns a repairer. An unknown rule or mode is an error that lists the valid ones.
func New(o Options) (*Repairer, error) {
	r := &Repairer{o: o, off: make([]bool, len(rules)), counts: make([]atomic.Uint64, len(rules))}
	for _, name := range o.Off {
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
		if i < 0 {
			return nil, fmt.Errorf("repair rule %q: no such rule; there are %s", name, strings.Join(Names(), ", "))
		}
		r.off[i] = true
	}
	if r.o.SystemRole == "" {
		r.o.SystemRole = Fold
	}
	if r.o.ImageURL == "" {
		r.o.ImageURL = Note
	}
	if m := r.o.SystemRole; m != Refuse && m != Fold {
		return nil, fmt.Errorf("repair mode %q of system messages: there are %s and %s", m, Refuse, Fold)
	}
	if m := r.o.ImageURL; m != Refuse && m != Note {
		return nil, fmt.Errorf("repair mode %q of images by URL: there are %s and %s", m, Refuse, Note)
	}
	if r.o.Log == nil {
		r.o.Log = slog.New(slog.DiscardHandler)
	}
	r.known = append(slices.Clone(knownBetas), o.Betas...)
	return r, nil
}

// Counts returns the number of changes of each rule since [New], in the order of [Names].
func (r *Repairer) Counts() []Fired {
	out := make([]Fired, len(rules))
	for i := range rules {
		out[i] = Fired{Rule: rules[i].name, Count: int(r.counts[i].Load())}
	}
	return out
}

// Repair changes the request so that the service accepts it for that model, if possible. betas are the values of the
// client's Anthropic-Beta header. An error is a [*Refusal]. [Request.Bytes] returns the new body.
func (r *Repairer) Repair(req *Request, m Model, betas []string) (Result, error) {
	w := &work{Document: req.doc, r: r, model: m, betas: splitBetas(betas)}
	for i := range rules {
		if r.off[i] || rules[i].model && !m.Known {
			continue
		}
		w.rule = rules[i].name
		before := len(w.fired)
		rules[i].run(w)
		if w.refusal != nil {
			r.counts[i].Add(1)
			r.o.Log.Debug("proxy repair refused", "rule", w.rule)
			return Result{}, w.refusal
		}
		if len(w.fired) > before {
			f := w.fired[before]
			r.counts[i].Add(uint64(f.Count))
			r.o.Log.Debug("proxy repair", "rule", f.Rule, "count", f.Count, "at", f.At)
		}
	}
	return Result{Betas: strings.Join(w.betas, ","), Fired: w.fired}, nil
}

// Body reads and repairs a body at once. It returns the original if nothing had to change.
func (r *Repairer) Body(body []byte, m Model, betas []string) ([]byte, Result, error) {
	req, err := Read(body)
	if err != nil {
		return nil, Result{}, err
	}
	res, err := r.Repair(req, m, betas)
	if err != nil {
		return nil, Result{}, err
	}
	return req.Bytes(), res, nil
}
