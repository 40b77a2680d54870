package copilot

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxNearest bounds the models suggested in place of a missing one.
const maxNearest = 3

// ModelError reports that a model cannot be used, with the most similar ones. No other model is ever used instead. It
// is the cause of an [*Error] of [KindModel].
type ModelError struct {
	// ID is the requested model.
	ID string
	// Reason explains why it cannot be used.
	Reason string
	// Nearest are usable models, the nearest first; empty if the list is unknown.
	Nearest []Model
}

// Error names the model, the reason and the choices.
func (e *ModelError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("the model %q %s", e.ID, e.Reason)
	}
	ids := make([]string, len(e.Nearest))
	for i, m := range e.Nearest {
		ids[i] = m.ID
	}
	return fmt.Sprintf("the model %q %s; nearest to it: %s", e.ID, e.Reason, strings.Join(ids, ", "))
}

// The states of a policy.
const (
	policyEnabled  = "enabled"
	policyDisabled = "disabled"
	policyOpen     = "unconfigured"
)

// Open reports whether the account has to agree to the terms of the model before the service serves it.
func (p Policy) Open() bool { return p.State == policyOpen }

// off reports whether the service refuses the model because of the policy.
func (p Policy) off() bool { return p.State == policyDisabled || p.Open() }

// choosable reports whether an agent can work with a model: a chat model that can call tools, and whose policy does not refuse it. The
// service's own choice is not a model.
func (m Model) choosable() bool {
	return m.ID != "" && m.ID != autoModel && (m.Type == "" || m.Type == "chat") && m.Supports.ToolCalls &&
		!m.Policy.off()
}

// DefaultModel returns the model to begin with; false if none can call tools. The order of the list does not matter. It
// prefers offered models of the Messages API, then the service's default, versatile ones, released ones, the newest
// version, the cheapest, and last the smallest id.
func DefaultModel(list []Model) (Model, bool) {
	var fit []Model
	for _, m := range list {
		if m.choosable() {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 {
		return Model{}, false
	}
	return slices.MinFunc(fit, byPreference), true
}

// byPreference orders models, the preferred one first.
func byPreference(a, b Model) int {
	return cmp.Or(
		first(a.Serves(EndpointMessages), b.Serves(EndpointMessages)),
		first(a.Picker, b.Picker),
		first(a.Default, b.Default),
		first(a.PickerCategory == "versatile", b.PickerCategory == "versatile"),
		first(!a.Preview, !b.Preview),
		-compareVersions(nameOf(a.ID).version, nameOf(b.ID).version),
		cmp.Compare(a.cost(), b.cost()),
		cmp.Compare(a.ID, b.ID),
	)
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// cost returns the price of a model for comparisons; an unknown price counts as the highest.
func (m Model) cost() float64 {
	if m.Price == nil {
		return math.Inf(1)
	}
	return m.Price.Input + m.Price.Output
}

// nearestModels returns up to three models that an agent can work with, the nearest to an id first: of the same family,
// then of the nearest version, of two equally near the newer. Without any similarity it returns the preferred ones. The
// order of the list does not matter. The model itself is excluded.
func nearestModels(list []Model, id string) []Model {
	want := nameOf(id)
	type candidate struct {
		m     Model
		alike int
		far   float64
	}
	var all []candidate
	for _, m := range list {
		if m.choosable() && m.ID != id {
			n := nameOf(m.ID)
			all = append(all, candidate{m, likeness(want.words, n.words), math.Abs(n.number() - want.number())})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if order := cmp.Compare(b.alike, a.alike); order != 0 {
			return order
		}
		if a.alike > 0 {
			if order := cmp.Or(cmp.Compare(a.far, b.far),
				-compareVersions(nameOf(a.m.ID).version, nameOf(b.m.ID).version)); order != 0 {
				return order
			}
		}
		return byPreference(a.m, b.m)
	})
	var out []Model
	for _, c := range all[:min(len(all), maxNearest)] {
		out = append(out, c.m)
	}
	return out
}

// modelName is a parsed model id: claude-opus-4.6 is "claude", "opus" and 4, 6.
type modelName struct {
	words   []string
	version []int
}

// nameOf parses an id of the service or of Anthropic's clients. Dates are not versions, and a context size in brackets
// is not part of the name.
func nameOf(id string) modelName {
	id, _, _ = strings.Cut(strings.ToLower(id), "[")
	var n modelName
	for _, part := range strings.FieldsFunc(id, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch v, err := strconv.Atoi(part); {
		case err != nil:
			n.words = append(n.words, part)
		case v < 1000:
			n.version = append(n.version, v)
		}
	}
	return n
}

// number returns the version as one number, for distances.
func (n modelName) number() float64 {
	sum, unit := 0.0, 1.0
	for _, v := range n.version {
		sum += float64(v) * unit
		unit /= 100
	}
	return sum
}

// compareVersions compares versions such as 4, 6 and 5, of which the latter is newer. No version is older than any.
func compareVersions(a, b []int) int { return slices.Compare(a, b) }

// likeness counts the words that two names share, minus those they do not, so that variants come after the original.
func likeness(want, have []string) int {
	shared := 0
	for _, w := range have {
		if slices.Contains(want, w) {
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	return 10*shared - (len(have) - shared)
}

// modelRefusal returns the error for a model that is not in the account's model session.
func (a *account) modelRefusal(op, model string, s autoSession) *Error {
	reason := "is not offered to this account, whose plan does not choose its models freely"
	if model == autoModel {
		reason = "stands for the choice of the service, which makes none for this account"
	}
	e := &Error{
		Op: op, Kind: KindModel, Status: http.StatusBadRequest, Code: codeModelNotSupported,
		Message: "The requested model is not supported.", made: true,
	}
	e.because(&ModelError{ID: model, Reason: reason, Nearest: a.nearest(model, s.available)})
	return e
}

// nearest returns the nearest models in the cached list, without fetching. Unless among is empty, it returns only
// models in it.
func (a *account) nearest(id string, among []string) []Model {
	list, known := a.models.peek()
	if !known {
		var out []Model
		for _, id := range among[:min(len(among), maxNearest)] {
			out = append(out, Model{ID: id})
		}
		return out
	}
	if len(among) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(m Model) bool { return !slices.Contains(among, m.ID) })
	}
	return nearestModels(list, id)
}

// nameModel adds the nearest models to the refusal of a model.
func (a *account) nameModel(err error, body []byte) error {
	e, ok := err.(*Error)
	if !ok || e.Kind != KindModel || e.Err != nil || e.Code != codeModelNotSupported && e.Status != http.StatusNotFound {
		return err
	}
	id := modelOf(body)
	reason := "is refused by the service"
	if list, known := a.models.peek(); known && slices.ContainsFunc(list, func(m Model) bool { return m.ID == id && m.Policy.Open() }) {
		reason = "has terms that this account has not agreed to (`parley models accept " + id + "` shows them)"
	}
	e.because(&ModelError{ID: id, Reason: reason, Nearest: a.nearest(id, nil)})
	return e
}
