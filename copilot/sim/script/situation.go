package script

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
)

// Situation describes a request to a script: where the conversation stands and what is asked for.
type Situation struct {
	Model   string
	Prompt  string   // the newest words of the user
	Turn    int      // prompts so far, from 1
	Round   int      // answers of the model since that prompt
	Results []Result // tool results at the end of the conversation
	System  string
	Note    string          // the notes in the newest message, which the user did not write
	Context string          // all user messages, reminders included
	Tools   []string        // names of the tools offered
	Format  json.RawMessage // the schema the answer must follow, as the request has it; empty: none
	Thinks  bool            // the request asks for reasoning
	// Conversation identifies the messages of the request, for rules that answer one conversation only so often.
	Conversation [sha256.Size]byte
}

// Result is the result of a tool call.
type Result struct {
	Tool, Text string
	IsError    bool
}

// matches reports whether all conditions hold and returns the captures of the prompt pattern.
func (w *When) matches(st *Situation) ([]string, bool) {
	captures := w.Prompt.match(st.Prompt)
	failed := false
	for _, r := range st.Results {
		failed = failed || r.IsError
	}
	ok := captures != nil && w.System.match(st.System) != nil && w.Note.match(st.Note) != nil && w.Model.match(st.Model) != nil &&
		w.Turn.holds(st.Turn) && w.Round.holds(st.Round) &&
		boolHolds(w.HasResult, len(st.Results) > 0) && boolHolds(w.Failed, failed) &&
		boolHolds(w.Tools, len(st.Tools) > 0) && boolHolds(w.Format, len(st.Format) > 0) && w.resultsMatch(st)
	for _, name := range w.Offers {
		ok = ok && slices.Contains(st.Tools, name)
	}
	return captures, ok
}

// resultsMatch reports whether one result satisfies the conditions on tool and text.
func (w *When) resultsMatch(st *Situation) bool {
	if w.Result == nil && w.Tool == nil {
		return true
	}
	for _, r := range st.Results {
		if w.Result.match(r.Text) != nil && w.Tool.match(r.Tool) != nil {
			return true
		}
	}
	return false
}

// matches reports whether one of the alternatives holds and returns the captures of its prompt pattern.
func (r *Rule) matches(st *Situation) ([]string, bool) {
	if len(r.When) == 0 {
		return []string{st.Prompt}, true
	}
	for i := range r.When {
		if captures, ok := r.When[i].matches(st); ok {
			return captures, true
		}
	}
	return nil, false
}
