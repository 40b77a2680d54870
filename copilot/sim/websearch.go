package sim

import (
	"encoding/json"
	"strings"
)

// hostedSearch is the tool that the service runs itself, for GPT models behind the Responses API.
const hostedSearch = "web_search"

// checkSearch takes a definition of the hosted search.
func (f *foreign) checkSearch(path string, fields map[string]json.RawMessage) {
	f.extra(path+".", fields, "type", "filters", "search_context_size", "user_location")
	f.searches = true
}

// checkSearching refuses the hosted search where the service does not run it.
func (f *foreign) checkSearching(b *Body, model Model) {
	if f.searches && (b.Effort == "minimal" || b.Effort == "none" || !strings.HasPrefix(model.ID, "gpt-")) {
		f.refuse("server tools", openAIError("unsupported_value", "tools", "The following tools cannot be used: web_search."))
	}
}

// searched completes the item of a search that the script plays as a call with a query and the found pages.
func (t *responsesTeller) searched(input string) {
	var in struct {
		Query string              `json:"query"`
		Pages []map[string]string `json:"pages"`
	}
	_ = json.Unmarshal([]byte(input), &in) // a template of the script
	t.item["action"], t.item["status"] = map[string]any{"type": "search", "query": in.Query}, "completed"
	for _, p := range in.Pages {
		t.cited = append(t.cited, map[string]any{"type": "url_citation", "start_index": 0, "end_index": 0, "url": p["url"], "title": p["title"]})
	}
}
