package session

// Queued reports that a prompt waits for the running turn to end.
type Queued struct {
	Head
	Prompt Prompt `json:"prompt"`
}

// Steered reports that the running turn took a waiting prompt, or that a child agent took one.
type Steered struct {
	Head
	Prompt PromptID `json:"prompt"`
	// Said is the prompt itself where it did not wait in the queue, as one for a child agent; otherwise nil.
	Said *Prompt `json:"said,omitempty"`
}

// Reminded reports a text that the agent itself put before the model, such as how a job in the background ended. It belongs
// to the history of the conversation and is not shown.
type Reminded struct {
	Head
	Text string `json:"text"`
	// Facts reports that the text ends the system prompt from now on, and is not a message.
	Facts bool `json:"facts,omitempty"`
}

// Unqueued reports that a prompt no longer waits, because it is about to be sent or was withdrawn.
type Unqueued struct {
	Head
	Prompt PromptID `json:"prompt"`
	// Sent is true if the prompt is being delivered, false if it was withdrawn.
	Sent bool `json:"sent"`
}

// Requeued reports that a waiting prompt was moved before another one.
type Requeued struct {
	Head
	Prompt PromptID `json:"prompt"`
	// Before is the prompt that now comes after it, empty at the end of the queue.
	Before PromptID `json:"before,omitempty"`
}
