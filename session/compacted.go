package session

// Compacted reports that the agent sends less of the conversation from now on: a summary in place of everything before Keep,
// or notes in place of the results in Dropped.
type Compacted struct {
	Head
	Auto   bool  `json:"auto,omitempty"`
	Before int64 `json:"before,omitempty"` // tokens
	After  int64 `json:"after,omitempty"`  // tokens
	// Summary is the summary as markdown; empty for none, or if the agent's runtime does not report it. Focus is what the user
	// wanted it to be about.
	Summary string `json:"summary,omitempty"`
	Focus   string `json:"focus,omitempty"`
	// Keep is where the conversation begins that is still sent as it was.
	Keep Cut `json:"keep,omitzero"`
	// Dropped are the calls whose results are left out.
	Dropped []CallID `json:"dropped,omitempty"`
	// Undone takes back the compaction before it, and everything is sent again. All other fields but Before and After are zero.
	Undone bool `json:"undone,omitempty"`
}

// Cut is a place in a conversation: the beginning of an answer of a turn, counted from 1, or of the turn itself for 0.
type Cut struct {
	Turn   TurnID `json:"turn,omitempty"`
	Answer int    `json:"answer,omitempty"`
}
