package repair

import (
	"slices"
	"strings"

	"parley/internal/jsonedit"
	"parley/internal/lazyregexp"
)

// The fields that the service knows. Any other field, of a newer API or for another service, would make it refuse the
// whole request ("Extra inputs are not permitted").
var (
	topFields = set("model", "messages", "system", "max_tokens", "metadata", "stop_sequences", "stream", "temperature",
		"top_p", "top_k", "tools", "tool_choice", "thinking", "output_config", "service_tier", "context_management")
	optionFields = map[string]map[string]bool{"output_config": set("effort", "format"), "metadata": set("user_id")}
	messageField = set("role", "content")
	toolField    = set("name", "description", "input_schema", "type", "cache_control", "strict", "defer_loading",
		"input_examples", "allowed_callers")
	markField      = set("type", "ttl")
	thinkingFields = map[string]map[string]bool{
		"enabled":  set("type", "budget_tokens", "display"),
		"adaptive": set("type", "display"),
		"disabled": set("type"),
	}
)

func set(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// keep deletes the unknown members of an object.
func (w *work) keep(object jsonedit.Node, known map[string]bool, at string) {
	for n := range w.Children(object) {
		if !w.KeyIn(n, known) {
			w.Delete(n)
			w.fire("%s%s", at, w.Key(n))
		}
	}
}

func dropUnknownFields(w *work) {
	w.keep(w.Root(), topFields, "")
	for _, name := range []string{"metadata", "output_config"} {
		n := w.top(name)
		if had := w.Len(n) > 0; !had {
			continue
		}
		w.keep(n, optionFields[name], name+".")
		if w.Len(n) == 0 {
			w.Delete(n)
		}
	}
}

// dropMessageFields removes fields of messages. Claude Code puts an output_config with the effort from there on into
// single messages, where the service does not know it. The last one applies to the answer and moves to the top level.
func dropMessageFields(w *work) {
	effort := ""
	for _, m := range w.messages() {
		for n := range w.Children(m.node) {
			if w.KeyIn(n, messageField) {
				continue
			}
			if w.KeyIs(n, "output_config") {
				effort = orElse(w.String(w.Member(n, "effort")), effort)
			}
			w.Delete(n)
			w.fire("messages.%d.%s", m.index, w.Key(n))
		}
	}
	if best := nearestEffort(effort, w.model.Efforts); best != "" {
		w.setEffort(jsonedit.Quote(best))
	}
}

// setEffort sets the effort, given as JSON, where the service expects it.
func (w *work) setEffort(effort string) {
	config := w.top("output_config")
	switch n := w.member(config, "effort"); {
	case n != jsonedit.None:
		w.Replace(n, effort)
	case w.Kind(config) == '{':
		w.AppendMember(config, "effort", effort)
	case config == jsonedit.None:
		w.AppendMember(w.Root(), "output_config", `{"effort":`+effort+`}`)
	}
}

func orElse(v, other string) string {
	if v == "" {
		return other
	}
	return v
}

// moveOutputFormat moves the schema of a structured answer from its place in the first versions of the API.
func moveOutputFormat(w *work) {
	old := w.top("output_format")
	if old == jsonedit.None {
		return
	}
	format, config := string(w.Raw(old)), w.top("output_config")
	switch {
	case w.Kind(old) != '{':
	case config == jsonedit.None:
		w.AppendMember(w.Root(), "output_config", `{"format":`+format+`}`)
	case w.Kind(config) == '{' && w.Member(config, "format") == jsonedit.None:
		w.AppendMember(config, "format", format)
	}
	w.DeleteMember(w.Root(), "output_format")
	w.fire("output_format")
}

// knownBetas are the families of betas that the service accepts, without their dates.
var knownBetas = []string{"interleaved-thinking", "context-management", "advanced-tool-use", "per-turn-control",
	"extended-cache-ttl", "compact"}

var datedBeta = lazyregexp.New(`^(.+)-\d{4}-\d{2}-\d{2}$`)

// splitBetas returns the values of the header, each once.
func splitBetas(values []string) []string {
	var out []string
	for _, v := range values {
		for b := range strings.SplitSeq(v, ",") {
			if b = strings.TrimSpace(b); b != "" && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// filterBetas removes betas that the service does not know; a single one would fail the request.
func filterBetas(w *work) {
	w.betas = slices.DeleteFunc(w.betas, func(b string) bool {
		if m := datedBeta.FindStringSubmatch(b); m != nil && slices.Contains(w.r.known, m[1]) {
			return false
		}
		w.fire("anthropic-beta")
		return true
	})
}

func (w *work) hasBeta(family string) bool {
	return slices.ContainsFunc(w.betas, func(b string) bool { return strings.HasPrefix(b, family+"-") })
}

// dropContextEdits removes context_management without its beta, and impossible edits in it: compaction has a separate
// beta, and thinking can only be cleared if there is some.
func dropContextEdits(w *work) {
	field := w.top("context_management")
	if field == jsonedit.None {
		return
	}
	edits := w.member(field, "edits")
	thinks, had := w.thinks(), w.Len(edits)
	for e := range w.Children(edits) {
		kind := w.String(w.Member(e, "type"))
		family := "context-management"
		if strings.HasPrefix(kind, "compact_") {
			family = "compact"
		}
		if !w.hasBeta(family) || strings.HasPrefix(kind, "clear_thinking_") && !thinks {
			w.Delete(e)
			w.fire("context_management.edits")
		}
	}
	if had > 0 && w.Len(edits) == 0 || !w.hasBeta("context-management") && !w.hasBeta("compact") {
		w.DeleteMember(w.Root(), "context_management")
		w.fire("context_management")
	}
}
