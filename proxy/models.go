package proxy

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/copilot"
)

// maxPage bounds the page size that a client may request. By default all models are on one page: few clients turn
// pages, and the list is short.
const maxPage = 1000

// modelInfo is a model in the list of the Anthropic API. The service does not know the release date; the API specifies
// the epoch for that case.
type modelInfo struct {
	Type           string `json:"type"`
	ID             string `json:"id"`
	DisplayName    string `json:"display_name"`
	CreatedAt      string `json:"created_at"`
	MaxInputTokens *int64 `json:"max_input_tokens"`
	MaxTokens      *int64 `json:"max_tokens"`
	Capabilities   any    `json:"capabilities"`
}

// modelPage is one page of the list.
type modelPage struct {
	Data    []modelInfo `json:"data"`
	HasMore bool        `json:"has_more"`
	FirstID *string     `json:"first_id"`
	LastID  *string     `json:"last_id"`
}

// listModels handles GET /v1/models.
func (c *call) listModels() *failure {
	infos, f := c.modelInfos()
	if f != nil {
		return f
	}
	q := c.r.URL.Query()
	limit := maxPage
	if v := q.Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > maxPage {
			return refuse(http.StatusBadRequest, typeInvalid, "limit: Input should be a number from 1 to 1000")
		}
		limit = n
	}
	page, ok := pageOf(infos, q.Get("after_id"), q.Get("before_id"), limit)
	if !ok {
		return refuse(http.StatusBadRequest, typeInvalid, "after_id, before_id: no such model")
	}
	return c.writeValue(page)
}

// getModel handles GET /v1/models/{id}, in either spelling.
func (c *call) getModel(id string) *failure {
	infos, f := c.modelInfos()
	if f != nil {
		return f
	}
	want := withoutContext(sdkModelID(id))
	for _, m := range infos {
		if m.ID == id || m.ID == want {
			return c.writeValue(m)
		}
	}
	return refuse(http.StatusNotFound, typeNotFound, "model: "+id)
}

// withoutContext removes the context suffix, which only concerns the client.
func withoutContext(id string) string {
	return strings.TrimSuffix(strings.TrimSuffix(id, "[1m]"), "[2m]")
}

// modelInfos returns the whole list for Anthropic's clients, in the service's order. Ids of Anthropic's models have the
// clients' spelling, all others the service's.
func (c *call) modelInfos() ([]modelInfo, *failure) {
	models, err := c.s.back.models(c.ctx)
	if err != nil {
		return nil, c.failed(err)
	}
	infos := []modelInfo{}
	seen := map[string]bool{}
	for _, m := range models {
		if !c.lists(m) {
			continue
		}
		info := infoOf(m)
		if info.ID == "" || seen[info.ID] {
			continue
		}
		seen[info.ID] = true
		infos = append(infos, info)
	}
	return infos, nil
}

// lists reports whether the list includes a model: those of Anthropic that this API reaches, and those offered to users
// that translation reaches.
func (c *call) lists(m copilot.Model) bool {
	if strings.EqualFold(m.Vendor, "anthropic") {
		return m.Serves(copilot.EndpointMessages)
	}
	return c.s.openAI() != nil && foreignEndpoint(m) != "" && m.Picker && m.Policy.State != "disabled" &&
		(m.Type == "" || m.Type == "chat")
}

func infoOf(m copilot.Model) modelInfo {
	info := modelInfo{Type: "model", ID: sdkModelID(m.ID), DisplayName: m.Name, CreatedAt: "1970-01-01T00:00:00Z"}
	if info.DisplayName == "" {
		info.DisplayName = info.ID
	}
	// Clients size their conversations by this value. The service takes shorter prompts than the model's window.
	info.MaxInputTokens = known(m.Limits.Prompt)
	if info.MaxInputTokens == nil {
		info.MaxInputTokens = known(m.Limits.Context)
	}
	info.MaxTokens = known(m.Limits.Output)
	return info
}

// known returns a limit, nil for one that the service does not report.
func known(n int) *int64 {
	if n <= 0 {
		return nil
	}
	v := int64(n)
	return &v
}

// pageOf returns a page of the list: the models after one id, or right before another.
func pageOf(all []modelInfo, after, before string, limit int) (modelPage, bool) {
	from, to := 0, len(all)
	if after != "" {
		i := slices.IndexFunc(all, func(m modelInfo) bool { return m.ID == after })
		if i < 0 {
			return modelPage{}, false
		}
		from = i + 1
	}
	if before != "" {
		i := slices.IndexFunc(all, func(m modelInfo) bool { return m.ID == before })
		if i < 0 {
			return modelPage{}, false
		}
		to = max(i, from)
	}
	more := to-from > limit
	if more && before != "" && after == "" {
		from = to - limit
	} else if more {
		to = from + limit
	}
	page := modelPage{Data: all[from:to], HasMore: more}
	if n := len(page.Data); n > 0 {
		page.FirstID, page.LastID = &page.Data[0].ID, &page.Data[n-1].ID
	}
	return page, true
}

func (c *call) writeValue(v any) *failure {
	b, err := json.Marshal(v)
	if err != nil { // plain structs always marshal
		panic(err)
	}
	writeJSON(c.w, http.StatusOK, b)
	return nil
}
