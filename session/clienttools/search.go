package clienttools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/session"
)

const searchName = "session_search"

// Search is what a search looks for.
type Search struct {
	// Words are separated by spaces; a session has to have each. Dir is the working directory of the sessions.
	Words, Dir string
	// Session asks, and is not searched.
	Session session.ID
	// Most bounds the sessions that are found.
	Most int
}

// Found is a session that has the words.
type Found struct {
	session.Meta
	// Passages are pieces of what was said in it, with the words.
	Passages []string
}

// The bounds of a search.
const (
	searchTime   = 20 * time.Second
	mostFound    = 8
	mostPassages = 4
)

// searcher returns the tool that finds earlier sessions of a conversation's directory. What was said there may be meant for nobody
// else, so that each search is asked about, and an agent with limited tools never has it.
func searcher(search func(context.Context, Search) ([]Found, error), o session.OpenOptions) session.ClientTool {
	return session.ClientTool{
		Name: searchName,
		Description: "Finds earlier sessions of the user in this directory, with any agent, by words of their prompts and answers. Each " +
			"word has to be in the session. Use it when the user speaks of something from before that is not in this conversation. " +
			"The user is asked first.",
		Schema: []byte(`{"type":"object","properties":{` +
			`"words":{"type":"string","description":"One to five words that have to be there, separated by spaces"}},` +
			`"required":["words"],"additionalProperties":false}`),
		Reads: true, Private: true,
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			var in struct {
				Words string `json:"words"`
			}
			if err := decode(c.Input, &in); err != nil {
				return session.ToolResult{}, err
			}
			if strings.TrimSpace(in.Words) == "" {
				return session.ToolResult{}, errors.New("words is empty: give one to five words")
			}
			ctx, end := context.WithTimeout(ctx, searchTime)
			defer end()
			all, err := search(ctx, Search{Words: in.Words, Dir: o.Dir, Session: o.Session, Most: mostFound})
			if err != nil && (len(all) == 0 || !errors.Is(err, context.DeadlineExceeded)) {
				return session.ToolResult{}, fmt.Errorf("search earlier sessions: %w", err)
			}
			return session.ToolResult{Text: foundText(all, err != nil)}, nil
		},
	}
}

// foundText returns what the model reads of the sessions that were found.
func foundText(all []Found, partly bool) string {
	if len(all) == 0 {
		return "No earlier session in this directory has these words."
	}
	var b strings.Builder
	for _, f := range all {
		title := f.Title
		if title == "" {
			title = f.First
		}
		fmt.Fprintf(&b, "%s · %s · %s · session %s\n", f.Updated.Format("2006-01-02 15:04"), f.Agent, session.Subject(title), f.ID)
		for _, p := range f.Passages[:min(len(f.Passages), mostPassages)] {
			fmt.Fprintf(&b, "  %s\n", p)
		}
	}
	if partly {
		b.WriteString("The search took too long: older sessions were not looked at.\n")
	}
	return b.String()
}
