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

// maxNearest is how many models are named instead of one that is not there.
const maxNearest = 3

// ModelError reports that a model cannot be used, and the most similar ones. No other model is ever used instead. It is
// the cause of an [*Error] of [KindModel].
type ModelError struct {
	// ID is the requested model.
	ID string
	// Reason is why it cannot be used.
	Reason string
	// Nearest are models that can, the nearest first; empty if the list is not known.
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
)

// choosable reports whether an agent can work with a model: a chat model that can call tools and is not switched off.
// The service's own choice is not a model.
func (m Model) choosable() bool {
	return m.ID != "" && m.ID != autoModel && (m.Type == "" || m.Type == "chat") && m.Supports.ToolCalls &&
		m.Policy.State != policyDisabled
}

// DefaultModel chooses the model to begin with; false if none can call tools. The choice depends on what is in the list
// and not on its order: models that speak the Messages API and are meant to be offered go first, then the service's own
// default, versatile ones, finished ones, the newest version, the cheapest, and at last the smallest id.
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

// byPreference orders models, the one to prefer first.
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

// NearestModels returns up to three models an agent can work with, the nearest to an id first: of the same family, then
// of the nearest version, the newer of two equally near. Without any likeness they are the ones to prefer. The order of
// the list does not matter, and the model itself is not among them.
func NearestModels(list []Model, id string) []Model {
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

// nameOf parses an id, in the form of the service or of Anthropic's clients. Dates are not versions, and a context
// size in brackets is not part of the name.
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

// compareVersions compares 4, 6 with 5: the latter is newer. No version is older than any.
func compareVersions(a, b []int) int { return slices.Compare(a, b) }

// likeness counts the words two names share, less for each they do not, so that variants come after what they vary.
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

// modelRefusal makes the error of a model that the account's model session does not offer.
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

// nearest finds the nearest models of the list at hand; nothing is fetched. Only those in among are taken, unless that
// is empty.
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
	return NearestModels(list, id)
}

// nameModel adds the nearest choices to the refusal of a model.
func (a *account) nameModel(err error, body []byte) error {
	e, ok := err.(*Error)
	if !ok || e.Kind != KindModel || e.Err != nil || e.Code != codeModelNotSupported && e.Status != http.StatusNotFound {
		return err
	}
	id := modelOf(body)
	e.because(&ModelError{ID: id, Reason: "is refused by the service", Nearest: a.nearest(id, nil)})
	return e
}
