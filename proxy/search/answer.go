package search

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

const (
	// maxPages bounds the pages of a message, maxTitle the title of one, in bytes.
	maxPages = 50
	maxTitle = 300
)

// Message is the answer to a request as the Messages API has it.
type Message struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Role       string  `json:"role"`
	Model      string  `json:"model"`
	Content    []any   `json:"content"`
	StopReason string  `json:"stop_reason"`
	Sequence   *string `json:"stop_sequence"`
	Usage      usage   `json:"usage"`
	// Cost is what the service adds about the price, nil for none.
	Cost json.RawMessage `json:"copilot_usage,omitempty"`
}

// usage counts tokens and searches.
type usage struct {
	Input      int64    `json:"input_tokens"`
	CacheWrite int64    `json:"cache_creation_input_tokens"`
	CacheRead  int64    `json:"cache_read_input_tokens"`
	Output     int64    `json:"output_tokens"`
	Server     searches `json:"server_tool_use"`
}

type searches struct {
	Searches int `json:"web_search_requests"`
}

// The blocks of a message.
type (
	useBlock struct {
		Type  string `json:"type"`
		ID    string `json:"id"`
		Name  string `json:"name"`
		Input query  `json:"input"`
	}
	query struct {
		Query string `json:"query"`
	}
	resultBlock struct {
		Type    string `json:"type"`
		ToolUse string `json:"tool_use_id"`
		Content any    `json:"content"` // []page or failure
	}
	page struct {
		Type      string  `json:"type"`
		URL       string  `json:"url"`
		Title     string  `json:"title"`
		Encrypted string  `json:"encrypted_content"`
		Age       *string `json:"page_age"`
	}
	failure struct {
		Type string `json:"type"`
		Code string `json:"error_code"`
	}
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
)

// found is an answer of the Responses API.
type found struct {
	Output []struct {
		Type    string          `json:"type"`
		Status  string          `json:"status"`
		Action  json.RawMessage `json:"action"`
		Content []struct {
			Type        string `json:"type"`
			Text        string `json:"text"`
			Refusal     string `json:"refusal"`
			Annotations []struct {
				Type  string `json:"type"`
				URL   string `json:"url"`
				Title string `json:"title"`
			} `json:"annotations"`
		} `json:"content"`
	} `json:"output"`
	Usage struct {
		Input   int64 `json:"input_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Output int64 `json:"output_tokens"`
	} `json:"usage"`
	Cost json.RawMessage `json:"copilot_usage"`
}

// action is what a search did: it searched, or opened a page.
type action struct {
	Type    string   `json:"type"`
	Query   string   `json:"query"`
	Queries []string `json:"queries"`
	URL     string   `json:"url"`
	Sources []struct {
		URL string `json:"url"`
	} `json:"sources"`
}

// errNothing reports that an answer has neither words nor searches.
var errNothing = errors.New("the answer of the search has no text")

// Message returns an answer of the Responses API as a message with this id and model. Which search found which page is not known:
// the last one has them all. The error is that of an answer that cannot be read or has nothing in it.
func (r *Request) Message(id, model string, answer []byte) (*Message, error) {
	var in found
	if err := json.Unmarshal(answer, &in); err != nil {
		return nil, fmt.Errorf("read the answer of the search: %w", err)
	}
	var queries, texts []string
	var pages []page
	for _, item := range in.Output {
		switch item.Type {
		case "web_search_call":
			var a action
			_ = json.Unmarshal(item.Action, &a) // an action of another form searched for something unknown
			pages = r.add(pages, a.URL, "")
			for _, s := range a.Sources {
				pages = r.add(pages, s.URL, "")
			}
			if a.Type == "" || a.Type == "search" {
				queries = append(queries, cmp.Or(a.Query, strings.Join(a.Queries, ", ")))
			}
		case "message":
			for _, c := range item.Content {
				if t := cmp.Or(c.Text, c.Refusal); strings.TrimSpace(t) != "" {
					texts = append(texts, t)
				}
				for _, note := range c.Annotations {
					if note.Type == "url_citation" {
						pages = r.add(pages, note.URL, note.Title)
					}
				}
			}
		}
	}
	if len(texts) == 0 && len(pages) == 0 {
		return nil, errNothing
	}
	if len(queries) == 0 && len(pages) > 0 {
		queries = []string{r.Text}
	}
	m := newMessage(id, model)
	m.Usage.Input, m.Usage.CacheRead = max(in.Usage.Input-in.Usage.Details.Cached, 0), in.Usage.Details.Cached
	m.Usage.Output, m.Usage.Server.Searches, m.Cost = in.Usage.Output, len(queries), in.Cost
	for i, q := range queries {
		got := []page{}
		if i == len(queries)-1 {
			got = pages
		}
		m.search(i, q, got)
	}
	if len(texts) > 0 {
		m.Content = append(m.Content, textBlock{"text", strings.Join(texts, "\n\n")})
	}
	return m, nil
}

// Refused returns the message that says that no search is possible, and why, as the hosted search reports it.
func (r *Request) Refused(id, model, why string) *Message {
	m := newMessage(id, model)
	m.search(0, r.Text, failure{"web_search_tool_result_error", "unavailable"})
	m.Content = append(m.Content, textBlock{"text", why})
	return m
}

func newMessage(id, model string) *Message {
	return &Message{ID: id, Type: "message", Role: "assistant", Model: model, StopReason: "end_turn", Content: []any{}}
}

// search appends the blocks of the i-th search.
func (m *Message) search(i int, q string, got any) {
	id := fmt.Sprintf("srvtoolu_%s%02d", strings.TrimPrefix(m.ID, "msg_"), i)
	m.Content = append(m.Content, useBlock{"server_tool_use", id, "web_search", query{q}}, resultBlock{"web_search_tool_result", id, got})
}

// add appends a page unless it is there or not of the request's domains. A later title takes the place of none.
func (r *Request) add(pages []page, address, title string) []page {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !r.allows(u.Hostname()) {
		return pages
	}
	q := u.Query()
	if q.Get("utm_source") == "openai" { // the service marks what it found
		q.Del("utm_source")
		u.RawQuery = q.Encode()
	}
	address, title = u.String(), strings.ToValidUTF8(title[:min(len(title), maxTitle)], "")
	if i := slices.IndexFunc(pages, func(p page) bool { return p.URL == address }); i >= 0 {
		if title != "" && pages[i].Title == address {
			pages[i].Title = title
		}
		return pages
	}
	if len(pages) == maxPages {
		return pages
	}
	return append(pages, page{Type: "web_search_result", URL: address, Title: cmp.Or(title, address)})
}

// allows reports whether pages of a host may be named.
func (r *Request) allows(host string) bool {
	within := func(domain string) bool {
		h := strings.ToLower(strings.TrimSuffix(host, "."))
		return h == domain || strings.HasSuffix(h, "."+domain)
	}
	return !slices.ContainsFunc(r.Blocked, within) && (len(r.Allowed) == 0 || slices.ContainsFunc(r.Allowed, within))
}
